import type { VendorAnswer } from '../vendor-server.ts'

export interface WireItem {
  readonly type: string
  readonly id?: string
  readonly [key: string]: unknown
}

export interface WireEvent {
  readonly type: string
  readonly [key: string]: unknown
}

/** A message of the model. @param texts one content part each */
export function message(texts: string | readonly string[], more: Readonly<Record<string, unknown>> = {}): WireItem {
  const content = [texts].flat().map((text) => ({ type: 'output_text', text, annotations: [] }))
  return { type: 'message', id: 'msg-1', role: 'assistant', status: 'completed', content, ...more }
}

export function refusal(text: string): WireItem {
  const content = [{ type: 'refusal', refusal: text }]
  return { type: 'message', id: 'msg-1', role: 'assistant', status: 'completed', content }
}

export function functionCall(id: string, name: string, input: object | string): WireItem {
  const json = typeof input === 'string' ? input : JSON.stringify(input)
  return { type: 'function_call', id: `fc-${id}`, call_id: id, name, arguments: json, status: 'completed' }
}

export function reasoning(summary: string, encrypted?: string): WireItem {
  const parts = summary === '' ? [] : [{ type: 'summary_text', text: summary }]
  return { type: 'reasoning', id: 'rs-1', summary: parts, ...(encrypted && { encrypted_content: encrypted }) }
}

export function mcpRequest(name = 'book_desk', id = 'mcpr-1'): WireItem {
  return { type: 'mcp_approval_request', id, name, server_label: 'desks', arguments: '{"desk":7}' }
}

export function mcpCall(more: Readonly<Record<string, unknown>> = {}): WireItem {
  const call = { type: 'mcp_call', id: 'mcp-1', name: 'book_desk', server_label: 'desks', arguments: '{"desk":7}' }
  return { ...call, status: 'completed', output: 'booked', error: null, ...more }
}

/** The events of one item, as the API sends them. */
export function itemEvents(item: WireItem, index: number): WireEvent[] {
  const at = { item_id: item.id, output_index: index }
  const { status: _, content, summary, ...rest } = item
  // What is announced has no content yet.
  const announced = {
    ...rest,
    ...(item.type !== 'reasoning' && { status: 'in_progress' }),
    ...(Array.isArray(content) && { content: [] }),
    ...(Array.isArray(summary) && { summary: [] }),
    ...('arguments' in item && item.type === 'function_call' && { arguments: '' }),
    ...('result' in item && { result: null }),
    ...('output' in item && { output: null }),
  }
  return [
    { type: 'response.output_item.added', output_index: index, item: announced },
    ...partsOf(content).flatMap((part, ordinal) => contentEvents(part, { ...at, content_index: ordinal })),
    ...partsOf(summary).flatMap(({ text }, ordinal) => {
      const place = { ...at, summary_index: ordinal }
      return [
        { type: 'response.reasoning_summary_part.added', ...place, part: { type: 'summary_text', text: '' } },
        ...chunks(String(text)).map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...place, delta })),
        { type: 'response.reasoning_summary_text.done', ...place, text },
        { type: 'response.reasoning_summary_part.done', ...place, part: { type: 'summary_text', text } },
      ]
    }),
    ...(item.type === 'function_call'
      ? [
          ...chunks(String(item['arguments'])).map((delta) => ({
            type: 'response.function_call_arguments.delta',
            ...at,
            delta,
          })),
          { type: 'response.function_call_arguments.done', ...at, arguments: item['arguments'] },
        ]
      : []),
    { type: 'response.output_item.done', output_index: index, item },
  ]
}

function contentEvents(part: Readonly<Record<string, unknown>>, place: object): WireEvent[] {
  const kind = part['type'] === 'refusal' ? 'refusal' : 'output_text'
  const [key, text] = kind === 'refusal' ? ['refusal', part['refusal']] : ['text', part['text']]
  const empty = { ...part, [key]: '', ...('annotations' in part && { annotations: [] }) }
  const annotations = Array.isArray(part['annotations']) ? part['annotations'] : []
  return [
    { type: 'response.content_part.added', ...place, part: empty },
    ...chunks(String(text)).map((delta) => ({ type: `response.${kind}.delta`, ...place, delta })),
    ...annotations.map((annotation: unknown, annotation_index) => ({
      type: 'response.output_text.annotation.added',
      ...place,
      annotation_index,
      annotation,
    })),
    { type: `response.${kind}.done`, ...place, [key]: text },
    { type: 'response.content_part.done', ...place, part },
  ]
}

/** Two words or so each. */
function chunks(text: string): string[] {
  return text.match(/.{1,9}/gs) ?? []
}

function partsOf(value: unknown): Readonly<Record<string, unknown>>[] {
  // Made by the functions above.
  return Array.isArray(value) ? (value as Readonly<Record<string, unknown>>[]) : []
}

const CREATED: WireEvent = {
  type: 'response.created',
  response: { id: 'resp-1', object: 'response', status: 'in_progress', output: [] },
}

/** @param output that of the response. Some gateways leave it empty */
export function completed(output: readonly WireItem[], more: Readonly<Record<string, unknown>> = {}): WireEvent {
  const usage = { input_tokens: 3, output_tokens: 4, total_tokens: 7 }
  return {
    type: 'response.completed',
    response: {
      id: 'resp-1',
      object: 'response',
      status: 'completed',
      error: null,
      incomplete_details: null,
      output,
      usage,
      ...more,
    },
  }
}

export function numbered(events: readonly WireEvent[]): WireEvent[] {
  return events.map((event, at) => ({ ...event, sequence_number: at }))
}

/** All events of a response. */
export function responseEvents(items: readonly WireItem[]): WireEvent[] {
  return [CREATED, ...items.flatMap(itemEvents), completed(items)]
}

/** A response as the API sends it. */
export function whole(...items: readonly WireItem[]): VendorAnswer {
  return { events: numbered(responseEvents(items)) }
}

/** Your own events between the first and the last one. */
export function stream(...events: readonly WireEvent[]): VendorAnswer {
  return { events: numbered([CREATED, ...events]) }
}
