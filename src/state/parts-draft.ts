import type { AgentPart } from '../protocols/agent-event.ts'
import type { MessagePart } from './message.ts'

/** Parts that stand beside the text: they never cut a sentence in two. */
const BESIDE_TEXT: ReadonlySet<MessagePart['type']> = new Set(['citations', 'progress', 'warning', 'unknown', 'notice'])

/** A list of at most so many parts is looked through: an answer of many messages would have an index for each. */
const FEW = 16

/** What has to be known of a list of parts to add to it without looking through it. */
interface PartsIndex {
  /** By type and by id: index of the first such part, of those that may be replaced. */
  readonly places: Map<MessagePart['type'], Map<string, number>>
  texts: number
  warnings: number
  /** Index of the last text; -1 when there is none. */
  lastText: number
  /** What stands behind the last text: a block, or a thought. */
  block: boolean
  thought: boolean
}

/** The index of a finished list. Taken out by the draft that continues the list, which changes it. */
const indexes = new WeakMap<readonly MessagePart[], PartsIndex>()

/** The parts of one message while events are added. Every method costs the same however many parts there are. */
export interface PartsDraft {
  /** Adds `text` at the end of what the stream says. */
  appendText(text: string): void
  /** Adds the part at the end, or in the place of the one with the same id and type. */
  put(id: string, part: AgentPart): void
  /** Adds a part whose id nothing else has; a warning is given its id by its number. */
  add(makePart: (warnings: number) => MessagePart): void
  /** The parts as an immutable list. The draft must not be used afterwards. */
  finish(): readonly MessagePart[]
}

/** A draft that continues `before`, which stays as it is. */
export function createPartsDraft(before: readonly MessagePart[]): PartsDraft {
  const known = indexes.get(before)
  const index = known ?? { places: new Map<MessagePart['type'], Map<string, number>>(), texts: 0, warnings: 0, lastText: -1, block: false, thought: false }
  const parts = known === undefined ? [] : [...before]
  if (known === undefined) before.forEach(push)
  else indexes.delete(before)

  function push(part: MessagePart): void {
    if (part.type === 'text') {
      index.texts += 1
      index.lastText = parts.length
      index.block = index.thought = false
    } else if (part.type === 'thought') index.thought = true
    else if (part.type === 'warning') index.warnings += 1
    if (part.type !== 'text' && part.type !== 'gap' && part.type !== 'warning') note(part)
    index.block ||= part.type !== 'text' && part.type !== 'thought' && !BESIDE_TEXT.has(part.type)
    parts.push(part)
  }

  function note({ type, id }: MessagePart): void {
    const places = index.places.get(type) ?? new Map<string, number>()
    if (places.size === 0) index.places.set(type, places)
    if (!places.has(id)) places.set(id, parts.length)
  }

  return {
    appendText(text) {
      if (text === '') return
      const last = parts[index.lastText]
      // A thought between two paragraphs keeps its place; one that falls into a sentence does not break it.
      if (last?.type === 'text' && !index.block && !(index.thought && (last.text === '' || last.text.endsWith('\n\n')))) {
        parts[index.lastText] = { ...last, text: last.text + text }
      } else push({ type: 'text', id: `text-${index.texts + 1}`, text })
    },
    put(id, part) {
      const own = { ...part, id }
      const place = index.places.get(part.type)?.get(id)
      if (place === undefined) push(own)
      else parts[place] = own
    },
    add: (makePart) => push(makePart(index.warnings)),
    finish() {
      if (parts.length > FEW) indexes.set(parts, index)
      return parts
    },
  }
}
