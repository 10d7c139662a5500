import { byteLength } from '../../wire/byte-length.ts'
import { PARTIAL_BATCH } from '../../wire/partial-batch.ts'
import type { EventsAnswer, Transport, TransportAnswer } from '../../wire/transport.ts'
import type { AgentProtocol, Batch, Delivery } from '../protocol.ts'
import type { Credential } from './cap-credential.ts'
import { createCredential } from './cap-credential.ts'
import type { CapEndpointOptions } from './cap-endpoint.ts'
import { resolveHeaders, resolveUrls } from './cap-endpoint.ts'
import type { CapError } from './cap-error.ts'
import { createCapError, toCapError } from './cap-error.ts'
import { FIRST_SEQ, toDelivery } from './cap-events.ts'
import { isRefusal, toContentTypeError, toHttpError } from './cap-http.ts'
import { conversationIdFault } from './conversation-id.ts'
import { withUrl } from './error-url.ts'
import { readServiceResponse, toResponseDeliveries } from './cap-response.ts'
import { PacketFault, readPacket } from './read-packet.ts'
import type { ServiceRequestInput } from './request.ts'
import { stringifyWellFormed } from './well-formed-json.ts'
import type { CapPacket } from './wire-packet.ts'

/**
 * How to take data that breaks the protocol. `strict` (RFC 004, the default) fails the run with a typed
 * error; `tolerant` leaves the packet out with a diagnostic and wraps unstructured errors.
 */
export type CapMode = 'strict' | 'tolerant'

export interface CapProtocolOptions extends CapEndpointOptions {
  readonly transport: Transport
  readonly mode?: CapMode | undefined
  /** Keys shared with other calls, in place of `apiKey`. */
  readonly credential?: Credential | undefined
}

const HEADER_SAFE = /^[\u0020-\u007e]*$/

/** CAP behind the seam: one POST, its packets as neutral events (cap.md sections 1, 4, 5). */
export function capProtocol(options: CapProtocolOptions): AgentProtocol<ServiceRequestInput, CapPacket> {
  const { transport, mode = 'strict' } = options
  const urls = resolveUrls(options)
  const credential = options.credential ?? createCredential(options.apiKey)
  /** Of the newest run of each request object: the same bytes on every attempt, whatever happens to the object in between. */
  const bodies = new WeakMap<ServiceRequestInput, string>()

  function bodyOf(request: ServiceRequestInput, attempt: number): string {
    const body = (attempt > 0 ? bodies.get(request) : undefined) ?? stringifyWellFormed(request)
    bodies.set(request, body)
    return body
  }

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
    // Without numbers a repeated answer cannot be told from a new one.
    canResume: (cursors) => cursors.every((cursor) => cursor.seq !== undefined),
    async *open({ request, requestId, attempt, lastEventId, signal }) {
      try {
        const own = {
          'content-type': 'application/json',
          accept: 'text/event-stream, application/json',
          'x-request-id': requestId,
          ...(lastEventId !== undefined && lastEventId !== '' && HEADER_SAFE.test(lastEventId) ? { 'last-event-id': lastEventId } : {}),
        }
        const answer = await post(bodyOf(request, attempt), own, signal)
        if (answer.kind === 'body' && isRefusal(answer.status)) throw await toHttpError(answer)
        if (answer.kind === 'body' && answer.contentType !== 'application/json') throw await toContentTypeError(answer)
        yield { deliveries: [] }
        if (answer.kind === 'body') yield { deliveries: toResponseDeliveries(await readServiceResponse(answer, requestId)) }
        else yield* readPackets(answer, mode)
      } catch (error) {
        throw withUrl(toCapError(error), urls.assist)
      }
    },
  }
}

async function* readPackets(answer: EventsAnswer, mode: CapMode): AsyncGenerator<Batch<CapPacket>> {
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
        deliveries.push(toDelivery(last, ordinal, byteLength(frame.data)))
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
