'use client'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useChatStatus } from '../../react/use-chat-selector.ts'
import { createLeaseReader } from '../../state/conversation/leases.ts'
import { useOnDemand } from '../on-demand/on-demand.ts'
import { promptCode } from './lazy-prompts.ts'

/** What the user has allowed for a time, below the header. Its code is that of the prompts, fetched with the first lease. */
export function LeaseArea(): ReactNode {
  const [read] = useState(createLeaseReader)
  const hasLeases = useChatStatus(({ messages }) => read(messages).some(({ lease }) => lease.state === 'active'))
  const [hadLeases, setHadLeases] = useState(hasLeases)
  if (hasLeases && !hadLeases) setHadLeases(true)
  // It stays: that one has ended is told after it has gone.
  return hadLeases ? <LoadedLeases /> : null
}

function LoadedLeases(): ReactNode {
  const code = useOnDemand(promptCode, true)
  return code ? <code.Leases /> : null
}
