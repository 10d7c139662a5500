import type { VendorAnswer } from './vendor-server.ts'

/** Text or a call of a tool, in the wire formats of vendors: for `serveVendor`, which the SDK of the vendor is pointed at. */
export interface VendorWire {
  /** The whole answer is text. */
  says(text: string): VendorAnswer
  /** The answer ends with a call of a tool. */
  calls(id: string, name: string, input: object): VendorAnswer
}

/** POST `/responses` of OpenAI, with `stream: true`. */
export const openAiResponses: VendorWire = {
  says: (text) => {
    const part = { type: 'output_text', text, annotations: [] }
    const item = { type: 'message', id: 'msg-1', role: 'assistant', status: 'completed', content: [part] }
    return responseOf(
      { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress', content: [] } },
      { type: 'response.content_part.added', item_id: 'msg-1', output_index: 0, content_index: 0, part },
      { type: 'response.output_text.delta', item_id: 'msg-1', output_index: 0, content_index: 0, delta: text },
      { type: 'response.output_item.done', output_index: 0, item },
    )
  },
  calls: (id, name, input) => {
    const item = {
      type: 'function_call',
      id: `fc-${id}`,
      call_id: id,
      name,
      arguments: JSON.stringify(input),
      status: 'completed',
    }
    return responseOf(
      { type: 'response.output_item.added', output_index: 0, item: { ...item, arguments: '', status: 'in_progress' } },
      { type: 'response.function_call_arguments.delta', item_id: item.id, output_index: 0, delta: item.arguments },
      { type: 'response.output_item.done', output_index: 0, item },
    )
  },
}

/** An event of a response, as far as its end repeats it. */
interface ResponseEvent {
  readonly type: string
  readonly item?: object
  readonly [key: string]: unknown
}

function responseOf(...events: readonly ResponseEvent[]): VendorAnswer {
  const response = { id: 'resp-1', object: 'response', created_at: 1, model: 'm', output: [] }
  const output = events.flatMap(({ type, item }) => (type === 'response.output_item.done' ? (item ?? []) : []))
  const usage = {
    input_tokens: 3,
    output_tokens: 4,
    total_tokens: 7,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  }
  const all = [
    { type: 'response.created', response: { ...response, status: 'in_progress' } },
    ...events,
    { type: 'response.completed', response: { ...response, status: 'completed', output, usage } },
  ]
  return { events: all.map((event, at) => ({ ...event, sequence_number: at })) }
}

/** POST `/chat/completions` of OpenAI, which many other servers speak, with `stream: true`. */
export const chatCompletions: VendorWire = {
  says: (text) => completionOf({ role: 'assistant', content: text }, 'stop'),
  calls: (id, name, input) => {
    const call = { index: 0, id, type: 'function', function: { name, arguments: JSON.stringify(input) } }
    return completionOf({ role: 'assistant', content: null, tool_calls: [call] }, 'tool_calls')
  },
}

function completionOf(delta: object, reason: string): VendorAnswer {
  const chunk = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm' }
  return {
    events: [
      { ...chunk, choices: [{ index: 0, delta, finish_reason: null }] },
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: reason }] },
      { ...chunk, choices: [], usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 } },
      '[DONE]',
    ],
  }
}

/** POST `/v1/messages` of Anthropic, with `stream: true`. */
export const anthropicMessage: VendorWire = {
  says: (text) => messageOf({ type: 'text', text: '' }, { type: 'text_delta', text }, 'end_turn'),
  calls: (id, name, input) =>
    messageOf(
      { type: 'tool_use', id, name, input: {} },
      { type: 'input_json_delta', partial_json: JSON.stringify(input) },
      'tool_use',
    ),
}

function messageOf(content_block: object, delta: object, stop_reason: string): VendorAnswer {
  const usage = { input_tokens: 3, output_tokens: 0 }
  const message = { id: 'msg-1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null, usage }
  return {
    events: [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 4 } },
      { type: 'message_stop' },
    ],
  }
}
