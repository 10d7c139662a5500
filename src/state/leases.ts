import type { Lease } from '../seam/lease.ts'
import { mapMessages } from './turn.ts'
import type { Conversation } from './turn.ts'
import type { ChatMessage, MessagePart } from './message.ts'

/** A lease and the message it is part of. */
export interface GrantedLease {
  readonly id: string
  readonly lease: Lease
  readonly message: ChatMessage
}

type LeasePart = Extract<MessagePart, { readonly type: 'lease' }>

function isLeasePart(part: MessagePart): part is LeasePart {
  return part.type === 'lease'
}

function leasesOf(message: ChatMessage): readonly GrantedLease[] {
  return message.parts.filter(isLeasePart).map(({ id, lease }) => ({ id, lease, message }))
}

/** The leases of a conversation, oldest first. Of a lease that several messages report, the newest counts. */
export type LeaseReader = (messages: readonly ChatMessage[]) => readonly GrantedLease[]

/** Reads only the messages that have changed since the last call: a long thread costs a comparison of each. */
export function createLeaseReader(): LeaseReader {
  let read: readonly ChatMessage[] = []
  let own: readonly (readonly GrantedLease[])[] = []
  let leases: readonly GrantedLease[] = []
  return (messages) => {
    let same = 0
    while (same < messages.length && messages[same] === read[same]) same += 1
    if (same === messages.length && same === read.length) return leases
    own = [...own.slice(0, same), ...messages.slice(same).map(leasesOf)]
    read = messages
    leases = [...new Map(own.flat().map((granted) => [granted.id, granted])).values()]
    return leases
  }
}

/** Whether a run reports leases, which may outlive it. */
export function hasLeases(messages: readonly ChatMessage[], requestId: string): boolean {
  return messages.some((message) => message.requestId === requestId && message.parts.some(isLeasePart))
}

/** The newest lease with that id. */
export function findLease(messages: readonly ChatMessage[], leaseId: string): GrantedLease | undefined {
  for (const message of messages.toReversed()) {
    const found = leasesOf(message).findLast(({ id }) => id === leaseId)
    if (found !== undefined) return found
  }
  return undefined
}

/** The conversation in which an active lease was revoked; the same one when there is none. */
export function markRevoked(conversation: Conversation, leaseId: string): Conversation {
  const revoked = (part: MessagePart): MessagePart =>
    isLeasePart(part) && part.id === leaseId && part.lease.state === 'active'
      ? { ...part, lease: { ...part.lease, state: 'revoked' } }
      : part
  return mapMessages(conversation, (message) => {
    const parts = message.parts.map(revoked)
    return parts.every((part, index) => part === message.parts[index]) ? message : { ...message, parts }
  })
}
