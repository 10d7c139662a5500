import { byteLength } from '../../wire/byte-length.ts'
import { PARTIAL_BATCH } from '../../wire/partial-batch.ts'
import type { EventsAnswer, Transport, TransportAnswer } from '../../wire/transport.ts'
import type { AgentProtocol, Batch, Cursor, Delivery } from '../protocol.ts'
import type { Credential } from '../../wire/credential.ts'
import { createCredential } from '../../wire/credential.ts'
import type { CapEndpointOptions } from './endpoint.ts'
import { resolveHeaders, resolveUrls } from './endpoint.ts'
import type { CapError } from './errors.ts'
import { createCapError, toCapError } from './errors.ts'
import { FIRST_SEQ, ONLY_STREAM, toDelivery } from './events.ts'
import { isRefusal, toContentTypeError, toHttpError } from './http-errors.ts'
import { conversationIdFault } from './conversation-id.ts'
import { withUrl } from './error-url.ts'
import { readServiceResponse, toResponseDeliveries } from './json-answer.ts'
import type { CapDialect, OlderServerOptions } from './older-server.ts'
import { resolveOlderServer } from './older-server.ts'
import { PacketFault, readPacket } from './read/read-packet.ts'
import type { ServiceRequestInput } from './schema/request.ts'
import { stringifyWellFormed } from '../../base/well-formed-json.ts'
import type { CapPacket } from './read/wire-packet.ts'

/**
 * How to take data that breaks the protocol. `strict` (RFC 004, the default) fails the run with a typed
 * error; `tolerant` leaves the packet out with a diagnostic and wraps unstructured errors.
 */
export type CapMode = 'strict' | 'tolerant'

export interface CapProtocolOptions extends CapEndpointOptions, OlderServerOptions {
  readonly transport: Transport
  readonly mode?: CapMode | undefined
  /** Keys shared with other calls, in place of `apiKey`. */
  readonly credential?: Credential | undefined
}

const HEADER_SAFE = /^[\u0020-\u007e]*$/
/** The stream of an unnumbered answer that begins again, so that it is another one than before. */
const NEXT_STREAM = 'stream-again'

const NOT_LOADED = {
  kind: 'connection',
  code: 'network_error',
  severity: 'TRANSIENT',
  message: 'The module that writes requests for older servers could not be loaded.',
} as const

const BROKEN_OFF = {
  kind: 'connection',
  code: 'truncated',
  severity: 'FATAL',
  message: 'The connection ended before the agent had finished, and an answer without packet numbers cannot be resumed.',
} as const

const isNumbered = ({ seq }: Cursor): boolean => seq !== undefined

/** What writes it is loaded by those clients alone that ask an older server. */
async function inDialect(body: string, dialect: Exclude<CapDialect, 'G1'>): Promise<string> {
  const { writeOlderRequest } = await import('./older-request.ts').catch((cause: unknown) => {
    throw createCapError({ ...NOT_LOADED, cause })
  })
  return writeOlderRequest(body, dialect)
}

