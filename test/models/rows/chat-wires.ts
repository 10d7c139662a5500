import type { VendorAnswer } from '../vendor-server.ts'
import { completed, functionCall, itemEvents, message, numbered, reasoning, type WireItem } from './openai-wire.ts'

/** What a model says in one response, whatever its vendor. */
export interface Said {
  /** @default one of its own. Some gateways give every response the same */
  readonly id?: string
  /** Pieces of its text. @default ['Rivers ', 'meander.'] without calls, else none */
  readonly text?: readonly string[]
  readonly thought?: string
  /** All of it is in one event, where the format can: the calls are between the first piece of text and the others. @default false */
  readonly isGrouped?: boolean
  /** Signature or encrypted content of the thought, or of the first call where a vendor has it there. */
  readonly signature?: string
  /** Calls of tools. An input that is a string is sent as it is. */
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly input: object | string }[]
  /** Why it ended, in the words of the vendor. Null: it does not say. @default that of a whole answer */
  readonly reason?: string | null
}

/** A wire format: the events of one streamed response, one entry for each piece that can be lost. */
export interface ChatWire {
  readonly name: 'completions' | 'responses' | 'messages' | 'ollama' | 'gemini'
  events(said: Said): readonly object[]
  /** How a vendor sends events. */
  answer(events: readonly object[]): VendorAnswer
  /** The same response without a stream. Absent: not tested. */
  whole?(said: Said): VendorAnswer
}

const USAGE = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 }
const textIn = ({ text, calls }: Said): readonly string[] =>
  text ?? (calls === undefined ? ['Rivers ', 'meander.'] : [])
const json = (input: object | string): string => (typeof input === 'string' ? input : JSON.stringify(input))
const halves = (text: string): readonly string[] => [text.slice(0, 4), text.slice(4)]

const CHUNK = { object: 'chat.completion.chunk', created: 1, model: 'm' }
let ids = 0
const idOf = ({ id }: Said, prefix: string): string => id ?? `${prefix}-${(ids += 1)}`

/** POST `/chat/completions`, which most gateways speak. */
export const completions: ChatWire = {
  name: 'completions',
  events(said) {
    const { calls = [], reason = calls.length > 0 ? 'tool_calls' : 'stop' } = said
    const chunk = { ...CHUNK, id: idOf(said, 'chatcmpl') }
    const deltas = [
      { role: 'assistant', content: '' },
      ...textIn(said).map((content) => ({ content })),
      ...calls.flatMap(({ id, name, input }, index) => [
        { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] },
        ...halves(json(input)).map((part) => ({ tool_calls: [{ index, function: { arguments: part } }] })),
      ]),
    ]
    return [
      ...deltas.map((delta) => ({ ...chunk, choices: [{ index: 0, delta, finish_reason: null }] })),
      ...(reason === null ? [] : [{ ...chunk, choices: [{ index: 0, delta: {}, finish_reason: reason }] }]),
      { ...chunk, choices: [], usage: USAGE },
    ]
  },
  answer: (events) => ({ events: [...events, '[DONE]'] }),
  whole(said) {
    const { calls = [], reason = calls.length > 0 ? 'tool_calls' : 'stop' } = said
    const tool_calls = calls.map(({ id, name, input }) => ({
      id,
      type: 'function',
      function: { name, arguments: json(input) },
    }))
    const content = textIn(said).join('')
    const choice = {
      index: 0,
      message: { role: 'assistant', content, ...(tool_calls.length > 0 && { tool_calls }) },
      finish_reason: reason,
    }
    return {
      status: 200,
      body: { ...CHUNK, id: idOf(said, 'chatcmpl'), object: 'chat.completion', choices: [choice], usage: USAGE },
    }
  },
}

/** POST `/responses` of OpenAI. */
export const responses: ChatWire = {
  name: 'responses',
  events(said) {
    const { calls = [], thought, signature, reason } = said
    const items: WireItem[] = [
      ...(thought === undefined ? [] : [reasoning(thought, signature)]),
      ...(textIn(said).length > 0 ? [message(textIn(said).join(''))] : []),
      ...calls.map(({ id, name, input }) => functionCall(id, name, input)),
    ]
    const id = idOf(said, 'resp')
    const created = { id, object: 'response', created_at: 1, model: 'm', status: 'in_progress', output: [] }
    const end = completed(items)
    const response = { created_at: 1, model: 'm', ...(end['response'] as object), id }
    const last =
      reason === 'failed'
        ? {
            type: 'response.failed',
            response: { ...response, status: 'failed', error: { code: 'server_error', message: 'canary' } },
          }
        : typeof reason === 'string'
          ? {
              type: 'response.incomplete',
              response: { ...response, status: 'incomplete', incomplete_details: { reason } },
            }
          : { ...end, response }
    return numbered([
      { type: 'response.created', response: created },
      ...items.flatMap((item, at) => itemEvents(item, at)),
      ...(reason === null ? [] : [last]),
    ])
  },
  answer: (events) => ({ events }),
}

