import { isJsonObject, type JsonObject } from '../../base/json-object.ts'
import { toPart } from '../../protocols/cap/presentation/presentation-part.ts'
import { canonicalUuid } from '../../protocols/cap/values/scalars.ts'
import { encodeSseFrame } from '../../wire/sse-encoder.ts'
import { createToldState, isStateEvent } from '../run-state/told-state.ts'
import type { LogEntry, LogReader, LogSlice } from '../event-log/event-log.ts'
import type { ForeignCall, Wire, WireEnd, WireWriter } from './wire.ts'

/**
 * The log of a run in the frames of another protocol. It ends where the run asks the user, because the answer comes with another
 * request; that one goes on behind what it answers.
 */
export function foreignReader(reader: LogReader, wire: Wire, call: ForeignCall, writer: WireWriter): LogReader {
  const open = new Set<string>()
  /** Answers whose places in the log are still to come: until then all is known to the client. */
  const awaited = new Set(call.answers.map(({ promptId }) => promptId))
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
    if (data['state'] === 'open') {
      open.add(partId)
      return writer.ask(partId, data)
    }
    open.delete(partId)
    return writer.settle(partId, data)
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

  const takeEntry = (entry: LogEntry): LogEntry[] => {
    const said: LogEntry[] = []
    for (const packet of packetsIn(entry)) {
      const isKnown = awaited.size > 0
      const events = takePacket(packet)
      const { p } = packet
      if (isKnown && isJsonObject(p) && typeof p['id'] === 'string' && !open.has(canonicalUuid(p['id']) ?? p['id']))
        awaited.delete(canonicalUuid(p['id']) ?? p['id'])
      if (awaited.size === 0 && !hasBegun) {
        hasBegun = true
        said.push(...framesOf(writer.begin(hasTold ? shared.told : undefined)))
        // Of what settled the last answer, the client does not know yet.
        said.push(...framesOf(events))
      } else said.push(...frames(events, isKnown))
    }
    return said
  }

  return {
    async read(after, signal): Promise<LogSlice> {
      const slice = await reader.read(after, signal)
      const entries: LogEntry[] = []
      if (!hasBegun && awaited.size === 0) {
        hasBegun = true
        entries.push(...framesOf(writer.begin()))
      }
      for (const entry of slice.entries) entries.push(...takeEntry(entry))
      const isAsking = hasBegun && open.size > 0 && !slice.closed
      if (isAsking) how = 'asking'
      const closed = slice.closed || isAsking
      if (closed) entries.push(...framesOf(writer.end(how)), ...trailer(wire))
      return { ...slice, entries, closed }
    },
  }
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
