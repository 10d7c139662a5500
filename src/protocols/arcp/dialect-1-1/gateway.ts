import type { Environment } from '../../../base/ports/environment.ts'
import { type JsonObject, isJsonObject } from '../../../base/json-object.ts'
import { stringifyWellFormed } from '../../../base/bounded-json.ts'
import type { DuplexConnect, DuplexConnection, DuplexTransport } from '../../../wire/duplex-transport.ts'
import { createFrameQueue } from '../../../wire/frame-queue.ts'
import { toArcpError } from '../errors.ts'
import type { ArcpDuplex, ArcpTransport } from '../handshake.ts'
import { loadRareMessages } from '../load-on-demand.ts'
import { ValidationError } from '../../../base/format/validation-error.ts'
import type { ArcpMessage } from '../read/message.ts'
import type { ArcpErrorPayload, ArcpPayload } from '../schema/payloads.ts'
import type { ArcpOutgoing } from '../write-message.ts'
import { checkResumedJobs } from './connection/follow-job.ts'
import { keepAlive, type OpenGatewayConnection, createGatewayConnection } from './connection/gateway-connection.ts'
import { sendMessage } from './connection/send-message.ts'
import { takeFrame } from './connection/take-frame.ts'
import { said, toMessage } from './connection/translate-event.ts'
import { createDialectMemory, type ResumableSession } from './connection/job-record.ts'
import { type Frame, readDialectFrame } from './frame/read-frame.ts'
import type { FramePayload } from './frame/frame-schemas.ts'

/** The next item for the client: a message or a read error, with the last event number before it. */
interface Told {
  readonly message: ArcpMessage | Error
  readonly seq: number
}

/**
 * A runtime of ARCP 1.1 as one of ARCP 1.0: a transport whose connections translate. It remembers sessions and jobs over connections, so
 * that the events of a job are read on where a connection was cut. One per client.
 */
export function createGateway(transport: DuplexTransport, environment: Environment): ArcpTransport {
  const memory = createDialectMemory()

  async function connect({ signal }: DuplexConnect): Promise<ArcpDuplex> {
    // What it makes of frames are messages of any type.
    await loadRareMessages()
    const told = new Map<string, Told>()
    const queue = createFrameQueue({ maxBufferedLength: MAX_WAITING, onClosed: close })
    let inner = await transport.connect({ signal })
    let gateway: OpenGatewayConnection | undefined
    let opening: ArcpOutgoing | undefined
    let count = 0
    let isClosed = false
    const seen = new Set<string>()

    /** Whether a message came before. Those that are counted are known by their number. */
    function isRepeated({ id, event_seq: seq }: Frame): boolean {
      if (seq !== undefined) return false
      if (seen.has(id)) return true
      const [oldest] = seen.add(id).size > KEPT_IDS ? seen : []
      if (oldest !== undefined) seen.delete(oldest)
      return false
    }

    function out(message: ArcpMessage | Error): void {
      const key = String(++count)
      told.set(key, { message, seq: memory.session?.lastSeq ?? -1 })
      queue.push(key)
    }

    function tellAlone(...[type, payload]: Parameters<typeof said>): void {
      out(
        toMessage(said(type, payload), {
          id: memory.nextId(),
          timestamp: new Date(environment.clock.date()).toISOString(),
        }),
      )
    }

    function open(message: ArcpOutgoing): void {
      opening = message
      // What the client writes is an object.
      const payload = message.payload as JsonObject
      const hello = helloOf(payload, memory.session)
      if (hello === undefined) return tellAlone('session.rejected', NO_TOKEN)
      inner.send(
        stringifyWellFormed({ arcp: '1.1', id: `msg_${environment.uuid()}`, type: 'session.hello', payload: hello }),
      )
    }

    /** A frame before the session has begun. True: another connection is needed. */
    function greet(frame: Frame): boolean {
      if (frame.type === 'session.error') {
        const isResume = memory.session !== undefined
        if (isResume && isRefusedForGood(frame.payload)) {
          memory.session = undefined
          return true
        }
        tellAlone('session.rejected', frame.payload)
      }
      if (frame.type !== 'session.welcome' || frame.session_id === undefined) return false
      const { payload, session_id: id } = frame
      const known =
        memory.session?.id === id ? memory.session : { id, token: undefined, lastSeq: -1, gapAfter: undefined }
      known.token = payload.resume_token
      memory.session = known
      const features = new Set(payload.capabilities?.features)
      const sendFrame = (text: string): void => inner.send(text)
      gateway = createGatewayConnection({ memory, session: known, features, environment, out, fault: out, sendFrame })
      tellAlone('session.accepted', acceptedOf(id, payload))
      checkResumedJobs(gateway)
      keepAlive(gateway, payload.heartbeat_interval_sec)
      return false
    }

    async function pump(connection: DuplexConnection): Promise<void> {
      for await (const batch of connection.frames)
        for (const text of batch) {
          if (isClosed) return
          const frame = readOf(text)
          if (frame === undefined || isRepeated(frame)) continue
          if (gateway !== undefined) takeFrame(gateway, frame)
          else if (greet(frame)) return again()
        }
      queue.end()
    }

    /** The session cannot be resumed: a new one is opened, on its own connection. */
    async function again(): Promise<void> {
      inner.close()
      const next = await transport.connect({ signal })
      inner = next
      if (isClosed) return next.close()
      if (opening !== undefined) open(opening)
      return pump(next)
    }

    function readOf(text: string): Frame | undefined {
      try {
        return readDialectFrame(text)
      } catch (error) {
        out(error instanceof Error ? error : new ValidationError('a frame could not be read'))
        return undefined
      }
    }

    function close(): void {
      isClosed = true
      gateway?.end()
      inner.close()
    }

    function fail(error: unknown): void {
      queue.fail(toArcpError(error))
      gateway?.end()
      inner.close()
    }

    void pump(inner).then(() => gateway?.end(), fail)

    return {
      frames: queue.frames,
      get buffered() {
        return inner.buffered
      },
      send(text) {
        const message = messageOf(text)
        if (message.type === 'session.open') open(message)
        else if (gateway !== undefined) sendMessage(gateway, message)
      },
      read(key) {
        const { message, seq } = told.get(key) ?? NOTHING
        told.delete(key)
        gateway?.taken(seq)
        if (message instanceof Error) throw message
        return message
      },
      close() {
        queue.drop()
        close()
      },
    }
  }

  return { server: transport.server, connect }
}

