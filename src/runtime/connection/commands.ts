import type { ArcpPayload, ArcpType } from '../../protocols/arcp/schema/payloads.ts'
import { fromBase64, toBase64 } from '../job/artifacts.ts'
import { ArcpFault, faultPayload, type ClientCommand, type CommandOf } from '../session/arcp-fault.ts'
import { isEnded } from '../job/runtime-job.ts'
import type { RuntimeLease } from '../job/leases.ts'
import { assertVisible } from './subscriptions.ts'
import type { RuntimeCore, ArcpRuntimeOptions } from './runtime-core.ts'
import type { Members, Peer, RuntimeSession } from '../session/runtime-session.ts'
import { messageOf } from '../session/runtime-session.ts'
import { isShared, isUnambiguous, scopeName, principalOf } from '../session/scope.ts'

/** The connection that a command came on, and its session. */
export interface Caller {
  readonly session: RuntimeSession
  readonly peer: Peer
  /** Answers the command, on this connection; a command that is repeated is answered again, and not carried out. */
  reply<Type extends ArcpType>(type: Type, payload: ArcpPayload<Type>, members?: Members): void
  /** The connection follows that session too, from the message after this id on. */
  follow(session: RuntimeSession, after: string): Promise<void>
}

/** What is done about the commands of an open session. The session itself is the connection's. */
export type SessionCommand = Exclude<ClientCommand, { readonly type: `session.${string}` }>

/** Carries out one command. @throws ArcpFault what it is refused with */
export async function carryOut(core: RuntimeCore, caller: Caller, command: SessionCommand): Promise<void> {
  const { session, peer, reply } = caller
  const members = { correlation_id: command.id }
  switch (command.type) {
    case 'ping': {
      const { nonce } = command.payload
      const at = new Date(core.environment.clock.date()).toISOString()
      const payload = { ack_for: command.id, received_at: at, nonce }
      return reply('pong', payload, members)
    }
    // Answers to what the runtime has sent want none themselves.
    case 'pong':
    case 'ack':
    case 'nack':
      return
    case 'tool.invoke':
      return invoke(core, caller, command)
    case 'cancel':
      return cancel(core, caller, command)
    case 'interrupt': {
      const { target = 'job', target_id: id, job_id: jobId, prompt, reason } = command.payload
      if (target !== 'job') throw new ArcpFault('UNIMPLEMENTED', 'Only jobs can be interrupted.')
      const job = core.jobs.find(id ?? jobId ?? '')
      assertOwn(core, session, job.session)
      return core.jobs.interrupt(job.id, prompt ?? reason, command.id)
    }
    case 'resume':
      return resume(core, caller, command)
    case 'backpressure':
      return core.streams.slow(command.stream_id ?? '', session.scope, command.payload)
    case 'human.input.response':
    case 'human.choice.response':
    case 'human.input.cancelled':
    case 'permission.grant':
    case 'permission.deny':
      return core.prompts.answer(command, peer, (owner) => maySee(core, session, owner))
    case 'lease.refresh': {
      const { lease_id: id, requested_seconds: seconds, extension_seconds: other } = command.payload
      const lease = leaseOf(core, session, id)
      const expires = new Date(core.leases.extend(id, seconds ?? other ?? 60)).toISOString()
      const extended = { lease_id: id, expires_at: expires }
      reply('lease.extended', extended, members)
      lease.job.session.emit('lease.extended', extended, { job_id: lease.job.id }, peer)
      return
    }
    case 'lease.revoked': {
      const { id } = leaseOf(core, session, command.payload.lease_id)
      return core.leases.revoke(id, command.payload.reason)
    }
    case 'subscribe':
      return subscribe(core, caller, command)
    case 'unsubscribe': {
      const id = command.payload.subscription_id ?? command.subscription_id ?? ''
      if (!core.subscriptions.close(id, session)) throw new ArcpFault('NOT_FOUND', 'There is no such subscription.')
      return reply('subscribe.closed', { subscription_id: id, reason: 'unsubscribed' }, { subscription_id: id })
    }
    case 'artifact.put': {
      const { media_type: mediaType, data = '', ttl_seconds: ttlSeconds, sha256 } = command.payload
      const content = fromBase64(data)
      if (content === undefined) throw new ArcpFault('INVALID_ARGUMENT', 'The data are not base64.')
      const ref = await core.artifacts.put(session, { content, mediaType, ttlSeconds, sha256 })
      return reply('artifact.ref', ref, members)
    }
    case 'artifact.fetch': {
      const { ref, content } = await core.artifacts.get(command.payload.artifact_id, session.scope)
      const { media_type, artifact_id, size, sha256 } = ref
      const payload = { artifact_id, media_type, size, sha256, encoding: 'base64', data: toBase64(content) }
      return reply('artifact.put', payload, members)
    }
    case 'artifact.release':
      await core.artifacts.release(command.payload.artifact_id, session.scope)
      return acknowledge(core, caller, command.id)
    case 'extension': {
      const { extensions } = core.options
      const isKnown = extensions !== undefined && Object.hasOwn(extensions, command.name)
      const handle = isKnown ? extensions[command.name] : undefined
      if (handle === undefined && command.extensions?.optional === true) return
      if (handle === undefined) throw new ArcpFault('UNIMPLEMENTED', 'This extension is not known here.')
      const principal = principalOf(session.scope)
      await handle(command.payload, { sessionId: session.id, principal })
      return
    }
    default:
      throw new ArcpFault('UNIMPLEMENTED', `${command.type} is nothing that this runtime does.`)
  }
}

