import type { Credential } from '../../wire/credential.ts'
import type { DuplexConnect, DuplexConnection, DuplexTransport } from '../../wire/duplex-transport.ts'
import { type ArcpAuth, openingProof } from './auth.ts'
import { createArcpError, isRetryable, toProtocolError } from './errors.ts'
import type { SessionInput } from './fold/arcp-state.ts'
import { loadOnDemand, loadRareMessages } from './load-on-demand.ts'
import { type ArcpMessage, isRare, readMessage } from './read/message.ts'
import type { ArcpPayload } from './schema/payloads.ts'
import { type MessageWriter, frameOf } from './write-message.ts'
import { parseBoundedJson } from '../../base/bounded-json.ts'

/** A connection whose frames may be read by a dialect of the protocol. */
export interface ArcpDuplex extends DuplexConnection {
  /** The message that a frame is. Absent: it is one of version 1.0. @throws ValidationError */
  readonly read?: ((frame: string) => ArcpMessage) | undefined
}

/** What carries the frames, and may translate them. */
export interface ArcpTransport extends Pick<DuplexTransport, 'server'> {
  connect(options: DuplexConnect): Promise<ArcpDuplex>
}

/** What a session is opened with. */
export interface HandshakeOptions {
  readonly transport: ArcpTransport
  readonly auth: ArcpAuth
  readonly credential: Credential
  readonly client: ArcpPayload<'session.open'>['client']
  readonly capabilities: ArcpPayload<'session.open'>['capabilities']
  readonly writer: MessageWriter
  /** Called with messages sent before the session is accepted. */
  note(input: SessionInput): void
  /** Called with messages received before that. */
  take(message: ArcpMessage): void
}

/** A connection with a session. */
export interface OpenedSession {
  readonly connection: ArcpDuplex
  /** Reads on where the handshake ended. */
  readonly reader: AsyncIterator<readonly string[]>
  readonly accepted: Extract<ArcpMessage, { type: 'session.accepted' }>
  /** Frames that came in the same batch. */
  readonly rest: readonly string[]
}

const NOT_ANSWERED = {
  kind: 'connection',
  code: 'truncated',
  severity: 'TRANSIENT',
  message: 'The connection ended before the agent had accepted the session.',
} as const

/**
 * Connects and opens a session, with a challenge where the runtime has one. A token that is refused is renewed, once, on another
 * connection: the one before is closed first.
 */
export async function openSession(options: HandshakeOptions, signal: AbortSignal): Promise<OpenedSession> {
  const { auth, credential } = options
  const proof = await openingProof(auth, credential)
  try {
    return await shakeHands(options, proof, signal)
  } catch (error) {
    const { token } = proof
    const isRefused = error instanceof Error && Reflect.get(error, 'agentCode') === 'UNAUTHENTICATED'
    const renewed = isRefused && token !== undefined ? await credential.renew(token) : undefined
    if (renewed === undefined || signal.aborted) throw error
    return shakeHands(options, { ...proof, token: renewed }, signal)
  }
}

async function shakeHands(
  { transport, auth, credential, client, capabilities, writer, note, take }: HandshakeOptions,
  proof: ArcpPayload<'session.open'>['auth'],
  signal: AbortSignal,
): Promise<OpenedSession> {
  const connection = await transport.connect({ signal })
  const reader = connection.frames[Symbol.asyncIterator]()
  try {
    const anonymous = auth.scheme === 'none' ? { anonymous: true } : {}
    const open = writer.write('session.open', { auth: proof, client, capabilities: { ...capabilities, ...anonymous } })
    note('session.open')
    connection.send(frameOf(open))
    for (let turn = await reader.next(); turn.done !== true; turn = await reader.next()) {
      for (const [at, message] of (await readFrames(turn.value, connection.read)).entries()) {
        // Nothing can be left out here: what is not read may be the answer.
        if (message instanceof Error) throw message
        take(message)
        if (message.type === 'session.accepted')
          return { connection, reader, accepted: message, rest: turn.value.slice(at + 1) }
        if (message.type === 'session.challenge') {
          // Few runtimes ask for more than a token.
          const { challengeProof } = await loadOnDemand(() => import('./auth-proofs.ts'))
          const answer = await challengeProof(auth, credential, message)
          note('session.authenticate')
          connection.send(frameOf(writer.write('session.authenticate', answer, { correlation_id: message.id })))
        } else throwRefusal(message)
      }
    }
    throw createArcpError(NOT_ANSWERED)
  } catch (error) {
    connection.close()
    throw error
  }
}

/** @throws ArcpError for a message that ends the session */
export function throwRefusal(message: ArcpMessage): void {
  switch (message.type) {
    case 'session.rejected':
    case 'nack': {
      const { payload } = message
      const isLater = isRetryable(payload) && payload.code !== 'UNAUTHENTICATED'
      throw toProtocolError(payload, isLater ? 'TRANSIENT' : 'FATAL')
    }
    case 'session.unauthenticated':
      throw toProtocolError({ code: 'UNAUTHENTICATED', message: message.payload.reason })
    case 'session.evicted': {
      const { reason: code, message: why, allow_resume: mayResume } = message.payload
      throw toProtocolError({ code, message: why ?? EVICTED }, mayResume === true ? 'TRANSIENT' : 'FATAL')
    }
    default:
  }
}

const EVICTED = 'The agent has ended the session.'

/**
 * Reads text frames in order: each is a message, or the reason why it is none. What reads rare types is loaded with the first of them.
 *
 * @param readOne how a dialect reads a frame. Absent: as ARCP 1.0
 * @throws ArcpError `network_error` when it could not be loaded: none of the frames was read
 */
export async function readFrames(
  frames: readonly string[],
  readOne?: (frame: string) => ArcpMessage,
): Promise<readonly (ArcpMessage | Error)[]> {
  if (readOne !== undefined) return frames.map((frame) => valueOrError(() => readOne(frame)))
  const values = frames.map((frame) => valueOrError(() => parseBoundedJson(frame)))
  const rare = values.some(isRare) ? await loadRareMessages() : undefined
  return values.map((value) => (value instanceof Error ? value : valueOrError(() => readMessage(value, rare?.readers))))
}

function valueOrError<Value>(read: () => Value): Value | Error {
  try {
    return read()
  } catch (error) {
    if (error instanceof Error) return error
    throw error
  }
}
