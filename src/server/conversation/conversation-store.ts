import type { AgentPart } from '../../seam/agent-event.ts'
import type { Attachment } from '../../seam/chat-input.ts'

/** Names a conversation. */
export interface ConversationKey {
  /** Whose it is: what `authorize` returned, empty without it. Nobody else ever reads it. */
  readonly owner: string
  /** The id that the client gave it, a UUID. */
  readonly id: string
}

/** A part of an answer: text, or anything else that a page shows. */
export type ConversationPart = ({ readonly type: 'text'; readonly text: string } | AgentPart) & {
  /** Unique in its answer. */
  readonly id: string
}

/** Messages or items of one vendor: an answer in the vendor's own form, for the next request. */
interface ModelRecord {
  /** `openai` or `anthropic`, or your own name. */
  readonly vendor: string
  /** Plain JSON, in order, unchanged. */
  readonly items: readonly object[]
}

/** The agent's answer to one request. */
export interface ConversationAnswer {
  readonly parts: readonly ConversationPart[]
  /** `stopped`: the user cancelled it. `failed`: the agent failed, or the server stopped. Only `complete` is a whole answer. */
  readonly status: 'complete' | 'stopped' | 'failed'
  /** Epoch milliseconds of its end. */
  readonly at: number
  /** The same answer in the form of the model's vendor, with what no part shows, such as encrypted reasoning. Never sent to a page. Absent: none */
  readonly model?: ModelRecord | undefined
}

/** One request and its answer. Plain JSON. */
export interface ConversationTurn {
  /** The id of the request. */
  readonly id: string
  /** The request it followed on the page. Absent: it was the first, or the client did not say. */
  readonly after?: string | undefined
  /** Requests that the page showed no longer from this one on. */
  readonly replaces: readonly string[]
  /** The user's message. */
  readonly text: string
  /** Files that went with it; a bare string is the id of an uploaded one. Absent: none. */
  readonly files?: readonly (string | Attachment)[] | undefined
  /** What the page sent with it. Absent: nothing. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** Epoch milliseconds. */
  readonly at: number
  /** Absent: the agent has not ended, or its process died. */
  readonly answer?: ConversationAnswer | undefined
}

/** A conversation as it is in a list. */
export interface ConversationEntry {
  readonly id: string
  readonly title: string
  /** Epoch milliseconds of its first turn. */
  readonly createdAt: number
  /** Epoch milliseconds of its last turn, or of the last answer. */
  readonly updatedAt: number
}

/**
 * Where conversations are kept. Six functions over plain data: `memoryConversationStore`, `redisConversationStore` and
 * `sqlConversationStore` are ready, and `conversationStoreCases` of `capstan/testing` tests one of your own. Each function is
 * idempotent, since a call whose reply was lost is made again, and rejects when the store cannot be reached.
 */
export interface ConversationStore {
  /**
   * Adds a turn at the end, without its answer. `title` is that of a conversation that is new. A turn that is there already keeps
   * its place; its text is replaced and its answer removed, because the agent runs again.
   */
  begin(key: ConversationKey, turn: Omit<ConversationTurn, 'answer'>, title: string): Promise<void>
  /** Gives a turn its answer. Changes nothing where there is no such turn, because the conversation was removed. */
  finish(key: ConversationKey, turnId: string, answer: ConversationAnswer): Promise<void>
  /** All turns in the order in which they were begun, replaced ones too. Empty for a conversation that is unknown. */
  turns(key: ConversationKey): Promise<readonly ConversationTurn[]>
  /** The conversations of an owner, the latest first, at most `limit`. */
  list(owner: string, limit: number): Promise<readonly ConversationEntry[]>
  /** Gives a conversation another title. Changes nothing where there is none. */
  rename(key: ConversationKey, title: string): Promise<void>
  /** Deletes a conversation and all its turns. A turn that is begun afterwards makes it again. */
  remove(key: ConversationKey): Promise<void>
}

