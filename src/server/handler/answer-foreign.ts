import { systemDigest, toUuid } from '../../base/digest.ts'
import { type JsonObject, isJsonObject } from '../../base/json-object.ts'
import type { Clock } from '../../base/ports/clock.ts'
import { serviceRequestSchema } from '../../protocols/cap/schema/request.ts'
import { appMetadata, filePartsOf } from '../run/run-memory.ts'
import type { LogReader, RunCommand, RunReply, LogEntry, LogSlice } from '../event-log/event-log.ts'
import { controlResponse } from '../http/control.ts'
import { HttpRefusal, type ErrorReporter } from '../http/http-refusal.ts'
import type { IncomingCall } from '../http/incoming-call.ts'
import type { AssistCall } from '../http/read-assist-call.ts'
import { readFirst, streamAnswer, type Answer } from '../http/stream-response.ts'
import { promptAnswer, readPrompts } from '../wires/prompt-answer.ts'
import type { ForeignCall, Wire, WireName, WireEnd, WireWriter } from '../wires/wire.ts'
import { toPart } from '../../protocols/cap/presentation/presentation-part.ts'
import { canonicalUuid } from '../../protocols/cap/values/scalars.ts'
import { encodeSseFrame } from '../../wire/sse-encoder.ts'
import { createToldState, isStateEvent } from '../run/agent-run-state.ts'

/** What a handler does for requests of every protocol. */
export interface ForeignHost {
  readonly http: IncomingCall
  readonly clock: Clock
  readonly heartbeatMs: number
  readonly stallTimeoutMs: number
  readonly onError: ErrorReporter
  /** Begins a run, or finds the one of this request. */
  begin(call: AssistCall): Promise<LogReader>
  /** @throws HttpRefusal where this caller has no such run */
  find(requestId: string): Promise<LogReader>
  command(requestId: string, command: RunCommand): Promise<RunReply>
}

/** Each protocol is loaded when it is spoken first: most servers speak one. */
const WIRES: Readonly<Record<WireName, () => Promise<Wire>>> = {
  'ag-ui': async () => (await import('../wires/ag-ui/wire.ts')).agUiWire,
  'ai-sdk': async () => (await import('../wires/ai-sdk/wire.ts')).aiSdkWire,
}

const NO_AGENT = '00000000-0000-0000-0000-000000000000'

/** A question that is answered is in the log already. */
const LONGEST_SEARCH_MS = 2000

/**
 * Answers a request of another protocol: begins a run, or answers what a run has asked and continues with it.
 *
 * @throws HttpRefusal 400 for what is not a request, 409 for a question that takes no answer any more
 */
export async function answerForeign(name: WireName, body: JsonObject, host: ForeignHost): Promise<Answer> {
  const { http, clock, heartbeatMs, stallTimeoutMs } = host
  const wire = await WIRES[name]()
  const call = await wire.read(body, (each) => http.header(each), systemDigest)
  if (call.answers.length > 0) await giveAnswers(call, host)
  const log = call.answers.length > 0 ? await host.find(call.requestId) : await host.begin(assistCall(call, clock))
  const reader = foreignReader(log, wire, call, wire.writer(call, body))
  return streamAnswer({
    reader,
    first: await readFirst({ reader, clock, heartbeatMs, signal: http.signal }),
    requestId: call.requestId,
    clock,
    heartbeatMs,
    stallTimeoutMs,
    headers: wireHeaders(wire),
    signal: http.signal,
    onLeave: () => http.leave(),
    onError: (error) => host.onError(error, { requestId: call.requestId }),
  })
}

function wireHeaders({ headers }: Wire): Readonly<Record<string, string>> {
  return headers
}

async function giveAnswers({ requestId, answers }: ForeignCall, { find, command, clock }: ForeignHost): Promise<void> {
  const search = new AbortController()
  const cancel = clock.after(LONGEST_SEARCH_MS, () => search.abort(new Error('The prompt is not in the log.')))
  const ids = answers.map(({ promptId }) => promptId)
  const prompts = await readPrompts(await find(requestId), ids, search.signal).finally(cancel)
  for (const given of answers) {
    const prompt = prompts.get(given.promptId)
    const answer = prompt && promptAnswer(given, prompt)
    if (answer === undefined)
      throw new HttpRefusal({ status: 409, code: 'prompt_not_found', message: 'This run has not asked this.' })
    const { promptId } = given
    // The same answer, sent again, is the same.
    const answerId = toUuid(await systemDigest(JSON.stringify([requestId, promptId, answer])))
    controlResponse(await command(requestId, { name: 'answer', promptId, answerId, answer }), 'answer')
  }
}

/** The request as CAP has it. The history in it is left alone: the store of conversations has it, and no client can invent it there. */
function assistCall(call: ForeignCall, clock: Clock): AssistCall {
  const { requestId, conversationId, text, files, metadata = {}, after, sent } = call
  const body = {
    request_id: requestId,
    context: {
      session_id: conversationId,
      agent_id: NO_AGENT,
      user: { user_id: 'anonymous', tier: 'free', locale: 'en' },
      trace: { trace_id: requestId, span_id: requestId },
      permissions: [],
      created_at: new Date(clock.date()).toISOString(),
    },
    payload: {
      session_id: conversationId,
      ...(after !== undefined && { root_request_id: after, parent_request_id: after }),
      payload: { query: text, ...(files.length > 0 && { parts: filePartsOf(files) }) },
      metadata: { ...appMetadata(metadata), ...(after === undefined && { is_first: true }), ...sent },
    },
  }
  return { request: serviceRequestSchema.parse(body), body, requestId, lastEventId: undefined }
}

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
