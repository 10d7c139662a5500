import type { Command, CommandResult } from '../command.ts'
import type { Sending } from './command-results.ts'
import { ACCEPTED, isPongOf, refusedAs, TOO_LATE, UNSUPPORTED } from './command-results.ts'
import type { ArcpLease } from './fold/arcp-state.ts'
import type { ActiveSession } from './link.ts'
import type { ArcpMessage } from './read/message.ts'
import { refreshSeconds } from './values/refresh-seconds.ts'

type LeaseCommand = Extract<Command, { readonly type: 'lease' }>

/**
 * Asks for more time of a lease, or gives it back. The RFC has no word for the latter: runtimes that know it read `lease.revoked` from
 * a client as well and say the same, others refuse it. A ping behind the wish tells that nothing more will be said.
 */
export async function sendLeaseChange(
  { exchange, writer, signal }: Sending,
  active: ActiveSession,
  { leaseId, changeId, change }: LeaseCommand,
): Promise<CommandResult> {
  const lease = exchange.lease(leaseId)
  // Of a lease of another page nothing is known but its id.
  if (lease?.state === 'revoked') return TOO_LATE
  const now = exchange.date() - exchange.offsetMs
  const members = { id: exchange.answerMessageId(changeId, writer.id) }
  const message =
    change.type === 'extend'
      ? writer.write('lease.refresh', { lease_id: leaseId, requested_seconds: seconds(lease, change.ms, now) }, members)
      : writer.write('lease.revoked', { lease_id: leaseId, reason: 'The user took it back.' }, members)
  const ping = writer.write('ping', {})
  const isDone = change.type === 'extend' ? isExtended : isRevoked
  return exchange.link.ask(
    active,
    [message, ping],
    (reply) => {
      if (isDone(reply, leaseId)) return ACCEPTED
      if (isRevoked(reply, leaseId)) return TOO_LATE
      // Nothing was said of it: it is as it was.
      return refusedAs(reply, message.id) ?? (isPongOf(reply, ping.id) ? UNSUPPORTED : undefined)
    },
    signal,
  )
}

function seconds(lease: ArcpLease | undefined, ms: number, now: number): number {
  return lease === undefined ? Math.ceil(ms / 1000) : refreshSeconds(lease.expiresAt, ms, now)
}

function isExtended(message: ArcpMessage, leaseId: string): boolean {
  return message.type === 'lease.extended' && message.payload.lease_id === leaseId
}

function isRevoked(message: ArcpMessage, leaseId: string): boolean {
  return message.type === 'lease.revoked' && message.payload.lease_id === leaseId
}
