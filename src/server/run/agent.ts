import type { Clock } from '../../base/ports/clock.ts'
import type { Attachment } from '../../seam/chat-input.ts'
import type { ServiceRequest } from '../../protocols/cap/schema/request.ts'
import type { ConversationMessage } from '../conversation/conversation-store.ts'
import type { AgentOutput } from './agent-output.ts'
import type { Ask } from './ask.ts'
import type { AgentRunState } from './agent-run-state.ts'

/** A whole answer at once, sent as a JSON ServiceResponse (CAP section 3.6). */
export interface AgentAnswer {
  readonly output: Readonly<Record<string, unknown>>
  readonly metrics?: Readonly<Record<string, unknown>> | null | undefined
}

/** An answer in the form of the model's vendor, and what of it a page shows. */
export interface RememberedAnswer {
  /** Whose form it is: the `vendor` of `ConversationMessage.model` in later runs. */
  readonly vendor: string
  /** Messages or items of the vendor, plain JSON: the model's own with reasoning and signatures, and the results of its calls. */
  readonly items: readonly object[]
  /** All text that was shown of it. */
  readonly text: string
  /** The ids of the events that were shown of it. */
  readonly eventIds: readonly string[]
}

/** What an agent is given beside the request. It lives as long as the run, not as long as a connection. */
export interface AgentRun {
  readonly requestId: string
  /** The user's message; empty when the request has no text. */
  readonly text: string
  /** Files that the user attached; a bare string is the id of an uploaded one, or its URL. Empty when there are none. */
  readonly files: readonly (string | Attachment)[]
  /** What the page sent with the message. Absent: nothing. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** The id of the conversation, a UUID that the client chose (`session_id`). */
  readonly conversationId: string
  /**
   * The messages before this one, oldest first, as the page shows them: edited questions and answers that were made again are left
   * out. Read from the conversation store once, when it is asked for. Rejects when the store cannot be read.
   */
  history(): Promise<readonly ConversationMessage[]>
  /**
   * The request this one follows in its conversation (`parent_request_id`): of the history you keep, everything after that
   * one is no longer shown. Undefined for the first one, and from clients that do not say.
   */
  readonly after: string | undefined
  /**
   * Requests of the conversation whose questions or answers are no longer shown, because the user edited a message or had
   * an answer made again. Empty when there are none, and from clients that do not say.
   */
  readonly replaces: readonly string[]
  /** The result of `authorize` for the caller. */
  readonly user: string | undefined
  /** Address and headers of the request that started the run. */
  readonly url: URL
  readonly headers: Headers
  /**
   * Aborts when the run cannot continue (the handler shut down, its log is gone), or the user has cancelled it: then its reason is an
   * AgentError with the `agentCode` `cancelled`. A client that leaves never aborts it.
   */
  readonly signal: AbortSignal
  readonly clock: Clock
  /** A new UUID, for events that will be replaced in place. */
  uuid(): string
  /** Waits on the run's clock. Rejects when the run is aborted. */
  sleep(ms: number): Promise<void>
  /** Gives an error to `onError` of the handler. The run continues, and clients do not see it. */
  report(error: unknown): void
  /**
   * Stores an answer in the form of the model's vendor next to the answer that the page shows, in the conversation store: what the next request
   * sends back to the model. The model helpers call it, and pages never get it. It is stored with a complete answer that shows the same text
   * and no other calls; of several the last one counts.
   */
  remember(answer: RememberedAnswer): void
  /** Says something from a callback. Resolves once it is logged; keeps the order of the calls. */
  write(output: AgentOutput): Promise<void>
  /**
   * Asks the user, and resolves when there is an answer: it is in the log then. Rejects when the run is aborted, when its stream is
   * closed before, and with `app_error` for what makes no prompt.
   */
  readonly ask: Ask
  /** The state that the agent shares with the page. */
  readonly state: AgentRunState
  /** What the user says while the run continues. */
  readonly inbox: RunInbox
}

/** How an agent ends: nothing, or the reason its main stream closes with (default `finished`). */
export type AgentEnding = string | void

/**
 * An agent. Most are generators:
 *
 * ```ts
 * async function* agent(request, run) {
 *   yield 'Rivers '
 *   yield event('THOUGHT_TRACE', { thought: 'Looking at bends' })
 *   yield warning('old_index', 'The index is a day old.')
 *   yield onStream('summary', 'In one line: …')
 * }
 * ```
 *
 * An async function may call `run.write` instead, or return `{ output }` for a JSON answer. A generator
 * always streams. What an agent throws, or says and no packet can carry, reaches the client as FATAL `internal_error` without
 * its message.
 */
export type Agent = (
  request: ServiceRequest,
  run: AgentRun,
) =>
  | AsyncIterable<AgentOutput, AgentEnding>
  | Promise<AsyncIterable<AgentOutput, AgentEnding> | AgentAnswer | AgentEnding>

/** Messages that the user sent into the run. */
export interface InboxMessage {
  readonly messageId: string
  readonly text: string
}

/**
 * What the user says while the run continues, each message once and in the order of the log. Read it with `for await`, which ends with the
 * run, or take the messages so far. There is one inbox: each message is delivered once.
 */
interface RunInbox extends AsyncIterable<InboxMessage> {
  /** The messages that have come since; empty when there are none. Never waits. */
  take(): readonly InboxMessage[]
}

/** An inbox and its other end. */
export interface OpenInbox {
  readonly inbox: RunInbox
  add(message: InboxMessage): void
  /** No more messages come. */
  end(): void
}

export function createInbox(): OpenInbox {
  let messages: InboxMessage[] = []
  let waiting: ((step: IteratorResult<InboxMessage, undefined>) => void)[] = []
  let ended = false

  const iterator: AsyncIterator<InboxMessage, undefined> = {
    async next() {
      const message = messages.shift()
      if (message !== undefined) return { done: false, value: message }
      if (ended) return { done: true, value: undefined }
      return new Promise((resolve) => {
        waiting.push(resolve)
      })
    },
    // A reader that stops may start again.
    return: async () => ({ done: true, value: undefined }),
  }

  return {
    inbox: {
      [Symbol.asyncIterator]: () => iterator,
      take() {
        const taken = messages
        messages = []
        return taken
      },
    },
    add(message) {
      const next = waiting.shift()
      if (next === undefined) messages.push(message)
      else next({ done: false, value: message })
    },
    end() {
      ended = true
      const left = waiting
      waiting = []
      for (const each of left) each({ done: true, value: undefined })
    },
  }
}
