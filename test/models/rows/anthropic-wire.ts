import type { VendorAnswer } from '../vendor-server.ts'

export interface WireBlock {
  readonly type: string
  readonly [key: string]: unknown
}

export interface WireEvent {
  readonly type: string
  readonly [key: string]: unknown
}

export const START: WireEvent = {
  type: 'message_start',
  message: {
    id: 'msg-1',
    type: 'message',
    role: 'assistant',
    content: [],
    stop_reason: null,
    usage: { input_tokens: 3 },
  },
}

export function text(said: string, citations: readonly object[] = []): WireBlock {
  return { type: 'text', text: said, ...(citations.length > 0 && { citations }) }
}

export function thinking(said: string, signature = 'signed'): WireBlock {
  return { type: 'thinking', thinking: said, signature }
}

export function toolUse(id: string, name: string, input: object | string): WireBlock {
  return { type: 'tool_use', id, name, input }
}

/** The events of one block, as the API sends them. An input that is text is sent as it is. */
export function blockEvents(block: WireBlock, index: number): WireEvent[] {
  const [begun, deltas] = piecesOf(block)
  return [
    { type: 'content_block_start', index, content_block: begun },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
}

/** A message whose blocks follow each other, and all have the same number. */
export function underOneNumber(blocks: readonly WireBlock[], reason = 'end_turn'): VendorAnswer {
  return {
    events: [
      START,
      ...blocks.flatMap((block) => blockEvents(block, 0)),
      { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 4 } },
      { type: 'message_stop' },
    ],
  }
}

function piecesOf(block: WireBlock): readonly [object, readonly object[]] {
  const { type, citations, signature, input, content } = block
  switch (type) {
    case 'text':
      return [
        { type, text: '' },
        [
          ...chunks(String(block['text'])).map((each) => ({ type: 'text_delta', text: each })),
          ...listOf(citations).map((citation) => ({ type: 'citations_delta', citation })),
        ],
      ]
    case 'thinking':
      return [
        { type, thinking: '', signature: '' },
        [
          ...chunks(String(block['thinking'])).map((each) => ({ type: 'thinking_delta', thinking: each })),
          { type: 'signature_delta', signature },
        ],
      ]
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use': {
      const json = typeof input === 'string' ? input : JSON.stringify(input)
      return [
        { ...block, input: {} },
        ['', ...chunks(json)].map((each) => ({ type: 'input_json_delta', partial_json: each })),
      ]
    }
    case 'compaction':
      return [
        { type, content: null, encrypted_content: null },
        [{ type: 'compaction_delta', content, encrypted_content: block['encrypted_content'] ?? null }],
      ]
    default:
      return [block, []]
  }
}

function chunks(said: string): string[] {
  return said.match(/.{1,9}/gs) ?? []
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

export function messageDelta(stop_reason: string | null, output_tokens = 4): WireEvent {
  return { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens } }
}

export const STOP: WireEvent = { type: 'message_stop' }

/** All events of a message. */
export function messageEvents(blocks: readonly WireBlock[], stopReason = 'end_turn'): WireEvent[] {
  return [START, ...blocks.flatMap(blockEvents), messageDelta(stopReason), STOP]
}

/** A message as the API sends it. */
export function whole(...blocks: readonly WireBlock[]): VendorAnswer {
  const calls = blocks.some(({ type }) => type === 'tool_use')
  return { events: messageEvents(blocks, calls ? 'tool_use' : 'end_turn') }
}

/** A message that ends for another reason. */
export function ended(stopReason: string, ...blocks: readonly WireBlock[]): VendorAnswer {
  return { events: messageEvents(blocks, stopReason) }
}
