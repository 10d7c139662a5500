import { noop } from '../../base/noop.ts'
import { onAbort } from '../../base/on-abort.ts'
import type { Environment } from '../../base/ports/environment.ts'
import { createCredential } from '../../wire/credential.ts'
import type { AgentProtocol, Batch, Delivery, Opening } from '../../seam/protocol.ts'
import type { ArcpAuth } from './auth.ts'
import { isOfEarlierSession, type Exchange } from './exchange.ts'
import { createArcpError, toArcpError, unreadable } from './errors.ts'
import {
  type ArcpDuplex,
  type ArcpTransport,
  type HandshakeOptions,
  openSession,
  throwRefusal,
  readFrames,
} from './handshake.ts'
import { isLater } from './values/vocabulary.ts'
import type { ActiveSession } from './link.ts'
import { loadOnDemand, loadRareMessages } from './load-on-demand.ts'
import type { ArcpMessage } from './read/message.ts'
import type { ArcpPayload } from './schema/payloads.ts'
import { sendArcpCommand } from './send-command.ts'
import { type ArcpOutgoing, type MessageWriter, frameOf } from './write-message.ts'

/** Waits until what was resumed has come. */
interface ResumeWatch {
  /** Resolves when each resume was answered, or when it has been quiet for a while: one of the published runtimes does not answer. */
  readonly done: Promise<void>
  /** A resume was sent with this id. */
  expect(id: string): void
  /** Something came. */
  heard(): void
  /** A message with this id was answered. */
  answered(id: string | undefined): void
  /** Begins to wait, once all were sent. */
  watch(wait: (ms: number) => Promise<void>, ended: AbortSignal): Promise<void>
}

const QUIET_MS = 250

function createResumeWatch(): ResumeWatch {
  const open = new Set<string>()
  let settle = noop
  let isHeard = false
  const done = new Promise<void>((resolve) => {
    settle = resolve
  })
  return {
    done,
    expect: (id) => void open.add(id),
    heard() {
      isHeard = true
    },
    answered(id) {
      if (id !== undefined && open.delete(id) && open.size === 0) settle()
    },
    async watch(wait, ended) {
      while (open.size > 0 && !ended.aborted) {
        isHeard = false
        await wait(QUIET_MS)
        if (!isHeard) break
      }
      settle()
    },
  }
}

export interface ArcpProtocolOptions {
  readonly transport: ArcpTransport
  readonly auth: ArcpAuth
  readonly client: ArcpPayload<'session.open'>['client']
  readonly capabilities: ArcpPayload<'session.open'>['capabilities']
  /** What outlives a connection: what was read, and what waits for an answer. */
  readonly exchange: Exchange
  readonly writer: MessageWriter
  readonly environment: Environment
  /** Interval of pings in milliseconds. */
  readonly pingMs: number
  /** Longest wait for the session to be accepted, in milliseconds. */
  readonly handshakeMs: number
}

type Batches = AsyncGenerator<Batch<ArcpMessage>, undefined>

/**
 * ARCP 1.0 behind the seam. `open` is one socket with one session, which carries all runs: each of its messages is a delivery whose
 * meaning the exchange knows. `act` sends commands on the open socket, and waits for one.
 */
