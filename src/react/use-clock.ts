'use client'
import { useContext } from 'react'
import type { Clock } from '../base/ports/clock.ts'
import { systemEnvironment } from '../base/ports/environment.ts'
import { AgentContext } from './agent-context.ts'

/** The clock of the nearest client; that of the machine without one. */
export function useClock(): Clock {
  return (useContext(AgentContext)?.client.environment ?? systemEnvironment).clock
}
