import { frameBytes } from '../../wire/sse-decoder.ts'
import { PARTIAL_BATCH } from '../../wire/fetch-transport.ts'
import type { EventsAnswer } from '../../wire/transport.ts'
import type { Batch, Delivery } from '../../seam/protocol.ts'
import { CapError, createCapError } from './errors.ts'
import {
  usualEvent,
  PacketFault,
  readPlainDelta,
  parsePacket,
  readUsual,
  type CapPacket,
  type ReadingMode,
} from './read/usual-packet.ts'
import type { CapHandle } from './handle.ts'
import { loadOnDemand, type RarePackets, loadRarePackets } from './load-on-demand.ts'
import type { ServiceRequestInput } from './schema/request.ts'
import type { StateFold } from './state-fold.ts'

/** Types of events that say something of the shared state. */
const STATE = /^STATE_/

/** What is remembered of a run. Undefined: nothing. */
export function handleOf(
  control: readonly string[] | undefined,
  lastEventId: string | undefined,
  shared: unknown,
): CapHandle | undefined {
  return control === undefined && lastEventId === undefined ? undefined : { lastEventId, control, shared }
}

/** How the packets of an answer are read. */
export interface PacketReading {
  readonly mode: ReadingMode
  /** The name of the stream of packets that name none. */
  readonly stream: string
  /** The agent was asked once more for an answer without numbers. What it repeats proves nothing: it does not reset the retry counter. */
  readonly again: boolean
  readonly control: readonly string[] | undefined
  /** That of the connection before. */
  readonly lastEventId: string | undefined
  /** Epoch milliseconds. */
  readonly now: number
  readonly request: ServiceRequestInput
  /** The shared state from earlier connections. */
  readonly shared: unknown
  /** Of a request that takes an edit of the state along. */
  readonly fold: StateFold | undefined
}

/** What reads the shared state is loaded with the first event of it, or for the first edit: most agents send none. */
export async function foldOf(request: ServiceRequestInput, shared: unknown): Promise<StateFold> {
  return (await loadOnDemand(() => import('./state-fold.ts'))).createStateFold(request, shared)
}

/** The packets of an answer, in the batches in which they came. @throws CapError */
export async function* readPackets(
  answer: EventsAnswer,
  { mode, stream, again, control, lastEventId, now, request, shared, fold: edited }: PacketReading,
): AsyncGenerator<Batch<CapPacket>> {
  const ahead = now - Date.parse(answer.headers.get('date') ?? '') || 0
  let ordinal = 0
  let last: CapPacket | undefined
  let lastId = lastEventId
  let fold = edited
  /** Kept once it is there: a wait for every packet that needs it takes longer than reading it. */
  let rare: RarePackets | undefined
  for await (const frames of answer.batches) {
    const deliveries: Delivery<CapPacket>[] = []
    let fault: CapError | undefined
    for (const frame of frames) {
      ordinal += 1
      try {
        let packet: CapPacket | undefined = readPlainDelta(frame.data)
        if (packet === undefined) {
          const sent = parsePacket(frame.data)
          packet = readUsual(sent) ?? (rare ??= await loadRarePackets()).readRare(sent, mode, frame.data)
        }
        last = packet
        // The models admit it, but no cursor can begin before its first packet (section 7, row 6).
        if (last.seq !== undefined && last.seq < 0)
          throw new PacketFault(
            'invalid_packet',
            `The packet has seq ${last.seq}; numbers begin at 0 or 1.`,
            frame.data,
          )
        const streamId = last.stream_id ?? stream
        if (last.op === 'EVENT' && STATE.test(String(last.p.type))) fold ??= await foldOf(request, shared)
        const event =
          last.op === 'EVENT' || last.op === 'ERROR'
            ? (rare ??= await loadRarePackets()).toEvent(last, { streamId, ordinal, ahead })
            : usualEvent(last, streamId)
        const read: Delivery<CapPacket> = {
          event,
          cursor: { streamId, seq: last.seq },
          // An error that only asks to come back proves nothing works: it must not reset the retry counter.
          progress: event.type !== 'stream-interrupted',
          source: last,
          bytes: frameBytes(frame),
        }
        const delivery = fold?.take(last, read) ?? read
        deliveries.push(again && last.seq === undefined ? { ...delivery, progress: false } : delivery)
      } catch (error) {
        if (error instanceof CapError) {
          // It was not read, and comes again.
          fault = error
          break
        }
        if (!(error instanceof PacketFault)) throw error
        const typed = createCapError({
          kind: 'protocol',
          code: error.code,
          severity: 'FATAL',
          message: error.message,
          details: { raw: error.raw },
        })
        if (mode === 'strict') fault = typed
        else
          deliveries.push({
            event: { type: 'diagnostic', diagnostic: { kind: 'skipped-packet', error: typed, raw: error.raw } },
            progress: false,
            bytes: frameBytes(frame),
          })
      }
      lastId = frame.id || last?.stream_id || lastId
      if (fault !== undefined) break
    }
    // Packets before one that could not be read are still delivered.
    if (fault === undefined || deliveries.length > 0)
      yield {
        deliveries,
        handle: handleOf(control, lastId, fold?.state ?? shared),
        partial: frames === PARTIAL_BATCH,
      }
    if (fault !== undefined) throw fault
  }
  // These generations have no CLOSE: the end of the connection is the end of the run (section 7, row 16).
  if (last?.generation === 'G2s' || last?.generation === 'G0')
    yield { deliveries: [{ event: { type: 'run-finished' }, progress: true }] }
}