/** CAP behind the seam: one POST, its packets as neutral events (cap.md sections 1, 4, 5). */
export function capProtocol(options: CapProtocolOptions): AgentProtocol<ServiceRequestInput, CapPacket> {
  const { transport, mode = 'strict' } = options
  const { dialect, restarts } = resolveOlderServer(options)
  const urls = resolveUrls(options)
  const credential = options.credential ?? createCredential(options.apiKey)
  /** Of the newest run of each request object: the same bytes on every attempt, whatever happens to the object in between. */
  const bodies = new WeakMap<ServiceRequestInput, string>()

  async function bodyOf(request: ServiceRequestInput, attempt: number): Promise<string> {
    let body = attempt > 0 ? bodies.get(request) : undefined
    if (body === undefined) {
      body = stringifyWellFormed(request)
      if (dialect !== 'G1') body = await inDialect(body, dialect)
      bodies.set(request, body)
    }
    return body
  }

  /** Without numbers a repeated answer cannot be told from a new one: asked for again, it has to begin anew as a whole. */
  const canResume = (cursors: readonly Cursor[]): boolean => cursors.every(isNumbered) || (restarts && !cursors.some(isNumbered))

  /** One POST; a second one only when the key was refused and there is another (the server has done nothing yet). */
  async function post(body: string, own: Readonly<Record<string, string>>, signal: AbortSignal): Promise<TransportAnswer> {
    const send = async (key: string | undefined): Promise<TransportAnswer> => {
      const headers = { ...(await resolveHeaders(options.headers, key)), ...own }
      return transport.send({ url: urls.assist, method: 'POST', headers, body, signal })
    }
    const key = await credential.get()
    const answer = await send(key)
    if (answer.kind !== 'body' || answer.status !== 401 || key === undefined) return answer
    const fresh = await credential.renew(key)
    if (fresh === undefined) return answer
    await answer.text({ maxBytes: 0, truncate: true })
    return send(fresh)
  }

  return {
    name: 'CAP',
    server: URL.canParse(urls.assist) ? new URL(urls.assist).origin : '',
    createError: createCapError,
    conversationIdFault,
    firstSeq: FIRST_SEQ,
    canResume,
    async *open({ request, requestId, attempt, cursors, lastEventId, signal }) {
      try {
        // Somebody resumes a run that was left: the session has not asked.
        if (!canResume(cursors)) throw createCapError(BROKEN_OFF)
        const again = !cursors.every(isNumbered)
        const stream = cursors.some(({ streamId }) => streamId === ONLY_STREAM) ? NEXT_STREAM : ONLY_STREAM
        const own = {
          'content-type': 'application/json',
          accept: 'text/event-stream, application/json',
          'x-request-id': requestId,
          // A server that read it would leave out what came before.
          ...(!again && lastEventId !== undefined && lastEventId !== '' && HEADER_SAFE.test(lastEventId) ? { 'last-event-id': lastEventId } : {}),
        }
        const answer = await post(await bodyOf(request, attempt), own, signal)
        if (answer.kind === 'body' && isRefusal(answer.status)) throw await toHttpError(answer)
        if (answer.kind === 'body' && answer.contentType !== 'application/json') throw await toContentTypeError(answer)
        yield { deliveries: [] }
        if (answer.kind === 'body') {
          const deliveries = toResponseDeliveries(await readServiceResponse(answer, requestId))
          // A whole answer after a part of one: a stream of its own, so that the part does not stay beside it.
          yield { deliveries: cursors.length === 0 ? deliveries : deliveries.map((delivery) => ({ ...delivery, cursor: { streamId: 'response' } })) }
        } else yield* readPackets(answer, mode, stream, again)
      } catch (error) {
        throw withUrl(toCapError(error), urls.assist)
      }
    },
  }
}

/**
 * @param stream the name of the stream of packets that name none
 * @param again the agent was asked once more for an answer without numbers. What it repeats proves nothing: it does not reset the retry counter
 */
async function* readPackets(answer: EventsAnswer, mode: CapMode, stream: string, again: boolean): AsyncGenerator<Batch<CapPacket>> {
  let ordinal = 0
  let last: CapPacket | undefined
  for await (const frames of answer.batches) {
    const deliveries: Delivery<CapPacket>[] = []
    let fault: CapError | undefined
    for (const frame of frames) {
      ordinal += 1
      try {
        last = readPacket(frame.data, mode)
        // The models admit it, but no cursor can begin before its first packet (section 7, row 6).
        if (last.seq !== undefined && last.seq < 0) throw new PacketFault('invalid_packet', `The packet has seq ${last.seq}; numbers begin at 0 or 1.`, frame.data)
        const delivery = toDelivery(last, ordinal, byteLength(frame.data), stream)
        deliveries.push(again && last.seq === undefined ? { ...delivery, progress: false } : delivery)
      } catch (error) {
        if (!(error instanceof PacketFault)) throw error
        const typed = createCapError({ kind: 'protocol', code: error.code, severity: 'FATAL', message: error.message, details: { raw: error.raw } })
        if (mode === 'strict') {
          fault = typed
          break
        }
        deliveries.push({ event: { type: 'diagnostic', diagnostic: { kind: 'skipped-packet', error: typed, raw: error.raw } }, progress: false, bytes: byteLength(frame.data) })
      }
    }
    // What was good before the bad packet still counts.
    if (fault === undefined || deliveries.length > 0) yield { deliveries, lastEventId: frames.at(-1)?.id || last?.stream_id, partial: frames === PARTIAL_BATCH }
    if (fault !== undefined) throw fault
  }
  // These generations have no CLOSE: the end of the line is the end of the run (section 7, row 16).
  if (last?.generation === 'G2s' || last?.generation === 'G0') yield { deliveries: [{ event: { type: 'run-finished' }, progress: true }] }
}
