import type { AgentPart } from '../../seam/agent-event.ts'
import type { MessagePart } from './message.ts'

/** Parts that are beside the text: they never cut a sentence in two. */
const BESIDE_TEXT: ReadonlySet<MessagePart['type']> = new Set([
  'citations',
  'progress',
  'warning',
  'unknown',
  'task',
  'lease',
  'state',
])

/** Parts that have a place of their own between two paragraphs, and are beside the text inside of one. */
const BETWEEN_PARAGRAPHS: ReadonlySet<MessagePart['type']> = new Set(['thought', 'notice'])

/**
 * A list with at most this many parts is searched without an index, because an answer of many messages would need many
 * indexes.
 */
const FEW = 16

/** What has to be known of a list of parts to add to it without looking through it. */
interface PartsIndex {
  /** By type and by id: index of the first such part. What can never be replaced may be missing. */
  readonly places: Map<MessagePart['type'], Map<string, number>>
  texts: number
  warnings: number
  /** Index of the last text; -1 when there is none. */
  lastText: number
  /** What follows the last text: a block, or a part that is one only between two paragraphs (a thought, a notice). */
  block: boolean
  betweenParagraphs: boolean
}

/** The index of a finished list. Taken out by the draft that continues the list, which changes it. */
const indexes = new WeakMap<readonly MessagePart[], PartsIndex>()

/** The parts of one message while events are added. Every method costs the same however many parts there are. */
export interface PartsDraft {
  /** Adds `text` at the end of what the stream says, or of the text with that id. */
  appendText(text: string, id?: string): void
  /** Adds the part at the end, or in place of the one with the same id and type. */
  put(id: string, part: AgentPart): void
  /** Changes the part with that id and type, if there is one. */
  change<Type extends AgentPart['type']>(
    type: Type,
    id: string,
    change: (part: Extract<MessagePart, { readonly type: Type }>) => Extract<AgentPart, { readonly type: Type }>,
  ): void
  /** Adds a part whose id nothing else has; a warning is given its id by its number. */
  add(makePart: (warnings: number) => MessagePart): void
  /** The parts as an immutable list. The draft must not be used afterwards. */
  finish(): readonly MessagePart[]
}

/** A draft that continues `before`, which stays as it is. */
export function createPartsDraft(before: readonly MessagePart[]): PartsDraft {
  const known = indexes.get(before)
  const index = known ?? {
    places: new Map<MessagePart['type'], Map<string, number>>(),
    texts: 0,
    warnings: 0,
    lastText: -1,
    block: false,
    betweenParagraphs: false,
  }
  const parts = known === undefined ? [] : [...before]
  if (known !== undefined) indexes.delete(before)
  else {
    for (const part of before) {
      const places = placesOf(part.type)
      if (!places.has(part.id)) places.set(part.id, parts.length)
      push(part)
    }
  }

  function push(part: MessagePart): void {
    if (part.type === 'text') {
      index.texts += 1
      index.lastText = parts.length
      index.block = index.betweenParagraphs = false
    } else if (BETWEEN_PARAGRAPHS.has(part.type)) index.betweenParagraphs = true
    else if (part.type === 'warning') index.warnings += 1
    index.block ||= part.type !== 'text' && !BETWEEN_PARAGRAPHS.has(part.type) && !BESIDE_TEXT.has(part.type)
    parts.push(part)
  }

  function placesOf(type: MessagePart['type']): Map<string, number> {
    const known = index.places.get(type)
    if (known !== undefined) return known
    const places = new Map<string, number>()
    index.places.set(type, places)
    return places
  }

  function appendTo(id: string, text: string): void {
    const places = placesOf('text')
    const place = places.get(id) ?? -1
    const part = parts[place]
    if (part?.type === 'text') parts[place] = { ...part, text: part.text + text }
    else {
      places.set(id, parts.length)
      push({ type: 'text', id, text })
    }
  }

  return {
    appendText(text, id) {
      if (text === '') return
      if (id !== undefined) return appendTo(id, text)
      const last = parts[index.lastText]
      // A thought or a notice between two paragraphs keeps its place; one that arrives inside a sentence does not break it.
      if (
        last?.type === 'text' &&
        !index.block &&
        !(index.betweenParagraphs && (last.text === '' || last.text.endsWith('\n\n')))
      ) {
        parts[index.lastText] = { ...last, text: last.text + text }
      } else push({ type: 'text', id: `text-${index.texts + 1}`, text })
    },
    put(id, part) {
      const own = { ...part, id }
      const places = placesOf(part.type)
      const place = places.get(id)
      if (place !== undefined) parts[place] = own
      else {
        places.set(id, parts.length)
        push(own)
      }
    },
    change(type, id, change) {
      const place = placesOf(type).get(id) ?? -1
      const part = parts[place]
      // The place was found by its type.
      if (part !== undefined)
        parts[place] = { ...change(part as Extract<MessagePart, { readonly type: typeof type }>), id }
    },
    add: (makePart) => push(makePart(index.warnings)),
    finish() {
      if (parts.length > FEW) indexes.set(parts, index)
      return parts
    },
  }
}
