'use client'

import { useSyncExternalStore, useContext } from 'react'
import { systemOnline } from '../../base/ports/environment.ts'
import { AgentContext } from '../../react/agent-provider.tsx'

const never = (): (() => void) => () => {}

/** False on the server and in the first client render, then true: for text that depends on the reader's machine. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}

/** Whether the device says that it has no network. */
export function useOffline(): boolean {
  const online = useContext(AgentContext)?.client.environment.online ?? systemOnline
  // A separate function in each render: with the same one React 18 loses changes where a component also sets state while it renders.
  return !useSyncExternalStore(
    online.subscribe,
    () => online.isOnline(),
    () => true,
  )
}
