import { systemDigest, toUuid } from '../../base/digest.ts'
import type { JsonObject } from '../../base/json-object.ts'
import type { Clock } from '../../base/ports/clock.ts'
import { serviceRequestSchema } from '../../protocols/cap/schema/request.ts'
import { appMetadata, filePartsOf } from '../run/run-memory.ts'
import type { LogReader } from '../event-log/event-log.ts'
import type { RunCommand, RunReply } from '../event-log/run-command.ts'
import { controlResponse } from '../http/control.ts'
import { HttpRefusal, type ErrorReporter } from '../http/http-refusal.ts'
import type { IncomingCall } from '../http/incoming-call.ts'
import type { AssistCall } from '../http/read-assist-call.ts'
import { readFirst, streamAnswer, type Answer } from '../http/stream-response.ts'
import { foreignReader } from '../wires/foreign-reader.ts'
import { promptAnswer, readPrompts } from '../wires/prompt-answer.ts'
import type { ForeignCall, Wire, WireName } from '../wires/wire.ts'

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