/** What the client itself has written. */
function messageOf(text: string): ArcpOutgoing {
  const message: unknown = JSON.parse(text)
  if (!isJsonObject(message)) throw new ValidationError('a message must be an object')
  // It was written by `frameOf`.
  return message as unknown as ArcpOutgoing
}

/** Ids that are remembered: what is repeated is repeated soon. */
const KEPT_IDS = 1_000

/** Characters of keys that wait: some 300,000 messages, beyond which the connection is closed and resumed. */
const MAX_WAITING = 2_000_000

const NOTHING: Told = { message: new ValidationError('a frame was read twice'), seq: -1 }

const NO_TOKEN: ArcpErrorPayload = {
  code: 'UNAUTHENTICATED',
  message: 'ARCP 1.1 knows bearer tokens alone: give the client one as `auth`.',
  retryable: false,
}

/** What is asked of a runtime, where the app does not say. No credentials: nothing here would use them. */
const FEATURES = [
  'heartbeat',
  'ack',
  'list_jobs',
  'subscribe',
  'lease_expires_at',
  'cost.budget',
  'model.use',
  'progress',
  'result_chunk',
  'agent_versions',
]

/** The hello that opens a session, or resumes one, made of `session.open`; undefined where it has no bearer token. */
function helloOf(
  { auth, client, capabilities }: JsonObject,
  session: ResumableSession | undefined,
): FramePayload<'session.hello'> | undefined {
  if (!isJsonObject(auth) || auth.scheme !== 'bearer' || typeof auth.token !== 'string' || auth.token === '')
    return undefined
  const { kind, version, principal } = isJsonObject(client) ? client : {}
  const asked = isJsonObject(capabilities) ? capabilities.features : undefined
  const features = Array.isArray(asked) ? asked.filter((each) => typeof each === 'string') : FEATURES
  return {
    client: {
      name: textOf(kind) ?? 'capstan',
      version: textOf(version) ?? '1',
      principal: textOf(principal),
      fingerprint: undefined,
    },
    auth: { scheme: 'bearer', token: auth.token },
    capabilities: { encodings: ['json'], features, agents: undefined },
    resume: session?.token === undefined ? undefined : resumeOf(session, session.token),
  }
}

/** One event is asked for again: a runtime that has nothing to say again takes the session to be gone. */
function resumeOf({ id, lastSeq }: ResumableSession, token: string): FramePayload<'session.hello'>['resume'] {
  return { session_id: id, resume_token: token, last_event_seq: Math.max(0, lastSeq - 1) }
}

/** What a session can do, in the words of ARCP 1.0; features and agents stay as they are. What version 1.1 lacks is absent. */
function acceptedOf(
  id: string,
  {
    runtime,
    capabilities = { encodings: undefined, features: undefined, agents: undefined },
  }: FramePayload<'session.welcome'>,
): ArcpPayload<'session.accepted'> {
  const { name: kind, version, fingerprint } = runtime
  const can = { streaming: true, subscriptions: capabilities.features?.includes('subscribe') === true }
  return {
    session_id: id,
    runtime: { kind, version, fingerprint, trust_level: undefined },
    capabilities: { ...capabilities, ...can },
    lease: undefined,
  }
}

/** Whether a session cannot be resumed, and a new one may be opened: not where the client itself is refused, and not for a while. */
function isRefusedForGood({ code, retryable }: ArcpErrorPayload): boolean {
  return code !== 'UNAUTHENTICATED' && retryable !== true
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
