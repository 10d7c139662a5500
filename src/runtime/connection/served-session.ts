/*
The state machine of this file. A test holds the diagram to the table.

stateDiagram-v2
    [*] --> opening
    state asking {
        opening --> authenticating: open
        authenticating --> challenged: challenge
        challenged --> authenticating: answer
    }
    authenticating --> accepted: accept
    state open {
        accepted --> refreshing: refresh
        refreshing --> accepted: accept
    }
    asking --> rejected: reject
    open --> evicted: evict
    open --> closing: close
*/

import { noop } from '../../base/noop.ts'
import { LONGEST_TIMER_MS } from '../../base/ports/clock.ts'
import type { ArcpPayload } from '../../protocols/arcp/schema/payloads.ts'
import type { ArcpCapabilities } from '../../protocols/arcp/schema/session.ts'
import { ArcpFault, faultPayload, type CommandOf } from '../session/arcp-fault.ts'
import { type ProofChecks, authenticate, checkChallenge } from '../session/authenticate.ts'
import type { ArcpPrincipal } from '../session/scope.ts'
import type { RuntimeCore } from './runtime-core.ts'
import type { Members, Peer, RuntimeSession } from '../session/runtime-session.ts'
import { transitionTable, type TransitionTable } from '../../base/transition-table.ts'

/** Why a session is ended by the runtime. */
export interface ArcpEviction {
  /** @default 'ABORTED' */
  readonly reason?: ArcpPayload<'session.evicted'>['reason'] | undefined
  /** Absent: no details. */
  readonly message?: string | undefined
  /** Whether its jobs continue, and a new session may continue with it. @default false */
  readonly allowResume?: boolean | undefined
}

/** The session of one connection: how it begins, proves itself again, and ends. */
export interface ServedSession {
  /** Undefined before it was accepted. */
  readonly session: RuntimeSession | undefined
  readonly phase: ConnectionPhase
  /** Takes a message about the session. Never rejects. */
  take(command: CommandOf<'session.open' | 'session.authenticate' | 'session.close'>): Promise<void>
  /** Asks for another proof. @param deadlineMs how long it may take */
  refresh(reason: string, deadlineMs: number): void
  evict(eviction: ArcpEviction): void
  /** The connection is gone. */
  leave(): void
}

/** What was opened, and has to answer a challenge. */
interface Opened {
  readonly id: string
  readonly scheme: string
  readonly token: string | undefined
  readonly capabilities: ArcpCapabilities
  /** The last challenge: a refresh has another one. */
  readonly challenge: string
}

