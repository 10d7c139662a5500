'use client'
import { useContext, useState } from 'react'
import type { AgentError } from '../../base/agent-error.ts'
import { systemEnvironment } from '../../base/ports/environment.ts'
import { AgentContext } from '../../react/agent-context.ts'
import { useNow } from '../../react/use-now.ts'

const TICK_MS = 100

/** Clock time at which each error was first shown: a banner that mounts again continues the same countdown. */
const firstShown = new WeakMap<AgentError, number>()

/**
 * Countdown of `retryAfterMs`: the same error with the time that is left, 0 once it has passed. Undefined when the error
 * names no time, or `active` is false.
 */
export function useRetryAfter(error: AgentError, active: boolean): AgentError | undefined {
  const { clock } = useContext(AgentContext)?.client.environment ?? systemEnvironment
  const { retryAfterMs } = error
  const [elapsed, setElapsed] = useState<AgentError>()
  const now = useNow(active && retryAfterMs !== undefined && elapsed !== error, TICK_MS)
  if (!active || retryAfterMs === undefined) return undefined
  const since = firstShown.get(error) ?? clock.now()
  firstShown.set(error, since)
  // `now` is older than `since` where the error is newer than the last tick.
  const left = elapsed === error ? 0 : Math.max(0, Math.min(retryAfterMs, since + retryAfterMs - now))
  if (left === 0 && elapsed !== error) setElapsed(error)
  // An object whose prototype is the error has all that the error has, and its class.
  return Object.create(error, { retryAfterMs: { value: left, enumerable: true } }) as AgentError
}
