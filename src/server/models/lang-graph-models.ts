import { isJsonObject, type JsonObject } from '../../base/json-object.ts'
import { finishError, modelError, vendorError } from './model-error.ts'

/** Callbacks of LangChain, as far as they are needed. Methods with parameters of any type fit the types of every version. */
export interface LangGraphCallbacks {
  /** LangChain waits for them: a reason that arrives behind the end of the graph would be missed. */
  readonly awaitHandlers: true
  /** What they throw fails the call of the model: no tool runs with an input that was cut. */
  readonly raiseError: true
  handleChatModelStart(
    model: unknown,
    messages: unknown,
    runId: string,
    parentRunId?: string,
    extraParams?: unknown,
    tags?: string[],
    metadata?: Record<string, unknown>,
  ): void
  handleLLMNewToken(
    token: string,
    place: unknown,
    runId: string,
    parentRunId?: string,
    tags?: string[],
    fields?: unknown,
  ): void
  handleLLMEnd(output: unknown, runId: string): void
  handleLLMError(error: unknown, runId: string): void
  handleToolError(error: unknown, runId: string): void
}

export interface GraphModelsOptions {
  /** Whether the text of a node is part of the answer. */
  isShown(metadata: unknown): boolean
  readonly requireFinishReason: boolean
}

/** The calls of models in a graph: how each of them ended. */
export interface GraphModels {
  readonly callbacks: LangGraphCallbacks
  /** Reads how a message ended, for graphs that were not given the callbacks. @param isChunk a model streams it */
  read(message: JsonObject, isChunk: boolean): void
  /** Finds the call that streams a message. Undefined: no callback has reported one. */
  receive(message: JsonObject): StreamedCall | undefined
  /** Whether a model of this graph has made the message of an id, as far as the callbacks report it. */
  hasMade(id: string): boolean
  /** The errors that tools have thrown since the last call. An interrupt is not one. */
  toolErrors(): readonly unknown[]
  /** The failure of an answer with a message that is not whole. Undefined: all are. */
  failure(): Error | undefined
  /** An error of the graph as a typed failure, where a model has thrown it. */
  explain(error: unknown): unknown
}

/** A call of a model whose messages the graph streams. */
export interface StreamedCall {
  readonly runId: string
  /**
   * The end of its text that it did not stream, once. Undefined while more of it may arrive.
   *
   * @param isOver the stream of the graph has ended
   */
  finish(isOver: boolean): string | undefined
}

/** One call of a model. */
interface ModelCall extends StreamedCall {
  /** Its text is part of the answer: one that only calls tools, or is for its node alone, need not be. */
  readonly isShown: boolean
  /** It has streamed text or a call of a tool. */
  hasOutput: boolean
  /** Its text as the callbacks report it, as the graph streams it, and as the message at its end has it. */
  readonly text: { reported: string; received: string | undefined; whole: string | undefined }
  /** The graph itself streams it, and not only a graph inside it. */
  readonly isOfGraph: boolean
  state: 'running' | 'ended' | 'failed'
  reason: string | undefined
  error: unknown
}

/** Reasons of a whole answer, in the words of vendors: everything else is an answer that was cut, blocked or broken. */
const WHOLE = ['stop', 'end_turn', 'stop_sequence', 'completed', 'complete', 'eos', 'eos_token']

const CALLS = ['tool_calls', 'tool_call', 'function_call', 'tool_use']

const REASON_KEYS = ['finish_reason', 'finishReason', 'stop_reason', 'stopReason', 'done_reason']

const NO_STREAM = ['langsmith:nostream', 'nostream']