export function createServedSession(core: RuntimeCore, peer: Peer): ServedSession {
  const { options, writer, environment, offered } = core
  const { clock } = environment
  const { auth = { none: true }, handshakeMs = 15_000, refreshMs = 60_000 } = options
  const date = (): number => clock.date()
  const checks: ProofChecks = { date, report: environment.report }
  const newChallenge = (): string => `${environment.uuid()}${environment.uuid()}`
  const isChallenged = (scheme: string): boolean =>
    auth.challenge !== undefined && auth.challenge !== false && scheme !== 'none'
  let phase: ConnectionPhase = 'opening'
  let session: RuntimeSession | undefined
  let principal: ArcpPrincipal | undefined
  let opened: Opened | undefined
  let cancelTimer = clock.after(handshakeMs, () => {
    if (session === undefined) reject(new ArcpFault('DEADLINE_EXCEEDED', 'The session was not opened in time.'))
  })

  const move = (input: ConnectionInput): void => {
    phase = CONNECTION_PHASES[phase][input]
  }
  const send = (type: 'session.rejected' | 'session.challenge', payload: object, members: Members): void =>
    peer.send(JSON.stringify(writer.extension(type, payload, members)))

  function reject(fault: ArcpFault): void {
    cancelTimer()
    move('reject')
    send('session.rejected', faultPayload(fault), opened === undefined ? {} : { correlation_id: opened.id })
    peer.close()
  }

  async function open({ id, payload }: CommandOf<'session.open'>): Promise<void> {
    if (phase !== 'opening') {
      if (session === undefined) return reject(again())
      const refusal = { ...faultPayload(again()), ack_for: id }
      return session.reply(peer, 'nack', refusal, { correlation_id: id })
    }
    const { auth: proof, capabilities } = payload
    const challenge = newChallenge()
    opened = { id, scheme: proof.scheme, token: proof.token, capabilities, challenge }
    move('open')
    try {
      const { missing } = negotiate(capabilities, offered)
      if (missing.length > 0 && options.rejectUnsupported === true)
        throw new ArcpFault('UNIMPLEMENTED', `unsupported capabilities: ${missing.join(',')}`)
      if (proof.scheme === 'none' && capabilities.anonymous !== true)
        throw new ArcpFault('UNAUTHENTICATED', 'A session without a name has to ask for the capability anonymous.')
      if (!isChallenged(proof.scheme)) return await accept(opened, await authenticate(auth, proof, checks))
      move('challenge')
      const until = new Date(date() + handshakeMs).toISOString()
      const asked = { challenge_id: writer.id(), challenge, scheme: proof.scheme, expires_at: until }
      send('session.challenge', asked, { correlation_id: id })
    } catch (cause) {
      reject(toFault(cause))
    }
  }

  /** Who the answer to a challenge is of. @param token of the session, which the app's check of the answer does not replace */
  async function answerer(
    { payload }: CommandOf<'session.authenticate'>,
    { scheme, challenge }: Opened,
    token: string | undefined,
  ): Promise<ArcpPrincipal> {
    const response = payload.response ?? payload.token ?? payload.auth?.token ?? ''
    if (scheme !== 'bearer' && scheme !== 'signed_jwt') throw again()
    return checkChallenge(auth, { challenge, response, scheme, token }, checks)
  }

  async function prove(command: CommandOf<'session.authenticate'>): Promise<void> {
    if (phase === 'challenged' && opened !== undefined) {
      move('answer')
      try {
        await accept(opened, await answerer(command, opened, opened.token))
      } catch (cause) {
        reject(toFault(cause))
      }
    } else if (phase === 'refreshing' && session !== undefined && opened !== undefined) {
      try {
        const renewed = await renewedBy(command, opened)
        if (renewed?.id !== principal?.id) throw new ArcpFault('UNAUTHENTICATED', 'The token is of somebody else.')
        principal = renewed
        move('accept')
        expireLater()
        const at = new Date(date()).toISOString()
        session.reply(peer, 'ack', { ack_for: command.id, received_at: at }, { correlation_id: command.id })
      } catch (cause) {
        const { message } = toFault(cause)
        evict({ reason: 'UNAUTHENTICATED', message, allowResume: true })
      }
    }
  }

  /** Who a new proof is of. It is checked as the first one was: a challenge is answered again. */
  function renewedBy(command: CommandOf<'session.authenticate'>, opening: Opened): Promise<ArcpPrincipal | undefined> {
    const { token, response, auth: nested } = command.payload
    const { scheme } = opening
    if (isChallenged(scheme)) return answerer(command, opening, token ?? nested?.token)
    return authenticate(auth, { scheme, token: token ?? response ?? nested?.token }, checks)
  }

  async function accept({ id, capabilities: requested }: Opened, proven: ArcpPrincipal | undefined): Promise<void> {
    const { capabilities } = negotiate(requested, offered)
    const begun = await core.sessions.begin(proven, capabilities).catch((cause: unknown) => {
      environment.report(cause)
      throw new ArcpFault('UNAVAILABLE', 'The log of the session could not be begun.', { retryable: true })
    })
    // The connection may have gone meanwhile.
    if (phase !== 'authenticating') return core.sessions.leave(begun)
    cancelTimer()
    move('accept')
    session = begun
    principal = proven
    begun.join(peer)
    const { kind, version, trustLevel } = options.runtime ?? { kind: 'capstan', version: '1' }
    const runtime = { kind, version, ...(trustLevel === undefined ? {} : { trust_level: trustLevel }) }
    const lease = principal?.expiresAt === undefined ? {} : { lease: { expires_at: isoOf(principal.expiresAt) } }
    const payload = { session_id: begun.id, runtime, capabilities, ...lease }
    begun.reply(peer, 'session.accepted', payload, { correlation_id: id })
    expireLater()
  }

  /** Another proof is asked for before this one has ended. */
  function expireLater(): void {
    cancelTimer()
    const end = principal?.expiresAt
    if (end === undefined) return
    const left = Math.max(0, end - date())
    const ahead = Math.min(refreshMs, left / 2)
    const wait = left - ahead
    if (wait > LONGEST_TIMER_MS) cancelTimer = clock.after(LONGEST_TIMER_MS, expireLater)
    else cancelTimer = clock.after(wait, () => refresh('The token is about to expire.', ahead))
  }

  function refresh(reason: string, deadlineMs: number): void {
    if (phase !== 'accepted' || session === undefined || opened === undefined) return
    move('refresh')
    cancelTimer()
    cancelTimer = clock.after(deadlineMs, () =>
      evict({ reason: 'DEADLINE_EXCEEDED', message: 'No new proof came in time.', allowResume: true }),
    )
    const { scheme } = opened
    const challenge = newChallenge()
    opened = { ...opened, challenge }
    session.reply(peer, 'session.refresh', { reason, deadline_ms: Math.floor(deadlineMs), scheme, challenge })
  }

  function evict({ reason = 'ABORTED', message, allowResume = false }: ArcpEviction): void {
    const evicted = session
    if (evicted === undefined || (phase !== 'accepted' && phase !== 'refreshing')) return
    move('evict')
    cancelTimer()
    void leaveAfter(evicted, { reason, allow_resume: allowResume, ...(message === undefined ? {} : { message }) })
  }

  /** The client learns how those jobs have ended whose tools return at once; the log ends when all have. */
  async function leaveAfter(evicted: RuntimeSession, payload: ArcpPayload<'session.evicted'>): Promise<void> {
    const isKept = payload.allow_resume === true
    const ended = isKept ? undefined : core.jobs.cancelAll(evicted, 'The session was ended.', 'policy')
    await evicted.settled()
    evicted.reply(peer, 'session.evicted', payload)
    await evicted.settled()
    peer.close()
    await ended
    if (!isKept) core.sessions.end(evicted, false)
  }

  async function close({ payload }: CommandOf<'session.close'>): Promise<void> {
    const closed = session
    if (closed === undefined) return
    move('close')
    const isDetached = payload.dispose_jobs === 'detach' || payload.detach_jobs === true
    if (!isDetached) await core.jobs.cancelAll(closed, 'The client has closed the session.', 'client')
    await closed.settled()
    peer.close()
  }

  return {
    get session() {
      return session
    },
    get phase() {
      return phase
    },
    async take(command) {
      if (command.type === 'session.open') return open(command)
      return command.type === 'session.close' ? close(command) : prove(command)
    },
    refresh,
    evict,
    leave() {
      cancelTimer()
      cancelTimer = noop
      move(session === undefined ? 'reject' : 'close')
    },
  }
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}

