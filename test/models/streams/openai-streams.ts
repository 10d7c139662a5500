import { FROM_OPENAI } from '../rows/from-openai-rows.ts'
import {
  completed,
  functionCall,
  message,
  numbered,
  reasoning,
  responseEvents,
  whole,
  type WireItem,
} from '../rows/openai-wire.ts'
import type { Random, StreamEvent, StreamSuite, WholeStream } from './stream-suite.ts'

type Fields = Readonly<Record<string, unknown>>

export const OPENAI_STREAMS: StreamSuite = {
  helper: FROM_OPENAI,
  done: whole(message('Done.')),
  generate(random) {
    const items: WireItem[] = []
    if (random.chance(0.3))
      items.push(reasoning(random.chance(0.5) ? random.words() : '', random.chance(0.5) ? 'sealed' : undefined))
    if (random.chance(0.2))
      items.push({ type: 'web_search_call', id: 'ws-1', status: 'completed', action: { type: 'search', query: 'q' } })
    for (let at = random.below(3); at > 0; at--)
      items.push(message(random.chance(0.2) ? [random.words(), random.words()] : random.words(), { id: `msg-${at}` }))
    for (let at = random.below(3); at > 0; at--)
      items.push(functionCall(`call-${at}`, 'send_email', { to: random.words() }))
    if (random.chance(0.1)) items.push(unknownItem(random))
    if (items.length === 0) items.push(message(random.words()))
    const events = responseEvents(items)
    // Gateways leave the output of the end empty, or send no deltas.
    const ended = random.chance(0.4) ? [...events.slice(0, -1), completed([])] : events
    return numbered(random.chance(0.2) ? ended.filter(({ type }) => !type.endsWith('.delta')) : ended)
  },
  unknown(random) {
    if (random.chance(0.3)) return [{ type: 'response.weather', degrees: 7 }]
    const item = unknownItem(random)
    const done = { type: 'response.output_item.done', output_index: 40, item }
    return random.chance(0.5) ? [done] : [{ ...done, type: 'response.output_item.added' }, done]
  },
  judge,
}

function unknownItem(random: Random): WireItem {
  const type = random.pick([
    'dream',
    'custom_tool_call',
    'shell_call',
    'local_shell_call',
    'apply_patch_call',
    'computer_call',
  ])
  return { type, id: 'x-1', call_id: 'call-x', status: 'completed' }
}

/** What OpenAI itself settles, and what the helper can. */
const KNOWN = new Set(['message', 'reasoning', 'web_search_call', 'function_call'])
const TEXT_TYPES = ['output_text', 'refusal', 'content_part', 'reasoning_summary_text', 'reasoning_summary_part']

/** Reads the events as lists, each for its own question, in place of one pass. */
function judge(all: readonly StreamEvent[]): WholeStream | undefined {
  const end = all.findIndex(({ type }) =>
    ['response.completed', 'response.failed', 'response.incomplete', 'error'].includes(type),
  )
  const last = all[end]
  if (last?.type !== 'response.completed') return undefined
  const events = all.slice(0, end)
  const finals = fieldsIn((last['response'] as Fields)['output'])
  const done = events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item as Fields)
  const ended = new Map([...done, ...finals].map((item) => [item['id'], item]))

  // Every item that an event names has ended, unless text is all that is known of it.
  const named = events.flatMap((event) => {
    if (event.type === 'response.output_item.added') return [(event['item'] as Fields)['id']]
    const isText = TEXT_TYPES.some((type) => event.type.startsWith(`response.${type}.`))
    return event['item_id'] === undefined || isText ? [] : [event['item_id']]
  })
  if (named.some((id) => !ended.has(id))) return undefined
  if ([...ended.values()].some(({ type }) => !KNOWN.has(String(type)))) return undefined

  const text = textOfEvents(events, finals)
  if (text === undefined) return undefined
  const calls = [...ended.values()].filter(({ type }) => type === 'function_call')
  return {
    text,
    calls: calls.map((call) => `${String(call['name'])} ${String(call['arguments'])}`),
    continues: calls.length > 0,
    ends: 'complete',
  }
}

interface Shown {
  readonly place: string
  readonly order: number
  readonly text: string
}

/** The text that a reader has shown by the end. Undefined: not what the model repeats, or not in its order. */
function textOfEvents(events: readonly StreamEvent[], finals: readonly Fields[]): string | undefined {
  const statements = events.flatMap(statementsIn)
  const shown: Shown[] = []
  for (const place of new Set(statements.map((statement) => statement.place))) {
    const own = statements.filter((statement) => statement.place === place)
    const wholes = new Set(own.filter(({ isWhole }) => isWhole).map((statement) => statement.text))
    if (wholes.size > 1) return undefined
    const firstWhole = own.findIndex(({ isWhole }) => isWhole)
    const deltas = own
      .slice(0, firstWhole === -1 ? undefined : firstWhole)
      .map((statement) => statement.text)
      .join('')
    const [text = deltas] = wholes
    if (!text.startsWith(deltas)) return undefined
  }
  // The pieces, in the order in which they become visible.
  const visible = new Map<string, string>()
  const closed = new Set<string>()
  for (const { place, order, text, isWhole } of statements) {
    if (closed.has(place)) continue
    const before = visible.get(place) ?? ''
    const piece = isWhole ? text.slice(before.length) : text
    if (isWhole) closed.add(place)
    visible.set(place, before + piece)
    if (piece !== '') shown.push({ place, order, text: piece })
  }
  if (shown.some(({ order }, at) => order < (shown[at - 1]?.order ?? 0))) return undefined
  const text = shown.map((piece) => piece.text).join('')
  const repeated = finals
    .filter(({ type }) => type === 'message')
    .flatMap(({ content }) => fieldsIn(content).map((part) => String(part['text'])))
    .join('')
  if (repeated === '') return text
  return repeated.startsWith(text) ? repeated : undefined
}

interface Statement extends Shown {
  readonly isWhole: boolean
}

function statementsIn(event: StreamEvent): Statement[] {
  const { type, output_index: index, content_index: part, item } = event
  const at = (id: unknown, ordinal: unknown, text: unknown, isWhole: boolean): Statement[] =>
    typeof text !== 'string' || text === ''
      ? []
      : [{ place: `${String(id)} ${String(ordinal)}`, order: Number(index) * 100 + Number(ordinal), text, isWhole }]
  switch (type) {
    case 'response.output_text.delta':
      return at(event['item_id'], part, event['delta'], false)
    case 'response.output_text.done':
      return at(event['item_id'], part, event['text'], true)
    case 'response.content_part.done':
      return at(event['item_id'], part, (event['part'] as Fields)['text'], true)
    case 'response.output_item.done': {
      const { id, type: kind, content } = item as Fields
      return kind === 'message' ? fieldsIn(content).flatMap((each, ordinal) => at(id, ordinal, each['text'], true)) : []
    }
    default:
      return []
  }
}

/** What was generated above. */
function fieldsIn(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? (value as readonly Fields[]) : []
}