/** Refuses a command. @param id of its message. Absent: it has none that could be read */
export function refuseCommand({ reply }: Pick<Caller, 'reply'>, id: string | undefined, fault: ArcpFault): void {
  const members = id === undefined ? {} : { correlation_id: id }
  reply('nack', { ...faultPayload(fault), ack_for: id }, members)
}

function acknowledge(core: RuntimeCore, { reply }: Caller, id: string): void {
  const at = new Date(core.environment.clock.date()).toISOString()
  reply('ack', { ack_for: id, received_at: at }, { correlation_id: id })
}

async function invoke(core: RuntimeCore, caller: Caller, command: CommandOf<'tool.invoke'>): Promise<void> {
  const { session, peer, reply } = caller
  const { job, isNew } = core.jobs.invoke(session, command)
  if (isNew) return
  // Earlier messages of the job went to another connection; the first message here has to name its request.
  const accepted = { job_id: job.id, accepted_at: new Date(core.environment.clock.date()).toISOString() }
  reply('job.accepted', accepted, { job_id: job.id, correlation_id: command.id })
  if (!job.session.peers.has(peer)) return caller.follow(job.session, job.acceptedId)
  if (!isEnded(job.state) || !job.session.isResumable) return
  // The connection was sent the outcome of the job before; a repeated request waits for it.
  await session.settled()
  for (const frame of await job.session.logged(job.acceptedId)) if (messageOf(frame).job_id === job.id) peer.send(frame)
}

function cancel(core: RuntimeCore, { session, reply }: Caller, { id, payload }: CommandOf<'cancel'>): void {
  const { target, target_id: targetId, reason, deadline_ms: limitMs } = payload
  const members = { correlation_id: id }
  const told = { target, target_id: targetId }
  const refuseWith = (why: string): void => reply('cancel.refused', { ...told, reason: why }, members)
  if (target !== 'job') return refuseWith('not_cancellable')
  const job = core.jobs.all.get(targetId)
  if (job === undefined || !maySee(core, session, job.session)) return refuseWith('not_found')
  // A job may have ended before its tool: a client treats an ended job as done.
  if (isEnded(job.state)) return refuseWith(job.hasReturned ? 'already_terminal' : 'not_cancellable')
  reply('cancel.accepted', told, { ...members, job_id: job.id })
  job.end({ type: 'cancel', reason: reason ?? 'The client has cancelled it.', source: 'client', limitMs })
}

/** A session continues on this connection: its missed messages, then new ones (RFC section 19). */
async function resume(core: RuntimeCore, caller: Caller, command: CommandOf<'resume'>): Promise<void> {
  const { session } = caller
  const { after_message_id: after = '', checkpoint_id: checkpoint } = command.payload
  if (checkpoint !== undefined) throw new ArcpFault('UNIMPLEMENTED', 'There are no checkpoints.')
  const old = await core.sessions.find(command.session_id ?? session.id)
  // An anonymous session belongs to who knows its id. Nobody learns which sessions others have.
  const isOwn =
    old !== undefined && (isShared(old.scope, session.scope) || (old.scope.isAnonymous && session.scope.isAnonymous))
  if (!isOwn || !old.isResumable)
    throw new ArcpFault('DATA_LOSS', 'The log of the session is not kept any more, or belongs to somebody else.')
  session.adopt(old.scope)
  core.subscriptions.rescope(session)
  core.subscriptions.restore(old)
  await caller.follow(old, after)
  acknowledge(core, caller, command.id)
}

async function subscribe(core: RuntimeCore, caller: Caller, { id, payload }: CommandOf<'subscribe'>): Promise<void> {
  const { session, peer, reply } = caller
  const { filter, since } = payload
  const sees = (owner: RuntimeSession): boolean => maySee(core, session, owner)
  await assertVisible(core, filter, { session, sees })
  const subscriptionId = core.subscriptions.open({ session, peer, filter, after: since?.after_message_id, sees })
  const members = { subscription_id: subscriptionId, correlation_id: id }
  reply('subscribe.accepted', { subscription_id: subscriptionId }, members)
}

/** @throws ArcpFault NOT_FOUND, also for the leases of others */
function leaseOf(core: RuntimeCore, session: RuntimeSession, id: string): RuntimeLease {
  const lease = core.leases.all.get(id)
  if (lease !== undefined && maySee(core, session, lease.job.session)) return lease
  throw new ArcpFault('NOT_FOUND', 'There is no such lease.')
}

/** Whether a session may see, answer and stop what belongs to another one. */
function maySee(core: RuntimeCore, session: RuntimeSession, owner: RuntimeSession): boolean {
  return isShared(owner.scope, session.scope) || isAllowed(core.options, session, owner)
}

/** Whether the app lets a session see another one, of whom it knows the name alone. */
export function isAllowed({ mayAccess }: ArcpRuntimeOptions, session: RuntimeSession, owner: RuntimeSession): boolean {
  if (!isUnambiguous(session.scope) || !isUnambiguous(owner.scope)) return false
  return mayAccess?.(scopeName(session.scope), scopeName(owner.scope)) === true
}

function assertOwn(core: RuntimeCore, session: RuntimeSession, owner: RuntimeSession): void {
  if (!maySee(core, session, owner)) throw new ArcpFault('NOT_FOUND', 'There is no such job.')
}
