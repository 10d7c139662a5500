import type { AgentEvent } from '../../seam/agent-event.ts'
import type { Conversation } from './conversation.ts'
import type { ChatMessage } from './message.ts'
import type { PartsDraft } from './parts-draft.ts'
import { createPartsDraft } from './parts-draft.ts'
import { askAgain, settlePrompt } from './prompt-state.ts'
import { streamsOf, streamsToExtend, withStreams } from './turn-streams.ts'

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
        // What the user was asked and has said is no less true when the agent's own parts are replaced, and so is the state.
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

  /** The message in which the stream speaks, by its index; a new stream gets the open place, or a message of its own. -1: it is gone. */
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

  /** CAP section 7, row 4: the agent begins again, so all it had said in this turn goes. */
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