export function createGraphModels({ isShown, requireFinishReason }: GraphModelsOptions): GraphModels {
  const calls = new Map<string, ModelCall>()
  /** By ids, of graphs that were not given the callbacks: what a node has made itself needs no reason. */
  const messages = new Map<string, { readonly isStreamed: boolean; readonly reason: string | undefined }>()
  /** Ids of messages. */
  const made = new Set<string>()
  /** Calls by the objects that the graph streams, and by their ids for copies. */
  const streamed = new WeakMap<object, ModelCall>()
  const byId = new Map<string, ModelCall>()
  const toolErrors: unknown[] = []
  let isObserved = false

  const relate = (message: JsonObject, call: ModelCall): void => {
    streamed.set(message, call)
    if (typeof message['id'] === 'string') byId.set(message['id'], call)
  }

  const endOf = (call: ModelCall, generation: unknown): void => {
    const { message, generationInfo } = isJsonObject(generation) ? generation : {}
    const raw = isJsonObject(message) ? message : {}
    call.state = 'ended'
    call.text.whole = textIn(raw['content'])
    made.add(String(raw['id']))
    relate(raw, call)
    call.reason = reasonIn(generationInfo) ?? reasonOf(raw)
    const chunks = [raw['invalid_tool_calls'], raw['tool_call_chunks']].flatMap((list) =>
      Array.isArray(list) ? list.filter(isJsonObject) : [],
    )
    // LangChain completes a truncated input, and would run the tool with it.
    const invalid = chunks
      .filter(({ args }) => typeof args === 'string' && !isJson(args))
      .map(({ name }) => String(name))
    const fault =
      invalid.length > 0
        ? modelError(`it called ${[...new Set(invalid)].join(', ')} with an input that is not JSON`)
        : call.isShown || chunks.length > 0
          ? faultOf(call.reason)
          : undefined
    if (fault !== undefined) throw fault
  }

  const faultOf = (reason: string | undefined): Error | undefined => {
    if (reason === undefined)
      return requireFinishReason
        ? modelError(
            isObserved
              ? 'it gave no finish reason, so its answer may have been cut (requireFinishReason: false accepts that)'
              : 'no finish reason was seen. Pass the second argument of the source on to graph.stream, which has the callbacks that see it',
          )
        : undefined
    return isGood(reason, WHOLE) || isGood(reason, CALLS) ? undefined : finishError(reason)
  }

  return {
    callbacks: {
      awaitHandlers: true,
      raiseError: true,
      handleChatModelStart(_model, _messages, runId, _parent, _extra, tags = [], metadata) {
        isObserved = true
        const call: ModelCall = {
          runId,
          isShown: isShown(metadata) && !NO_STREAM.some((tag) => tags.includes(tag)),
          hasOutput: false,
          text: { reported: '', received: undefined, whole: undefined },
          isOfGraph: tasksIn(metadata).length === 1,
          state: 'running',
          reason: undefined,
          error: undefined,
          finish(isOver) {
            const { reported, received = '', whole = received } = this.text
            if (this.state === 'running') return undefined
            if (!isOver && received !== reported && received !== whole) return undefined
            if (!whole.startsWith(received)) return ''
            this.text.received = whole
            return whole.slice(received.length)
          },
        }
        calls.set(runId, call)
        byId.set(`run-${runId}`, call)
      },
      handleLLMNewToken(token, _place, runId, _parent, _tags, fields) {
        const call = calls.get(runId)
        if (call === undefined) return
        call.hasOutput = true
        const { chunk } = isJsonObject(fields) ? fields : {}
        const { message } = isJsonObject(chunk) ? chunk : {}
        // LangGraph streams the message, or makes one of the token.
        if (isJsonObject(message)) relate(message, call)
        call.text.reported += textIn(isJsonObject(message) ? message['content'] : token)
      },
      handleLLMEnd(output, runId) {
        const generations = isJsonObject(output) && Array.isArray(output['generations']) ? output['generations'] : []
        const call = calls.get(runId)
        if (call !== undefined) endOf(call, generations.flat()[0])
      },
      handleLLMError(error, runId) {
        const call = calls.get(runId)
        if (call === undefined) return
        call.state = 'failed'
        call.error = error
      },
      handleToolError(error) {
        // LangGraph throws interrupts and commands to graphs around it.
        if (!isJsonObject(error) || error['is_bubble_up'] !== true) toolErrors.push(error)
      },
    },
    toolErrors: () => toolErrors.splice(0),
    read(message, isChunk) {
      const id = String(message['id'])
      const known = messages.get(id)
      messages.set(id, {
        isStreamed: isChunk || known?.isStreamed === true,
        reason: reasonOf(message) ?? known?.reason,
      })
    },
    receive(message) {
      const call = streamed.get(message) ?? byId.get(String(message['id']))
      if (call !== undefined) call.text.received = (call.text.received ?? '') + textIn(message['content'])
      return call
    },
    hasMade: (id) => made.has(id),
    failure() {
      // A model that failed without output may have been replaced by another one.
      for (const call of calls.values()) {
        const { isShown: isOfAnswer, state, error, hasOutput, reason } = call
        if (!isOfAnswer) continue
        const fault = state !== 'failed' ? (faultOf(reason) ?? lossOf(call)) : hasOutput ? failed(error) : undefined
        if (fault !== undefined) return fault
      }
      if (isObserved) return undefined
      return [...messages.values()]
        .filter(({ isStreamed, reason }) => isStreamed || reason !== undefined)
        .map(({ reason }) => faultOf(reason))
        .find((fault) => fault !== undefined)
    },
    explain(error) {
      const isOfModel = [...calls.values()].some((call) => call.state === 'failed' && call.error === error)
      return isOfModel || (isJsonObject(error) && 'lc_error_code' in error) ? vendorError(error) : error
    },
  }
}

