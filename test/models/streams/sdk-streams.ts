import { isJsonObject, type JsonObject } from '../../../src/base/json-object.ts'
import { createRandom } from '../../support/create-random.ts'
import type { ChatWire, Said } from '../rows/chat-wires.ts'

/** What a vendor sends for one response, with one fault. */
export interface GeneratedStream {
  /** For the message of a failed test. */
  readonly fault: string
  readonly wire: ChatWire
  readonly events: readonly object[]
  readonly verdict: Verdict
}

/** What an independent reader of the events says. */
export interface Verdict {
  /** `whole` must be complete, `cut` must not; `either`: the fault cannot be seen behind an SDK, or harms nothing. */
  readonly is: 'whole' | 'cut' | 'either'
  /** The text of the events, in their order. */
  readonly text: string
}

/** The only input that a tool may be called with. */
export const INPUT = { to: 'ann', note: 'Bring "boots".' }

const SAID: readonly Said[] = [
  {},
  { text: ['One'] },
  { text: ['One, ', 'two, ', 'three, ', 'four.'] },
  { thought: 'Bends wander.', signature: 'signed-1', text: ['They ', 'meander.'] },
  { calls: [{ id: 'call-1', name: 'send_email', input: INPUT }] },
  { text: ['I mail. '], calls: [{ id: 'call-1', name: 'send_email', input: INPUT }] },
  {
    calls: [
      { id: 'call-1', name: 'send_email', input: INPUT },
      { id: 'call-2', name: 'date', input: INPUT },
    ],
  },
  { isGrouped: true, thought: 'Bends wander.', text: ['They ', 'meander ', 'here.'] },
  { isGrouped: true, text: ['I mail. ', 'Now.'], calls: [{ id: 'call-1', name: 'send_email', input: INPUT }] },
]

/** Events that no SDK knows, as a vendor may add them. */
const UNKNOWN: Readonly<Record<ChatWire['name'], object>> = {
  completions: { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], x_new: {} },
  responses: { type: 'response.x_new.delta', item_id: 'msg-1', delta: 'canary', sequence_number: 99 },
  messages: { type: 'ping', x_new: 'canary' },
  ollama: { model: 'm', created_at: '2026-01-01T00:00:00Z', message: { role: 'assistant', content: '' }, done: false },
  gemini: { candidates: [{ index: 0, content: { role: 'model', parts: [{ text: '' }] } }] },
}

const FAULTS = ['none', 'cut', 'drop', 'double', 'reorder', 'unknown'] as const

/** Every whole stream; then every cut of every stream, and between them streams with a fault each, in an order that the seed gives. Endless. */
export function* generateStreams(wires: readonly ChatWire[], seed: number): Generator<GeneratedStream> {
  const random = createRandom(seed)
  const pick = (most: number): number => Math.floor(random() * most)
  const cuts = wires.flatMap((wire) =>
    SAID.flatMap((said) => {
      const events = wire.events(said)
      return events.map((_, at) => streamOf(wire, `cut ${at} of ${nameOf(said)}`, events, events.slice(0, at)))
    }),
  )
  for (const wire of wires)
    for (const said of SAID) {
      const events = wire.events(said)
      yield streamOf(wire, `all of ${nameOf(said)}`, events, events)
    }
  for (;;) {
    // In any order, where only some of the cuts are played.
    yield* cuts.splice(pick(cuts.length), 1)
    const [wire] = wires.slice(pick(wires.length))
    const [said] = SAID.slice(pick(SAID.length))
    const [fault] = FAULTS.slice(pick(FAULTS.length))
    if (wire === undefined || said === undefined || fault === undefined) continue
    const events = wire.events(said)
    const at = pick(events.length)
    yield streamOf(wire, `${fault} ${at} of ${nameOf(said)}`, events, faulty(events, fault, at, UNKNOWN[wire.name]))
  }
}

function nameOf({ text = [], thought = '', calls = [], isGrouped = false }: Said): string {
  return `${isGrouped ? 'grouped ' : ''}${JSON.stringify([thought, ...text, ...calls.map(({ name }) => name)])}`
}

function faulty(events: readonly object[], fault: (typeof FAULTS)[number], at: number, unknown: object): object[] {
  switch (fault) {
    case 'none':
      return [...events]
    case 'cut':
      return events.slice(0, at)
    case 'drop':
      return events.toSpliced(at, 1)
    case 'double':
      return events.toSpliced(at, 0, ...events.slice(at, at + 1))
    case 'reorder':
      return events.toSpliced(at, 2, ...events.slice(at, at + 2).toReversed())
    case 'unknown':
      return events.toSpliced(at, 0, unknown)
  }
}

function streamOf(wire: ChatWire, fault: string, sent: readonly object[], events: readonly object[]): GeneratedStream {
  return { fault: `${wire.name}: ${fault}`, wire, events, verdict: verdictOf(wire, sent, events) }
}

/**
 * The oracle: it compares lists of events, and knows of each format only which event has the reason and which ones have text. It shares no code
 * with the helpers.
 */
function verdictOf(wire: ChatWire, sent: readonly object[], events: readonly object[]): Verdict {
  // Ollama's own client reads nothing after the end.
  const end = wire.name === 'ollama' ? events.findIndex((event) => hasReason(wire.name, event as JsonObject)) : -1
  const read = end === -1 ? events : events.slice(0, end + 1)
  const text = read.map((event) => textOf(wire.name, event as JsonObject)).join('')
  const known = events.filter((event) => event !== UNKNOWN[wire.name])
  const isSame = known.length === sent.length && known.every((event, at) => event === sent[at])
  if (isSame) return { is: 'whole', text }
  return { is: events.some((event) => hasReason(wire.name, event as JsonObject)) ? 'either' : 'cut', text }
}

function hasReason(wire: ChatWire['name'], event: JsonObject): boolean {
  switch (wire) {
    case 'completions':
      return first(event['choices'])['finish_reason'] !== null
    case 'responses':
      return event['type'] === 'response.completed'
    case 'messages':
      return event['type'] === 'message_delta'
    case 'ollama':
      return event['done'] === true
    case 'gemini':
      return first(event['candidates'])['finishReason'] !== undefined
  }
}

function textOf(wire: ChatWire['name'], event: JsonObject): string {
  const delta = (isJsonObject(event['delta']) ? event['delta'] : undefined) ?? {}
  switch (wire) {
    case 'completions':
      return text((first(event['choices'])['delta'] as JsonObject | undefined)?.['content'])
    case 'responses':
      return event['type'] === 'response.output_text.delta' ? text(event['delta']) : ''
    case 'messages':
      return delta['type'] === 'text_delta' ? text(delta['text']) : ''
    case 'ollama':
      return text((event['message'] as JsonObject | undefined)?.['content'])
    case 'gemini': {
      const parts = (first(event['candidates'])['content'] as JsonObject | undefined)?.['parts']
      return (Array.isArray(parts) ? parts.filter(isJsonObject) : [])
        .map((part) => (part['thought'] === true ? '' : text(part['text'])))
        .join('')
    }
  }
}

function first(list: unknown): JsonObject {
  const found: unknown = Array.isArray(list) ? list[0] : undefined
  return isJsonObject(found) ? found : {}
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
