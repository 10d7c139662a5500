'use client'
import { useEffect, useRef, useState } from 'react'
import { useChatContext } from '../../react/chat-context.ts'
import type { LeaseControls } from '../../react/use-leases.ts'
import type { Lease } from '../../seam/lease.ts'
import { findLease } from '../../state/conversation/leases.ts'

/** The lease that has ended last. Undefined: none has since this is shown. */
export function useEndedLease(leases: readonly LeaseControls[]): Lease | undefined {
  const chat = useChatContext()
  const before = useRef(leases)
  const [ended, setEnded] = useState<Lease>()
  useEffect(() => {
    const gone = before.current.find(({ id }) => leases.every((lease) => lease.id !== id))
    before.current = leases
    if (gone === undefined) return
    const { lease } = findLease(chat.getSnapshot().messages, gone.id) ?? gone
    // Its time was over, and its answer has ended without a word about it.
    setEnded(lease.state === 'active' ? { ...lease, state: 'expired' } : lease)
  }, [chat, leases])
  return ended
}
