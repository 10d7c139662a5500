import type { AgentError, AgentErrorInit } from '../base/agent-error.ts'
import type { AgentEvent } from './agent-event.ts'

/** How far one stream has been read. Without `seq` the protocol has no numbers and nothing is de-duplicated by number. */
export interface Cursor {
  readonly streamId: string
  readonly seq?: number | undefined
}

/** One event as it came off the line, with the packet it was made from. */
export interface Delivery<Source = unknown> {
  readonly event: AgentEvent
  readonly cursor?: Cursor | undefined
  /** New content, not a replayed snapshot and not an error: it proves the line works and resets the retry counter. */
  readonly progress: boolean
  /** The validated packet behind the event. A packet that gives several events rides on the first. */
  readonly source?: Source | undefined
  /** Bytes that came for it, as UTF-8: counted for the limit of an answer. Absent: none are counted. */
  readonly bytes?: number | undefined
}

/** What one connection attempt is given. */
export interface Opening<Request> {
  readonly request: Request
  /** The same on every attempt of one run. */
  readonly requestId: string
  /** 0 on the first attempt of a run, then 1, 2, … */
  readonly attempt: number
  readonly cursors: readonly Cursor[]
  /** The last `id:` the server sent, opaque. */
  readonly lastEventId?: string | undefined
  readonly signal: AbortSignal
}

/** A wish of the person that the protocol may be able to carry to the agent. */
export type Command =
  | { readonly type: 'cancel'; readonly requestId: string }
  | { readonly type: 'answer'; readonly promptId: string; readonly value: unknown }

/** A batch: everything one network chunk held. Empty means "alive, nothing new". */
export interface Batch<Source = unknown> {
  readonly deliveries: readonly Delivery<Source>[]
  /** The last event id after this batch, when the protocol has one. */
  readonly lastEventId?: string | undefined
  /**
   * An empty batch for bytes that completed nothing, neither a packet nor a heartbeat. Such bytes count as a sign of life
   * for a limited time only, so that a frame which never ends does not hold a connection for ever.
   * @default false
   */
  readonly partial?: boolean | undefined
}

/**
 * THE SEAM. A protocol translates one connection into neutral events; it never retries, sleeps,
 * de-duplicates or remembers. CAP, A2A and ARCP are siblings behind it.
 */
export interface AgentProtocol<Request, Source = unknown> {
  readonly name: string
  /** Origin the lines go to, for limits per server; empty for the page's own. */
  readonly server?: string | undefined
  /**
   * One connection attempt. Yields a first, empty batch when the agent has answered, then one batch
   * per network chunk. Returns when the line has ended, whether or not the run has: the session
   * knows from the events which it was. Throws an {@link AgentError} made by `createError`.
   */
  open(opening: Opening<Request>): AsyncIterable<Batch<Source>>
  /** Whether a new line can go on exactly where these streams stand. Absent: always. */
  canResume?(cursors: readonly Cursor[]): boolean
  /**
   * Number that a stream begins with at the latest. One whose first packet has a higher number has lost those before it: a gap.
   *
   * @default any number
   */
  readonly firstSeq?: number | undefined
  /** Cancel a run or answer a prompt, where the protocol can. */
  act?(command: Command, options: { readonly signal: AbortSignal }): Promise<void>
  /** What is wrong with the id of a conversation, as a sentence for whoever writes the app; undefined when it can be used. Absent: any text can. */
  conversationIdFault?(id: string): string | undefined
  /** Makes an error of the protocol's own family, so that `instanceof` says what people expect. */
  createError(init: AgentErrorInit): AgentError
}

/** A file that goes with a message: uploaded before, or carried in the request itself. */
export type Attachment = (
  | {
      /** The id an upload gave it. */
      readonly id: string
      readonly data?: undefined
    }
  | {
      readonly id?: undefined
      /** Its bytes in base64. */
      readonly data: string
    }
) & {
  readonly name?: string | undefined
  readonly mimeType?: string | undefined
  /** Bytes. */
  readonly size?: number | undefined
}

/** Where a request stands in its conversation, so that an agent which keeps what was said can keep what the page shows. */
export interface Lineage {
  /** The first request of the conversation; absent for the first one itself. */
  readonly rootRequestId?: string | undefined
  /** The request this one follows; absent for the first one. */
  readonly after?: string | undefined
  /** Requests whose questions or answers the page no longer shows, because a message was edited or an answer made anew. */
  readonly replaces: readonly string[]
}

/** What a person said, before a protocol turns it into a request. */
export interface ChatInput {
  readonly text: string
  readonly conversationId: string
  readonly requestId: string
  /** Files that go with it; a bare string is the id of one uploaded elsewhere. */
  readonly files?: readonly (string | Attachment)[] | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** Where it stands in the conversation. Absent: nothing is known of that. */
  readonly lineage?: Lineage | undefined
}
