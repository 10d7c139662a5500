import type { ChatMessage } from './message.ts'
import type { Lineage } from '../seam/chat-input.ts'

/** The message ids of the current run, by stream. */
export interface Turn {
  readonly requestId: string
  readonly answerId: string
  /** Message id by stream id, in order of appearance. */
  readonly streams: ReadonlyMap<string, string>
}

/** All messages and the turn under way. Immutable; every function here is pure and gives the same value back when nothing changed. */
export interface Conversation {
  readonly messages: readonly ChatMessage[]
  readonly turn: Turn | undefined
}

/** The conversation with changed messages; the same one when none changes. */
export function mapMessages(conversation: Conversation, update: (message: ChatMessage) => ChatMessage): Conversation {
  let changed = false
  const messages = conversation.messages.map((message) => {
    const updated = update(message)
    if (updated !== message) changed = true
    return updated
  })
  return changed ? { messages, turn: conversation.turn } : conversation
}

/** What turns that follow one another share: each of them has the first `count` streams. */
interface SharedStreams {
  readonly ids: Map<string, string>
  readonly count: number
}

const shared = new WeakMap<Turn, SharedStreams>()

/** Message id by stream id, as {@link Turn.streams}, and not copied for the newest turn. Read it immediately, do not store it. */
export function streamsOf(turn: Turn): ReadonlyMap<string, string> {
  return newestOf(turn) ?? turn.streams
}

/** The streams of the turn to add some to, for {@link withStreams}. The turn keeps those it has. */
export function streamsToExtend(turn: Turn): Map<string, string> {
  return newestOf(turn) ?? new Map(turn.streams)
}

/** The turn with these streams, to which later turns may add: its own list is made when it is read. */
export function withStreams({ requestId, answerId }: Turn, ids: Map<string, string>): Turn {
  const count = ids.size
  let streams: ReadonlyMap<string, string> | undefined
  const turn: Turn = {
    requestId,
    answerId,
    get streams() {
      return (streams ??= firstOf(ids, count))
    },
  }
  shared.set(turn, { ids, count })
  return turn
}

/** The shared streams, when no later turn has added any. */
function newestOf(turn: Turn): Map<string, string> | undefined {
  const known = shared.get(turn)
  return known?.ids.size === known?.count ? known?.ids : undefined
}

function firstOf(ids: ReadonlyMap<string, string>, count: number): ReadonlyMap<string, string> {
  const first = new Map<string, string>()
  for (const [streamId, id] of ids) {
    if (first.size === count) break
    first.set(streamId, id)
  }
  return first
}

/** Lineage of the runs for agents with a memory: what each run follows, and what the page no longer shows. */
export interface LineageLog {
  /** The conversation without the messages from `index` on. */
  cut(conversation: Conversation, index: number): Conversation
  /** Of a run whose messages are in the conversation. */
  of(requestId: string, messages: readonly ChatMessage[]): Lineage
  /** A request arrived: the agent knows what was dropped until then. */
  told(): void
}

export function createLineageLog(): LineageLog {
  /** Requests whose messages were removed and which no request that arrived has named. */
  const replaced = new Set<string>()
  return {
    cut({ messages }, index) {
      for (const { requestId } of messages.slice(index)) if (requestId !== undefined) replaced.add(requestId)
      return { messages: messages.slice(0, index), turn: undefined }
    },
    of(requestId, messages) {
      const first = messages.findIndex((message) => message.requestId === requestId)
      // An answer that is made again belongs to a question that was asked under another id.
      const question =
        messages[first]?.role === 'assistant'
          ? messages.slice(0, first).findLastIndex(({ role }) => role === 'user')
          : first
      const before = messages
        .slice(0, Math.max(0, question))
        .flatMap((message) => (message.status === 'not-sent' ? [] : (message.requestId ?? [])))
      return { rootRequestId: before[0], after: before.at(-1), replaces: [...replaced] }
    },
    told: () => replaced.clear(),
  }
}
