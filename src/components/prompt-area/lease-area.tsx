'use client'
import type { ReactNode } from 'react'
import { useState, useSyncExternalStore } from 'react'
import { useChatSelector } from '../../hooks/use-chat-selector.ts'
import { createLeaseReader } from '../../state/conversation/leases.ts'
import { notLoaded, promptLoading, subscribeToPrompts } from './lazy-prompts.ts'

/** What the user has allowed for a time, below the header. Its code is that of the prompts, fetched with the first lease. */
export function LeaseArea(): ReactNode {
  const [read] = useState(createLeaseReader)
  const hasLeases = useChatSelector(({ messages }) => read(messages).some(({ lease }) => lease.state === 'active'))
  const [hadLeases, setHadLeases] = useState(hasLeases)
  if (hasLeases && !hadLeases) setHadLeases(true)
  // It stays: that one has ended is told after it has gone.
  return hadLeases ? <LoadedLeases /> : null
}

function LoadedLeases(): ReactNode {
  const loading = useSyncExternalStore(subscribeToPrompts, promptLoading, notLoaded)
  return typeof loading === 'object' ? <loading.Leases /> : null
}
