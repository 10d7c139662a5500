import { isJsonObject, type JsonObject } from '../../base/json-object.ts'
import type { AgentOutput } from '../run/agent-output.ts'
import { modelError } from './model-error.ts'
import type { ModelOutput } from './model-output.ts'
import { nonEmptyText } from './vendor-json.ts'

/** A content part: the ordinal of its item, the item's `output_index`, and the part's `content_index`. */
export interface TextPlace {
  readonly item: number
  readonly index: number | undefined
  readonly part: unknown
}

/** Text of one response in the order in which it is shown. Each function returns the text to emit, often empty. */
export interface ResponseText {
  add(place: TextPlace, delta: unknown): string
  /** @param whole the text as an event repeats it. Empty or absent: the event does not repeat it */
  end(place: TextPlace, whole: unknown): string
  /** @param items `output` of the response that has ended */
  settle(items: readonly JsonObject[]): string
}

interface Segment {
  readonly place: TextPlace
  shown: string
  isWhole: boolean
}

/** Compares text that was shown piece by piece with the repetitions of it: only what continues the shown text is emitted. */
export function createResponseText(): ResponseText {
  const segments: Segment[] = []

  const find = ({ item, part }: TextPlace): Segment | undefined =>
    segments.find(({ place }) => place.item === item && place.part === part)

  const begin = (place: TextPlace): Segment => {
    const last = segments.at(-1)?.place
    if (last !== undefined && isBefore(place, last)) throw modelError('its text is out of order')
    const segment = { place, shown: '', isWhole: false }
    segments.push(segment)
    return segment
  }

  const emit = (segment: Segment, text: string): string => {
    if (text !== '' && segment !== segments.at(-1)) throw modelError('its text is out of order')
    segment.shown += text
    return text
  }

  return {
    add(place, delta) {
      const text = nonEmptyText(delta)
      if (text === undefined) return ''
      const segment = find(place) ?? begin(place)
      // A delta that is late: all of the text is shown.
      return segment.isWhole ? '' : emit(segment, text)
    },
    end(place, whole) {
      const text = nonEmptyText(whole)
      if (text === undefined) return ''
      const segment = find(place) ?? begin(place)
      if (!text.startsWith(segment.shown) || (segment.isWhole && text !== segment.shown)) throw contradiction()
      segment.isWhole = true
      return emit(segment, text.slice(segment.shown.length))
    },
    settle(items) {
      const text = items.flatMap(({ type, content }) => (type === 'message' ? textsOf(content) : [])).join('')
      const shown = segments.map((segment) => segment.shown).join('')
      if (text === '') return ''
      if (!text.startsWith(shown)) throw contradiction()
      return text.slice(shown.length)
    },
  }
}

/** Thoughts of one response. */
export interface ResponseThoughts {
  /** @param item the ordinal of its item */
  add(item: number, event: JsonObject): AgentOutput | undefined
  end(item: number, event: JsonObject): AgentOutput[]
  /** Shows the thoughts of an item that no event has shown before. */
  endItem(item: number, whole: JsonObject): AgentOutput[]
}

/** @param round makes the keys of thoughts unique among the responses of one answer */
export function createThoughts(output: ModelOutput, round: number): ResponseThoughts {
  const shown = new Map<string, { text: string; hasEnded: boolean }>()

  const think = (key: string, text: string): AgentOutput | undefined => {
    const thought = shown.get(key) ?? { text: '', hasEnded: false }
    shown.set(key, thought)
    if (thought.hasEnded || text === '') return undefined
    thought.text += text
    return output.think(key, text)
  }

  const end = (key: string, whole: unknown): AgentOutput[] => {
    const text = nonEmptyText(whole) ?? ''
    const before = shown.get(key)?.text ?? ''
    const more = text.startsWith(before) ? think(key, text.slice(before.length)) : undefined
    const thought = shown.get(key)
    if (thought === undefined || thought.hasEnded) return []
    thought.hasEnded = true
    return [more, output.thought(key)].filter((each) => each !== undefined)
  }

  const keyOf = (item: number, { summary_index: summary, content_index: content }: JsonObject): string =>
    `${round}/${item}/${typeof summary === 'number' ? `summary ${summary}` : `content ${Number(content ?? 0)}`}`

  return {
    add: (item, event) => think(keyOf(item, event), nonEmptyText(event['delta']) ?? ''),
    end: (item, event) => end(keyOf(item, event), event['text']),
    endItem: (item, { summary, content }) => [
      ...textsOf(summary).flatMap((text, at) => end(keyOf(item, { summary_index: at }), text)),
      ...textsOf(content).flatMap((text, at) => end(keyOf(item, { content_index: at }), text)),
      // Deltas that nothing has repeated.
      ...[...shown].flatMap(([key, { text }]) => (key.startsWith(`${round}/${item}/`) ? end(key, text) : [])),
    ],
  }
}

/** Text of content parts, refusals included. */
function textsOf(content: unknown): string[] {
  const parts = Array.isArray(content) ? content.filter(isJsonObject) : []
  return parts.map(({ text, refusal }) => nonEmptyText(text) ?? nonEmptyText(refusal) ?? '')
}

/** By the order of the output. Gateways that number nothing, or everything alike, are taken in the order of their events. */
function isBefore(place: TextPlace, other: TextPlace): boolean {
  if (place.item === other.item)
    return typeof place.part === 'number' && typeof other.part === 'number' && place.part < other.part
  return place.index !== undefined && other.index !== undefined && place.index < other.index
}

function contradiction(): Error {
  return modelError('it repeats its text with other words')
}
