import type { Lineage, Attachment } from '../seam/chat-input.ts'
import type { AgentError } from '../base/agent-error.ts'
import type { AgentPart } from '../seam/agent-event.ts'
import type { Usage } from '../seam/usage.ts'

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

/** Text of one stream. `streaming` until the stream ends or another block follows. */
export interface TextPart {
  readonly type: 'text'
  readonly id: string
  readonly text: string
}

/** Packets that never came, marked at the place where they are missing. */
export interface GapPart {
  readonly type: 'gap'
  readonly id: string
  readonly after: number
  readonly before: number
}

/** A WARNING, kept where it happened. */
export interface WarningPart {
  readonly type: 'warning'
  readonly id: string
  readonly error: AgentError
}

export type MessagePart = TextPart | GapPart | WarningPart | (AgentPart & { readonly id: string })

/**
 * Status of a message. User: `sending`, `sent`, `not-sent`. Assistant: `pending` (nothing came
 * yet), `streaming`, then one ending: `complete`, `incomplete` (the connection ended before the agent
 * did and attempts ran out), `stopped` (by the user), `failed` (typed `error`).
 */
export type MessageStatus =
  | 'sending'
  | 'sent'
  | 'not-sent'
  | 'pending'
  | 'streaming'
  | 'complete'
  | 'incomplete'
  | 'stopped'
  | 'failed'

/** Whether a message of that status may still grow. */
export function isLiveStatus(status: MessageStatus): boolean {
  return status === 'pending' || status === 'streaming'
}

/** One immutable message: a new object when anything in it changed, the same one when nothing did. */
export interface ChatMessage {
  /** Stable from the moment of sending, over retries and reloads. */
  readonly id: string
  readonly role: 'user' | 'assistant' | 'system'
  readonly parts: readonly MessagePart[]
  readonly status: MessageStatus
  /** The run this message belongs to. */
  readonly requestId?: string | undefined
  /** Set with status `failed`, `incomplete` and `not-sent`. */
  readonly error?: AgentError | undefined
  /** The agent began this answer again; its earlier output was replaced. */
  readonly restarted?: boolean | undefined
  /** The files sent with it; a bare string is a file's id. */
  readonly files?: readonly (string | Attachment)[] | undefined
  /** Of a message of the user: what the app sent with it. Of an answer: what its request had, where that was not its question's. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** Epoch milliseconds. */
  readonly createdAt?: number | undefined
  /** Epoch milliseconds of the first text, when there is some. */
  readonly firstTextAt?: number | undefined
  /** Epoch milliseconds of the ending. */
  readonly endedAt?: number | undefined
  /**
   * Of a stopped answer: whether the agent has stopped its work. `cancelling`: it is being asked to. `cancelled`: it has confirmed.
   * `left`: it cannot be notified or has not confirmed, so it may still be working.
   */
  readonly stop?: 'cancelling' | 'cancelled' | 'left' | undefined
  /** What the answer took, as far as the agent says. */
  readonly usage?: Usage | undefined
  /** What its protocol wants to know when the conversation continues: plain data. */
  readonly handle?: unknown
}

/** All text of a message, in order, without anything between the parts. */
export function textOf(message: ChatMessage): string {
  let text = ''
  for (const part of message.parts) if (part.type === 'text') text += part.text
  return text
}

/** A message to send. */
export interface OutgoingMessage {
  readonly text: string
  /** Files uploaded before or carried along; a bare string is the id of an uploaded one. @default [] */
  readonly files?: readonly (string | Attachment)[] | undefined
  /** What the app wants to go with it: sent to the agent, and saved with the message. Absent: none is sent. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

/** A queued message, not sent yet. */
export interface QueuedMessage {
  /** The request id it will be sent with. */
  readonly id: string
  readonly message: OutgoingMessage
}

/**
 * What an app knows of its own agent, for types only: nothing is checked while the app runs. Name what you know and leave
 * out the rest.
 */
export interface ChatTypes {
  /** Of messages: what `sendMessage` is given with one. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** Of tools, by name. */
  readonly tools?: Readonly<Record<string, { readonly input?: unknown; readonly output?: unknown }>> | undefined
  /** Of data parts. */
  readonly data?: unknown
}

type ToolPart = Extract<MessagePart, { readonly type: 'tool-call' }>

type DataPart = Extract<MessagePart, { readonly type: 'data' }>

/** The metadata of messages. */
export type MetadataOf<Types extends ChatTypes> = Types extends {
  readonly metadata: infer Metadata extends Readonly<Record<string, unknown>>
}
  ? Metadata
  : Readonly<Record<string, unknown>>

type InputOf<Tool> = Tool extends { readonly input: infer Input } ? Input : unknown

type OutputOf<Tool> = Tool extends { readonly output: infer Output } ? Output : unknown

/** A call of one of the tools: `name` narrows its input, `status` its output, which is the reason when it failed. */
type ToolPartOf<Types extends ChatTypes> = Types extends { readonly tools: infer Tools }
  ? {
      [Name in keyof Tools & string]: Omit<ToolPart, 'name' | 'input' | 'output' | 'status'> & {
        readonly name: Name
        readonly input?: InputOf<Tools[Name]> | undefined
      } & (
          | { readonly status: 'running' | 'complete'; readonly output?: OutputOf<Tools[Name]> | undefined }
          | { readonly status: 'failed'; readonly output?: unknown }
        )
    }[keyof Tools & string]
  : ToolPart

/** A data part. */
type DataPartOf<Types extends ChatTypes> = Types extends { readonly data: infer Data }
  ? Omit<DataPart, 'data'> & { readonly data: Data }
  : DataPart

/** A message whose metadata, tool calls and data have the types of the app. */
export type TypedMessage<Types extends ChatTypes> = Omit<ChatMessage, 'parts' | 'metadata'> & {
  readonly parts: readonly (Exclude<MessagePart, ToolPart | DataPart> | ToolPartOf<Types> | DataPartOf<Types>)[]
  readonly metadata?: MetadataOf<Types> | undefined
}