function toFault(cause: unknown): ArcpFault {
  return cause instanceof ArcpFault ? cause : new ArcpFault('INTERNAL', 'The session could not be opened.', { cause })
}

function again(): ArcpFault {
  return new ArcpFault('FAILED_PRECONDITION', 'A session was opened on this connection already.')
}

/** Where the session of a connection is. The last three are ends. */
type ConnectionPhase =
  | 'opening'
  | 'authenticating'
  | 'challenged'
  | 'accepted'
  | 'refreshing'
  | 'rejected'
  | 'evicted'
  | 'closing'

/** What moves it. */
type ConnectionInput = 'open' | 'challenge' | 'answer' | 'accept' | 'reject' | 'refresh' | 'evict' | 'close'

/** State machine of the session of a connection. */
// oxfmt-ignore
export const CONNECTION_PHASES: TransitionTable<ConnectionPhase, ConnectionInput> = /* @__PURE__ */ transitionTable(
               ['opening',        'authenticating', 'challenged',     'accepted',   'refreshing', 'rejected', 'evicted', 'closing'],
  {
    open:      ['authenticating', '.',              '.',              '.',          '.',          '.',        '.',       '.'],
    challenge: ['.',              'challenged',     '.',              '.',          '.',          '.',        '.',       '.'],
    answer:    ['.',              '.',              'authenticating', '.',          '.',          '.',        '.',       '.'],
    accept:    ['.',              'accepted',       '.',              '.',          'accepted',   '.',        '.',       '.'],
    reject:    ['rejected',       'rejected',       'rejected',       '.',          '.',          '.',        '.',       '.'],
    refresh:   ['.',              '.',              '.',              'refreshing', '.',          '.',        '.',       '.'],
    evict:     ['.',              '.',              '.',              'evicted',    'evicted',    '.',        '.',       '.'],
    close:     ['.',              '.',              '.',              'closing',    'closing',    '.',        '.',       '.'],
  },
)

/** The capabilities that a side has or has not. */
const FLAGS = [
  'streaming',
  'durable_jobs',
  'checkpoints',
  'binary_streams',
  'agent_handoff',
  'human_input',
  'artifacts',
  'subscriptions',
  'scheduled_jobs',
  'interrupt',
  'anonymous',
] as const

interface Negotiated {
  readonly capabilities: ArcpCapabilities
  /** What the client asked for and the runtime has not. */
  readonly missing: readonly string[]
}

/**
 * What both sides can do (RFC section 7): a flag needs both, the shorter heartbeat holds, lists are what both have. Of what only the
 * runtime has a number for, its number is sent.
 */
function negotiate(requested: ArcpCapabilities, offered: ArcpCapabilities): Negotiated {
  const flags = Object.fromEntries(FLAGS.map((flag) => [flag, requested[flag] === true && offered[flag] === true]))
  const intervals = [requested.heartbeat_interval_seconds, offered.heartbeat_interval_seconds].filter(
    (seconds): seconds is number => seconds !== undefined && seconds > 0,
  )
  const { artifact_retention: retention, heartbeat_recovery: recovery } = offered
  return {
    capabilities: {
      ...flags,
      binary_encoding: shared(requested.binary_encoding ?? ['base64'], offered.binary_encoding),
      extensions: shared(requested.extensions, offered.extensions),
      ...(intervals.length === 0 ? {} : { heartbeat_interval_seconds: Math.min(...intervals) }),
      ...(recovery === undefined ? {} : { heartbeat_recovery: recovery }),
      ...(retention === undefined ? {} : { artifact_retention: retention }),
    },
    missing: FLAGS.filter((flag) => requested[flag] === true && offered[flag] !== true),
  }
}

function shared(requested: readonly string[] = [], offered: readonly string[] = []): string[] {
  return offered.filter((each) => requested.includes(each))
}
