import { isJsonObject, type JsonObject } from '../../base/json-object.ts'
import { toPart } from '../../protocols/cap/presentation/presentation-part.ts'
import { canonicalUuid } from '../../protocols/cap/values/scalars.ts'
import { encodeSseFrame } from '../../wire/sse-encoder.ts'
import { createToldState, isStateEvent } from '../run/agent-run-state.ts'
import type { LogEntry, LogReader, LogSlice } from '../event-log/event-log.ts'
import type { ForeignCall, Wire, WireEnd, WireWriter } from './wire.ts'

/**
 * The log of a run in the frames of another protocol. It ends behind what the run asks the user, because the answer comes with another
 * request; that one continues after the last question that it answers.
 */
export function foreignReader(reader: LogReader, wire: Wire, call: ForeignCall, writer: WireWriter): LogReader {
  const answered: ReadonlySet<string> = new Set(call.answers.map(({ promptId }) => promptId))
  /** Questions that are open and not answered by this request. */
  const open = new Set<string>()
  /** Answered questions that are still to come: up to the last of them all is known to the client. */
  const awaited = new Set(answered)
  const shared = createToldState(call.sent)
  let hasTold = false
  let how: WireEnd = 'finished'
  let ordinal = 0
  let hasBegun = false

  const framesOf = (events: readonly object[]): LogEntry[] =>
    events.flatMap((event) => {
      ordinal += 1
      if (ordinal <= call.seen) return []
      const text = encodeSseFrame({ id: `${call.requestId}/${ordinal}`, data: JSON.stringify(event) })
      return [{ kind: 'frame' as const, text }]
    })

  /** Also what the client knows goes through the writer, which learns from it what is open. */
  const frames = (events: readonly object[], isKnown: boolean): LogEntry[] => (isKnown ? [] : framesOf(events))

  const takeEvent = (p: JsonObject): readonly object[] => {
    if (isStateEvent(p['type'])) {
      const { type, data } = p
      if (!shared.take(type, data)) return []
      hasTold = true
      return writer.state(shared.told?.state, type === 'STATE_DELTA' && isJsonObject(data) ? data['delta'] : undefined)
    }
    const { partId = '', part } = toPart(p)
    if (part.type === 'said') return []
    const isPrompt = p['type'] === 'PROMPT' && isJsonObject(p['data'])
    if (!isPrompt) return writer.part(partId, part)
    const data = p['data'] as JsonObject // it was checked right here
    return data['state'] === 'open' ? writer.ask(partId, data) : writer.settle(partId, data)
  }

  const takePacket = (packet: JsonObject): readonly object[] => {
    const { op, p, stream_id: streamId } = packet
    if (op === 'DELTA' && typeof p === 'string') return writer.text(String(streamId), p)
    if (op === 'EVENT' && isJsonObject(p)) return takeEvent(p)
    if (op === 'CLOSE' && p === 'cancelled') how = 'cancelled'
    if (op !== 'ERROR' || !isJsonObject(p)) return []
    const [code, message] = [String(p['code']), String(p['message'])]
    if (p['severity'] === 'WARNING') return writer.warn(code, message)
    if (p['severity'] !== 'FATAL' || how === 'failed') return []
    how = 'failed'
    return writer.fail(code, message)
  }

  /** Follows the questions in packets. Gives the place of the last one that is open behind them; -1 for none among them. */
  const lastQuestion = (packets: readonly (readonly JsonObject[])[]): number => {
    const places = new Map<string, number>()
    for (const [at, all] of packets.entries())
      for (const { id, isOpen } of all.flatMap((packet) => questionIn(packet) ?? [])) {
        if (isOpen && !answered.has(id)) open.add(id)
        else open.delete(id)
        places.set(id, at)
      }
    return Math.max(-1, ...[...open].map((id) => places.get(id) ?? -1))
  }

  const begin = (): LogEntry[] => {
    if (hasBegun || awaited.size > 0) return []
    hasBegun = true
    return framesOf(writer.begin(hasTold ? shared.told : undefined))
  }

  const take = (packet: JsonObject): LogEntry[] => {
    const isKnown = awaited.size > 0
    const events = takePacket(packet)
    const question = questionIn(packet)
    if (question !== undefined) awaited.delete(question.id)
    return [...frames(events, isKnown), ...begin()]
  }

  return {
    checkWriter: () => reader.checkWriter?.(),
    async read(after, signal): Promise<LogSlice> {
      const slice = await reader.read(after, signal)
      const packets = slice.entries.map(packetsIn)
      const last = lastQuestion(packets)
      const waits = open.size > 0 && !slice.closed
      const entries = begin()
      for (const [at, all] of packets.entries()) {
        // What is behind the last question comes with the request that answers it.
        if (waits && at > last && hasBegun) break
        for (const packet of all) entries.push(...take(packet))
      }
      const isAsking = waits && hasBegun
      if (isAsking) how = 'asking'
      const closed = slice.closed || isAsking
      if (closed) entries.push(...framesOf(writer.end(how, open)), ...trailer(wire))
      return { ...slice, entries, closed }
    },
  }
}

/** The question that a packet asks or settles. Undefined: none. */
function questionIn({ op, p }: JsonObject): { readonly id: string; readonly isOpen: boolean } | undefined {
  if (op !== 'EVENT' || !isJsonObject(p) || p['type'] !== 'PROMPT' || !isJsonObject(p['data'])) return undefined
  const { id } = p
  if (typeof id !== 'string') return undefined
  return { id: canonicalUuid(id) ?? id, isOpen: p['data']['state'] === 'open' }
}

function trailer({ trailer: text }: Wire): LogEntry[] {
  return text === '' ? [] : [{ kind: 'frame', text }]
}

/** The packets of an entry. A whole answer is read as its text, or as data. */
function packetsIn(entry: LogEntry): JsonObject[] {
  if (entry.kind === 'stream') return []
  const texts = entry.kind === 'frame' ? entry.text.split('\n').filter((row) => row.startsWith('data: ')) : []
  if (entry.kind === 'frame') return texts.map((row) => JSON.parse(row.slice(6)) as JsonObject) // written by this server
  const { output } = JSON.parse(entry.text) as { readonly output: JsonObject }
  const { text } = output
  return [
    typeof text === 'string'
      ? { op: 'DELTA', p: text, stream_id: 'output' }
      : { op: 'EVENT', p: { type: 'DATA_BLOCK', id: 'output', data: { data: output } }, stream_id: 'output' },
  ]
}