/** A message of a conversation, in no protocol's form. */
export interface ConversationMessage {
  /** Unique in its conversation. */
  readonly id: string
  readonly role: 'user' | 'assistant'
  /** All text of it. Empty for an answer of other parts only. */
  readonly text: string
  /** Text, tools, sources and everything else, in their order. */
  readonly parts: readonly ConversationPart[]
  /** Files that went with a message of the user. Absent: none. */
  readonly files?: readonly (string | Attachment)[] | undefined
  /** What the page sent with a message of the user. Absent: nothing. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** Of an answer; a message of the user is `complete`. Text of an answer that is not `complete` may end in mid-sentence. */
  readonly status: ConversationAnswer['status']
  /** The request that asked, or was answered. */
  readonly requestId: string
  /** Epoch milliseconds. */
  readonly at: number
  /** Of an answer in `run.history()`: what `run.remember` has stored with it. Absent: nothing. */
  readonly model?: ModelRecord | undefined
}

/** The messages of turns that a page may read: the user's and the answers. Empty answers are omitted. */
export function messagesOf(turns: readonly ConversationTurn[]): ConversationMessage[] {
  return historyOf(turns).map((message) => {
    const { model: _, ...shown } = message
    return shown
  })
}

/** The messages of turns, with what the server remembers for the model. */
export function historyOf(turns: readonly ConversationTurn[]): ConversationMessage[] {
  return turns.flatMap(({ id: requestId, text, files, metadata, at, answer }) => {
    const question: ConversationMessage = {
      id: requestId,
      role: 'user',
      text,
      parts: text === '' ? [] : [{ type: 'text', text, id: 'text' }],
      ...(files !== undefined && { files }),
      ...(metadata !== undefined && { metadata }),
      status: 'complete',
      requestId,
      at,
    }
    if (answer === undefined || answer.parts.length === 0) return [question]
    const { parts, status, at: ended, model } = answer
    const said = { text: textOf(parts), parts, status, requestId, at: ended, ...(model !== undefined && { model }) }
    return [question, { id: `${requestId}-answer`, role: 'assistant', ...said }]
  })
}

function textOf(parts: readonly ConversationPart[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
}

/** UTF-16 code units of a first message that make a title. */
const TITLE_LENGTH = 80

/** The words that a conversation began with, on one line. */
export function conversationTitle(text: string): string {
  const title = text.replaceAll(/\s+/g, ' ').trim()
  if (title.length <= TITLE_LENGTH) return title
  // Whole characters only: none is cut in two.
  return `${title
    .slice(0, TITLE_LENGTH)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()}…`
}

/** Where a request is in its conversation, as its client says. */
export interface TurnPlace {
  /** The request it follows. Undefined: it is the first, or the client does not say. */
  readonly after: string | undefined
  /** Requests that the page no longer shows. */
  readonly replaces: readonly string[]
  /** The client says that nothing is before it. @default false */
  readonly isFirst?: boolean
}

/**
 * The turns that a page shows before a request: edits and regenerations leave branches in a conversation, and this is the branch
 * the request is on. It goes from turn to turn by what each one followed. For a client that does not name the previous request,
 * it is all turns that no later one has replaced. Pure.
 *
 * @param turns all turns before the request, in the order in which they were begun
 */
export function shownTurns(
  turns: readonly ConversationTurn[],
  { after, replaces, isFirst = false }: TurnPlace,
): ConversationTurn[] {
  if (isFirst) return []
  const parent = turns.find(({ id }) => id === after)
  if (parent === undefined) {
    const gone = new Set([...replaces, ...turns.flatMap((turn) => turn.replaces)])
    return turns.filter(({ id }) => !gone.has(id))
  }
  // Only turns that were begun before: a client that names one of later cannot make a circle.
  const before = turns.slice(0, turns.indexOf(parent))
  return [...shownTurns(before, placeOf(parent)), parent]
}

/** The turns of the newest branch: what a page shows that opens the conversation. */
export function newestTurns(turns: readonly ConversationTurn[]): ConversationTurn[] {
  const last = turns.at(-1)
  return last === undefined ? [] : [...shownTurns(turns.slice(0, -1), placeOf(last)), last]
}

function placeOf({ after, replaces }: ConversationTurn): TurnPlace {
  return { after, replaces }
}