export function arcpProtocol(options: ArcpProtocolOptions): AgentProtocol<unknown, ArcpMessage> {
  const { transport, auth, exchange, writer, environment, pingMs, handshakeMs } = options
  const { link } = exchange
  const credential = createCredential(auth.scheme === 'none' ? undefined : auth.token)

  async function* run({ signal, wait }: Opening<unknown>): Batches {
    const own = new AbortController()
    const release = onAbort(signal, () => own.abort())
    try {
      const note: HandshakeOptions['note'] = (input) => exchange.note({ type: 'session-moved', input })
      const take: HandshakeOptions['take'] = (message) => void exchange.take(message)
      const opening = openSession({ ...options, credential, note, take }, own.signal)
      const opened = await withinTime(opening, wait, own.signal)
      const { connection, reader, accepted, rest } = opened
      try {
        const places = exchange.resumePoints()
        const cursors = new Map(places.map(({ sessionId, last }) => [sessionId, last]))
        const resumed = createResumeWatch()
        const active = toActive(connection, accepted, own.signal, resumed.done)
        link.activate(active)
        for (const { sessionId, after } of places) resumed.expect(resume(active, sessionId, after))
        void resumed.watch(wait, own.signal)
        void ping(active, wait, own.signal)
        // The agent has answered.
        yield { deliveries: [] }
        // Once more, where it could not be fetched.
        loadRareMessages().catch(noop)
        for (let frames = rest; ;) {
          if (frames.length > 0) {
            resumed.heard()
            const messages = await readFrames(frames, connection.read)
            const deliveries = messages.map((message, at) => deliver(message, cursors, frames[at]?.length ?? 0))
            yield { deliveries }
            for (const { source } of deliveries) if (source !== undefined) react(active, source, resumed)
          }
          const turn = await reader.next()
          if (turn.done === true) return undefined
          frames = turn.value
        }
      } finally {
        connection.close()
      }
    } finally {
      release()
      own.abort()
    }
  }

  function toActive(
    { send, read }: ArcpDuplex,
    { payload }: Extract<ArcpMessage, { type: 'session.accepted' }>,
    ended: AbortSignal,
    resumed: Promise<void>,
  ): ActiveSession {
    const { session_id: sessionId, capabilities } = payload
    return {
      sessionId,
      capabilities,
      takesBounds: read !== undefined,
      resumed,
      followed: new Set([sessionId]),
      ended,
      send: (message: ArcpOutgoing) => send(frameOf({ ...message, session_id: message.session_id ?? sessionId })),
    }
  }

  /** Requests the later messages of a session; returns the id of the request. */
  function resume(active: ActiveSession, sessionId: string, after: string | undefined): string {
    const payload = { ...(after === undefined ? {} : { after_message_id: after }), include_open_streams: true }
    const message = writer.write('resume', payload, { session_id: sessionId })
    exchange.resumes(message.id, sessionId)
    active.followed.add(sessionId)
    active.send(message)
    return message.id
  }

  /** The content of a frame, as a delivery. @param cursors in a resumed session, messages after these are new */
  function deliver(
    message: ArcpMessage | Error,
    cursors: ReadonlyMap<string, string | undefined>,
    bytes: number,
  ): Delivery<ArcpMessage> {
    if (message instanceof Error)
      return { event: { type: 'warning', error: unreadable(message) }, progress: false, bytes }
    const after = cursors.get(message.session_id ?? '')
    const isNew = message.type !== 'ack' && message.type !== 'nack' && isLater(message.id, after)
    return toDelivery(message, isNew, bytes)
  }

  /** What the connection itself does about a message. @throws ArcpError when the session has ended */
  function react(active: ActiveSession, message: ArcpMessage, resumed: ResumeWatch): void {
    if (isOfEarlierSession(message, active.sessionId)) return
    switch (message.type) {
      case 'ack':
      case 'nack':
      case 'tool.error':
        return resumed.answered(message.correlation_id ?? ackFor(message))
      case 'ping': {
        const received = new Date(environment.clock.date()).toISOString()
        const pong = { ack_for: message.id, received_at: received, ...message.payload }
        return active.send(writer.write('pong', pong, { correlation_id: message.id }))
      }
      case 'session.refresh':
        return void refresh(active, message)
      case 'session.evicted':
      case 'session.rejected':
      case 'session.unauthenticated':
        return throwRefusal(message)
      default:
    }
  }

  async function refresh(
    active: ActiveSession,
    message: Extract<ArcpMessage, { type: 'session.refresh' }>,
  ): Promise<void> {
    try {
      const { refreshProof } = await loadOnDemand(() => import('./auth-proofs.ts'))
      const proof = await refreshProof(auth, credential, message)
      if (!active.ended.aborted)
        active.send(writer.write('session.authenticate', proof, { correlation_id: message.id }))
    } catch (error) {
      // The runtime evicts the session at its deadline, which says more.
      environment.report(error)
    }
  }

  /** A connection that is silent is alive as long as it answers. */
  async function ping(active: ActiveSession, wait: Opening<unknown>['wait'], ended: AbortSignal): Promise<void> {
    for (await wait(pingMs); !ended.aborted; await wait(pingMs)) {
      try {
        active.send(writer.write('ping', {}))
      } catch {
        // Readers of the connection are notified.
        return
      }
    }
  }

  async function withinTime<Value>(
    promise: Promise<Value>,
    wait: Opening<unknown>['wait'],
    ended: AbortSignal,
  ): Promise<Value> {
    const late = wait(handshakeMs).then(() => {
      throw createArcpError(ended.aborted ? GIVEN_UP : NO_ANSWER)
    })
    promise.catch(() => undefined)
    late.catch(() => undefined)
    return Promise.race([promise, late])
  }

  // Now, and not when a message needs it: by then the connection may be down, or the files of the app replaced by those of a new version.
  loadRareMessages().catch(noop)

  return {
    name: 'ARCP',
    server: transport.server,
    createError: createArcpError,
    async *open(opening) {
      try {
        yield* run(opening)
      } catch (error) {
        throw toArcpError(error)
      }
    },
    async act(command, { signal }) {
      try {
        return await sendArcpCommand({ exchange, writer, resume, signal }, command)
      } catch (error) {
        throw toArcpError(error)
      }
    },
  }
}

/** A message as the session carries it: what it means is decided where it is taken. */
function toDelivery(message: ArcpMessage, progress: boolean, bytes: number): Delivery<ArcpMessage> {
  const part = { type: 'unknown', name: message.type, raw: message.payload } as const
  return { event: { type: 'part', streamId: '', partId: '', part }, progress, source: message, bytes }
}

function ackFor({ payload }: Extract<ArcpMessage, { type: 'ack' | 'nack' | 'tool.error' }>): string | undefined {
  return 'ack_for' in payload ? payload.ack_for : undefined
}

const GIVEN_UP = {
  kind: 'connection',
  code: 'network_error',
  severity: 'TRANSIENT',
  message: 'The connection was given up.',
} as const

const NO_ANSWER = {
  kind: 'connection',
  code: 'timeout',
  severity: 'TRANSIENT',
  message: 'The agent did not answer session.open in time. An agent that speaks another version of ARCP says nothing.',
} as const