/** The tasks that a message comes from, as "node:id", the outermost first. */
export function tasksIn(metadata: unknown): readonly string[] {
  const { langgraph_checkpoint_ns: path } = isJsonObject(metadata) ? metadata : {}
  return typeof path === 'string' ? path.split('|') : []
}

/** The failure of a call whose text is not all shown. */
function lossOf({ text: { received, whole }, isOfGraph }: ModelCall): Error | undefined {
  if (whole === undefined || whole === received) return undefined
  if (received !== undefined) return modelError('the text that it streamed is not the text of its message')
  // By default a graph does not stream its subgraphs.
  return isOfGraph && whole !== ''
    ? modelError(
        'the graph did not stream its text. Callbacks of the app need awaitHandlers: true, and hiddenNodes names the nodes to leave out',
      )
    : undefined
}

function failed(error: unknown): Error {
  const known = vendorError(error)
  return known instanceof Error ? known : modelError('its stream broke', error)
}

function isJson(text: string): boolean {
  if (text.trim() === '') return true
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The finish reason of a message, whole or a chunk. */
function reasonOf(message: JsonObject): string | undefined {
  // Anthropic's is in `additional_kwargs` of what was streamed.
  return reasonIn(message['response_metadata']) ?? reasonIn(message['additional_kwargs'])
}

function reasonIn(metadata: unknown): string | undefined {
  if (!isJsonObject(metadata)) return undefined
  for (const key of REASON_KEYS) {
    const found = metadata[key]
    if (typeof found === 'string' && found !== '') return found
  }
  // The Responses API has a status in its place.
  const { object, status, incomplete_details: details } = metadata
  if (object !== 'response' || typeof status !== 'string') return undefined
  const reason = isJsonObject(details) ? details['reason'] : undefined
  return typeof reason === 'string' ? reason : status
}

/** Whether a reason is one of those, also where LangChain has joined the same one of several chunks. */
function isGood(reason: string, good: readonly string[]): boolean {
  const written = reason.toLowerCase()
  return good.some((one) => written.replaceAll(one, '') === '')
}

/** What is shown of one block of a message. */
export type ContentBlock = { readonly thought: string } | { readonly text: string }

/** The text and the reasoning in the content of a message of LangChain, whole or a chunk, in order. */
export function blocksIn(content: unknown): readonly ContentBlock[] {
  const blocks = Array.isArray(content) ? content.filter(isJsonObject) : [{ type: 'text', text: content }]
  return blocks.flatMap((block): ContentBlock[] => {
    const thought = [block['reasoning'], block['thinking']].find((found) => typeof found === 'string')
    if (typeof thought === 'string') return [{ thought }]
    const { text } = block
    return typeof text === 'string' && text !== '' ? [{ text }] : []
  })
}

/** The text alone. */
function textIn(content: unknown): string {
  return blocksIn(content)
    .map((block) => ('text' in block ? block.text : ''))
    .join('')
}
