import type { AgentEvent, AgentPart } from '../seam/agent-event.ts'
import {
  type Conversation,
  streamsOf,
  streamsToExtend,
  withStreams,
  type ChatMessage,
  type MessagePart,
} from './turn.ts'
import { askAgain, settlePrompt } from './prompts.ts'

/** An event of the turn and when it came, in epoch milliseconds. */
export interface DatedEvent {
  readonly event: AgentEvent
  readonly at: number
}

/** The index of each message by id, for a finished list. Taken and changed by the code that extends the list. */
const indexes = new WeakMap<readonly ChatMessage[], Map<string, number>>()

/** The conversation with the first `count` events applied in order. Costs one copy of the lists that change, however many events there are. */
export function foldEvents(conversation: Conversation, events: readonly DatedEvent[], count: number): Conversation {
  if (conversation.turn === undefined) return conversation
  const { messages: before, turn } = conversation
  let messages = [...before]
  let places = indexes.get(before) ?? placesOf(before)
  indexes.delete(before)
  /** With those that are new; made when there is one. */
  let streams: Map<string, string> | undefined
  const drafts = new Map<number, PartsDraft>()
  let changed = false
  for (const dated of events.slice(0, count)) apply(dated)
  for (const [place, draft] of drafts) set(place, { parts: draft.finish() })
  indexes.set(changed ? messages : before, places)
  return changed ? { messages, turn: streams === undefined ? turn : withStreams(turn, streams) } : conversation

  function apply({ event, at }: DatedEvent): void {
    switch (event.type) {
      case 'text': {
        const place = speak(event.streamId, at)
        partsOf(place).appendText(event.text, event.partId)
        return setFirstText(place, at)
      }
      case 'part': {
        const draft = partsOf(speak(event.streamId, at))
        const { part } = event
        let isOutdated = false
        // The reply to a revocation may arrive before the events that precede it.
        if (part.type === 'lease' && part.lease.state === 'active')
          draft.change('lease', event.partId, (known) => {
            isOutdated = known.lease.state !== 'active'
            return known
          })
        return isOutdated ? undefined : draft.put(event.partId, part)
      }
      case 'snapshot': {
        const place = speak(event.streamId, at)
        const draft = createPartsDraft([])
        const before = partsOf(place).finish()
        for (const { partId, part } of event.parts) {
          if (part.type === 'text') draft.appendText(part.text, partId)
          else draft.put(partId, part)
        }
        // Prompts, the user's answers and the state stay valid when the agent's own parts are replaced.
        for (const part of before)
          if (
            (part.type === 'prompt' || part.type === 'said' || part.type === 'state') &&
            !event.parts.some(({ partId }) => partId === part.id)
          )
            draft.put(part.id, part)
        drafts.set(place, draft)
        return event.parts.some(({ part }) => part.type === 'text') ? setFirstText(place, at) : undefined
      }
      case 'warning':
        return partsOf(speak(event.streamId, at)).add((warnings) => ({
          type: 'warning',
          id: `warning-${warnings + 1}`,
          error: event.error,
        }))
      case 'prompt': {
        const { prompt } = event
        const draft = partsOf(speak(prompt.streamId, at))
        let asked = prompt
        draft.change('prompt', prompt.id, (known) => ({ ...known, prompt: (asked = askAgain(known.prompt, prompt)) }))
        return draft.put(prompt.id, { type: 'prompt', prompt: asked })
      }
      case 'prompt-settled':
        return partsOf(placeOf(event.streamId, at)).change('prompt', event.promptId, (known) => ({
          ...known,
          prompt: settlePrompt(known.prompt, event),
        }))
      case 'usage':
        return set(placeOf(event.streamId, at), { usage: event.usage })
      case 'stream-failed':
        return set(placeOf(event.streamId, at), { status: 'failed', error: event.error, endedAt: at })
      case 'stream-closed': {
        const place = placeOf(event.streamId, at)
        if (messages[place]?.status === 'failed') return
        if (event.outcome === 'cancelled') return set(place, { status: 'stopped', stop: 'cancelled', endedAt: at })
        return set(place, { status: 'complete', endedAt: at })
      }
      case 'diagnostic': {
        const { diagnostic } = event
        if (diagnostic.kind === 'restarted') return restart()
        if (diagnostic.kind !== 'gap') return
        const { streamId, after, before } = diagnostic
        return partsOf(speak(streamId, at)).add(() => ({ type: 'gap', id: `gap-${after}`, after, before }))
      }
      case 'run-started':
      case 'run-finished':
      case 'stream-interrupted':
        return
    }
  }

  /** The message in which the stream speaks, by its index; a new stream gets the open place, or its own message. -1: it is gone. */
  function placeOf(streamId: string | undefined, at: number): number {
    const known = streamId === undefined ? turn.answerId : (streams ?? streamsOf(turn)).get(streamId)
    if (known !== undefined) return places.get(known) ?? -1
    streams ??= streamsToExtend(turn)
    changed = true
    const ordinal = streams.size + 1
    const id = ordinal === 1 ? turn.answerId : `${turn.answerId}-${ordinal}`
    streams.set(streamId ?? '', id)
    if (ordinal === 1) return places.get(id) ?? -1
    places.set(id, messages.length)
    return (
      messages.push({ id, role: 'assistant', parts: [], status: 'pending', requestId: turn.requestId, createdAt: at }) -
      1
    )
  }

  function speak(streamId: string | undefined, at: number): number {
    const place = placeOf(streamId, at)
    if (messages[place]?.status === 'pending') set(place, { status: 'streaming' })
    return place
  }

  function partsOf(place: number): PartsDraft {
    const draft = drafts.get(place) ?? createPartsDraft(messages[place]?.parts ?? [])
    drafts.set(place, draft)
    return draft
  }

  function set(place: number, change: Partial<ChatMessage>): void {
    const message = messages[place]
    if (message === undefined) return
    messages[place] = { ...message, ...change }
    changed = true
  }

  function setFirstText(place: number, at: number): void {
    if (messages[place]?.firstTextAt === undefined) set(place, { firstTextAt: at })
  }

  /** CAP section 7, row 4: the agent begins again, so its output of this turn is removed. */
  function restart(): void {
    messages = messages
      .filter(
        (message) => message.requestId !== turn.requestId || message.role === 'user' || message.id === turn.answerId,
      )
      .map((message) =>
        message.id === turn.answerId
          ? {
              ...message,
              parts: [],
              status: 'pending',
              restarted: true,
              firstTextAt: undefined,
              endedAt: undefined,
              error: undefined,
            }
          : message,
      )
    places = placesOf(messages)
    drafts.clear()
    streams = new Map()
    changed = true
  }
}