const MESSAGE = {
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [],
  stop_reason: null,
  usage: { input_tokens: 3, output_tokens: 0 },
}

/** POST `/v1/messages` of Anthropic. */
export const messages: ChatWire = {
  name: 'messages',
  events(said) {
    const { calls = [], thought, signature = 'signed', reason = calls.length > 0 ? 'tool_use' : 'end_turn' } = said
    const blocks: (readonly [object, readonly object[]])[] = [
      ...(thought === undefined
        ? []
        : [
            [
              { type: 'thinking', thinking: '', signature: '' },
              [
                { type: 'thinking_delta', thinking: thought },
                { type: 'signature_delta', signature },
              ],
            ] as const,
          ]),
      ...(textIn(said).length > 0
        ? [[{ type: 'text', text: '' }, textIn(said).map((text) => ({ type: 'text_delta', text }))] as const]
        : []),
      ...calls.map(
        ({ id, name, input }) =>
          [
            { type: 'tool_use', id, name, input: {} },
            halves(json(input)).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
          ] as const,
      ),
    ]
    return [
      { type: 'message_start', message: { ...MESSAGE, id: idOf(said, 'msg') } },
      ...blocks.flatMap(([content_block, deltas], index) => [
        { type: 'content_block_start', index, content_block },
        ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
        { type: 'content_block_stop', index },
      ]),
      ...(reason === null
        ? []
        : [
            {
              type: 'message_delta',
              delta: { stop_reason: reason, stop_sequence: null },
              usage: { output_tokens: 4 },
            },
          ]),
      { type: 'message_stop' },
    ]
  },
  answer: (events) => ({ events }),
  whole(said) {
    const { calls = [], reason = calls.length > 0 ? 'tool_use' : 'end_turn' } = said
    const content = [
      ...textIn(said).map((text) => ({ type: 'text', text })),
      ...calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })),
    ]
    return { status: 200, body: { ...MESSAGE, id: idOf(said, 'msg'), content, stop_reason: reason } }
  },
}

const OLLAMA = { model: 'm', created_at: '2026-01-01T00:00:00Z' }

/** POST `/api/chat` of Ollama: NDJSON. */
export const ollama: ChatWire = {
  name: 'ollama',
  events(said) {
    const { calls = [], reason = 'stop' } = said
    const entries = [
      ...textIn(said).map((content) => ({ role: 'assistant', content })),
      ...calls.map(({ name, input }) => ({
        role: 'assistant',
        content: '',
        tool_calls: [{ function: { name, arguments: input } }],
      })),
    ]
    const end = { ...OLLAMA, message: { role: 'assistant', content: '' }, done: true, done_reason: reason }
    return [
      ...entries.map((each) => ({ ...OLLAMA, message: each, done: false })),
      ...(reason === null ? [] : [{ ...end, prompt_eval_count: 3, eval_count: 4 }]),
    ]
  },
  answer: (events) => ({ entries: events }),
}

const GEMINI_USAGE = { promptTokenCount: 3, candidatesTokenCount: 4, totalTokenCount: 7 }

function geminiParts(said: Said): readonly object[] {
  const { calls = [], thought, signature, isGrouped = false } = said
  const texts: object[] = textIn(said).map((text) => ({ text }))
  const called = calls.map(({ name, input }, at) => ({
    functionCall: { name, args: input },
    ...(at === 0 && signature !== undefined && { thoughtSignature: signature }),
  }))
  return [
    ...(thought === undefined ? [] : [{ text: thought, thought: true }]),
    ...texts.toSpliced(isGrouped ? 1 : texts.length, 0, ...called),
  ]
}

/** POST `:streamGenerateContent` of Gemini. */
export const gemini: ChatWire = {
  name: 'gemini',
  events(said) {
    const { isGrouped = false, reason = 'STOP' } = said
    const parts = geminiParts(said)
    const candidate = (each: readonly object[]): object => ({ index: 0, content: { role: 'model', parts: each } })
    const common = { usageMetadata: GEMINI_USAGE, modelVersion: 'm' }
    return [
      ...(isGrouped ? [parts] : parts.map((part) => [part])).map((each) => ({
        candidates: [candidate(each)],
        ...common,
      })),
      ...(reason === null
        ? []
        : [{ candidates: [{ ...candidate([{ text: '' }]), finishReason: reason }], usageMetadata: GEMINI_USAGE }]),
    ]
  },
  answer: (events) => ({ events }),
  whole(said) {
    const { isGrouped = false, reason = 'STOP' } = said
    const parts = geminiParts(isGrouped ? said : { ...said, text: [textIn(said).join('')] })
    const candidate = { index: 0, content: { role: 'model', parts }, finishReason: reason }
    return { status: 200, body: { candidates: [candidate], usageMetadata: GEMINI_USAGE } }
  },
}

/** A streamed response. */
export function streamed(wire: ChatWire, said: Said = {}): VendorAnswer {
  return wire.answer(wire.events(said))
}
