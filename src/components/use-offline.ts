'use client'
import { useContext, useSyncExternalStore } from 'react'
import { systemOnline } from '../base/online.ts'
import { AgentContext } from '../hooks/agent-context.ts'

/** Whether the device says that it has no network. */
export function useOffline(): boolean {
  const online = useContext(AgentContext)?.client.environment.online ?? systemOnline
  return !useSyncExternalStore(online.subscribe, online.isOnline, () => true)
}