/** Of two messages with one id the later one counts. */
function placesOf(messages: readonly ChatMessage[]): Map<string, number> {
  return new Map(messages.map(({ id }, place) => [id, place]))
}

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

/** Parts that have their own place between two paragraphs, and are beside the text inside of one. */
const BETWEEN_PARAGRAPHS: ReadonlySet<MessagePart['type']> = new Set(['thought', 'notice'])

/**
 * A list with at most this many parts is searched without an index, because an answer of many messages would need many
 * partIndexes.
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
const partIndexes = new WeakMap<readonly MessagePart[], PartsIndex>()

/** The parts of one message while events are added. Every method costs the same however many parts there are. */
interface PartsDraft {
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
  /** Adds a part with a unique id; the id of a warning is made from its number. */
  add(makePart: (warnings: number) => MessagePart): void
  /** The parts as an immutable list. The draft must not be used afterwards. */
  finish(): readonly MessagePart[]
}

/** A draft that continues `before`, which stays as it is. */
function createPartsDraft(before: readonly MessagePart[]): PartsDraft {
  const known = partIndexes.get(before)
  const index = known ?? {
    places: new Map<MessagePart['type'], Map<string, number>>(),
    texts: 0,
    warnings: 0,
    lastText: -1,
    block: false,
    betweenParagraphs: false,
  }
  const parts = known === undefined ? [] : [...before]
  if (known !== undefined) partIndexes.delete(before)
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
      if (parts.length > FEW) partIndexes.set(parts, index)
      return parts
    },
  }
}
