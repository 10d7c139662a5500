import { FROM_ANTHROPIC } from '../rows/from-anthropic-rows.ts'
import { messageEvents, text, thinking, toolUse, whole, type WireBlock } from '../rows/anthropic-wire.ts'
import type { StreamEvent, StreamSuite, WholeStream } from './stream-suite.ts'

type Fields = Readonly<Record<string, unknown>>

export const ANTHROPIC_STREAMS: StreamSuite = {
  helper: FROM_ANTHROPIC,
  done: whole(text('Done.')),
  generate(random) {
    const blocks: WireBlock[] = []
    if (random.chance(0.3)) blocks.push(thinking(random.words()))
    if (random.chance(0.1)) blocks.push({ type: 'redacted_thinking', data: 'sealed' })
    if (random.chance(0.2))
      blocks.push(
        { type: 'server_tool_use', id: 's-1', name: 'web_search', input: { query: random.words() } },
        { type: 'web_search_tool_result', tool_use_id: 's-1', content: [] },
      )
    for (let at = random.below(3); at > 0; at--) blocks.push(text(random.words()))
    const calls = random.below(3)
    for (let at = calls; at > 0; at--) blocks.push(toolUse(`call-${at}`, 'send_email', { to: random.words() }))
    if (random.chance(0.1)) blocks.push({ type: random.pick(['dream', 'computer_use']), id: 'x-1' })
    if (blocks.length === 0) blocks.push(text(random.words()))
    const reason =
      calls > 0
        ? random.pick(['tool_use', 'tool_use', 'end_turn'])
        : random.pick(['end_turn', 'end_turn', 'stop_sequence', 'pause_turn', 'max_tokens'])
    return messageEvents(blocks, reason)
  },
  unknown(random) {
    if (random.chance(0.3)) return [{ type: 'weather', degrees: 7 }]
    if (random.chance(0.3))
      return [{ type: 'content_block_delta', index: random.below(3), delta: { type: 'dream_delta' } }]
    return [
      { type: 'content_block_start', index: 40, content_block: { type: 'dream' } },
      { type: 'content_block_stop', index: 40 },
    ]
  },
  judge,
}

/** Deltas that each type of block may have. Those of the other types that are known are whole when they begin. */
const PIECES: Readonly<Record<string, readonly string[]>> = {
  text: ['text_delta'],
  thinking: ['thinking_delta', 'signature_delta'],
  tool_use: ['input_json_delta'],
  server_tool_use: ['input_json_delta'],
  redacted_thinking: [],
  web_search_tool_result: [],
}
const GOOD = ['tool_use', 'end_turn', 'stop_sequence', 'pause_turn']

/** A block and the events after its start that are about it. */
interface Life {
  readonly began: number
  readonly block: Fields
  readonly later: readonly { readonly at: number; readonly event: StreamEvent }[]
}

/** Sorts the events by their block first, and asks of each block afterwards. */
function judge(all: readonly StreamEvent[]): WholeStream | undefined {
  const end = all.findIndex(({ type }) => type === 'message_stop')
  if (end === -1) return undefined
  const events = all.slice(0, end)
  const starts = events.flatMap((event, at) => (event.type === 'content_block_start' ? [{ at, event }] : []))
  const messages = events.flatMap(({ type }, at) => (type === 'message_start' ? [at] : []))
  if (messages.slice(1).some((at) => at > (starts[0]?.at ?? end))) return undefined

  // The reason is one.
  const reasons = new Set(
    events.filter(({ type }) => type === 'message_delta').map(({ delta }) => (delta as Fields)['stop_reason']),
  )
  const [reason] = reasons
  if (reasons.size !== 1 || !GOOD.includes(String(reason))) return undefined

  // Every event about a block comes after a start under its index.
  const later = events.flatMap((event, at) => (/^content_block_(delta|stop)$/.test(event.type) ? [{ at, event }] : []))
  const startOf = (at: number, index: unknown): number =>
    starts.filter((start) => start.at < at && start.event['index'] === index).at(-1)?.at ?? -1
  if (later.some(({ at, event }) => startOf(at, event['index']) === -1)) return undefined
  const lives: Life[] = starts.map(({ at: began, event }) => ({
    began,
    block: event['content_block'] as Fields,
    later: later.filter((each) => startOf(each.at, each.event['index']) === began),
  }))

  for (const { block, later: own } of lives) {
    const pieces = PIECES[String(block['type'])]
    if (pieces === undefined) return undefined
    const stop = own.findIndex(({ event }) => event.type === 'content_block_stop')
    if (stop === -1 && pieces.length > 0) return undefined
    if (
      own.some(
        ({ event }, at) =>
          event.type === 'content_block_delta' &&
          (pieces.length === 0 || at > stop || !pieces.includes(String((event['delta'] as Fields)['type']))),
      )
    )
      return undefined
  }

  // Text is in the order of its blocks.
  const texts = lives
    .flatMap(({ block, later: own, began }) =>
      block['type'] === 'text'
        ? own
            .filter(({ event }) => event.type === 'content_block_delta')
            .map(({ at, event }) => ({ at, began, text: String((event['delta'] as Fields)['text']) }))
        : [],
    )
    .toSorted((one, other) => one.at - other.at)
  if (texts.some(({ began }, at) => began < (texts[at - 1]?.began ?? 0))) return undefined

  // Each call of a tool has its own id, and Anthropic's own calls have one result behind them.
  const ofType = (type: string): Life[] => lives.filter(({ block }) => block['type'] === type)
  const calls = ofType('tool_use')
  if (new Set(calls.map(({ block }) => block['id'])).size < calls.length) return undefined
  const searches = ofType('server_tool_use')
  const results = ofType('web_search_tool_result')
  if (results.length > searches.length || searches.length > 1) return undefined
  if (results.some(({ began }) => began < (searches[0]?.began ?? Infinity))) return undefined

  if (reason === 'tool_use' && calls.length === 0) return undefined
  const hasContent = lives.some(({ block }) => block['type'] !== 'text') || texts.length > 0
  if (reason === 'pause_turn' && !hasContent) return undefined
  const continues = calls.length > 0 || reason === 'pause_turn'
  const isOpen = searches.length > results.length
  if (isOpen && !continues) return undefined
  return {
    text: texts.map((each) => each.text).join(''),
    calls: calls.flatMap((call) => validCall(call)),
    continues,
    // Code that calls tools gets their results before it ends, so an open call may have its result in the next message.
    ends: isOpen ? 'failed' : 'complete',
  }
}

/** A call with an input that is not JSON is told to the model, and does not run. */
function validCall({ block, later }: Life): string[] {
  const json = later
    .filter(({ event }) => event.type === 'content_block_delta')
    .map(({ event }) => String((event['delta'] as Fields)['partial_json']))
    .join('')
  try {
    return [`${String(block['name'])} ${JSON.stringify(JSON.parse(json === '' ? '{}' : json))}`]
  } catch {
    return []
  }
}
