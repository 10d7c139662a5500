import type { AgentPart } from './agent-event.ts'
import type { Prompt, PromptAnswer } from './prompt.ts'
import type { StateEdit } from './state-edit.ts'

/** A file that goes with a message: uploaded before, or carried in the request itself. */
export type Attachment = (
  | {
      /** The id an upload gave it. */
      readonly id: string
      /** Its bytes in base64. Absent: the file was uploaded, and `id` names it. */
      readonly data?: undefined
    }
  | {
      /** The id of an uploaded file. Absent: the file travels in `data`. */
      readonly id?: undefined
      /** Its bytes in base64. */
      readonly data: string
    }
) & {
  /** Its file name. Absent: `id` is shown. */
  readonly name?: string | undefined
  /** Its media type, such as `image/png`. Absent: not known. */
  readonly mimeType?: string | undefined
  /** Its size in bytes. Absent: not known. */
  readonly size?: number | undefined
}

/** Position of a request in its conversation, so that an agent with a memory can keep it equal to what the page shows. */
export interface Lineage {
  /** The first request of the conversation; absent for the first one itself. */
  readonly rootRequestId?: string | undefined
  /** The request this one follows; absent for the first one. */
  readonly after?: string | undefined
  /** Requests whose questions or answers the page no longer shows, because a message was edited or an answer regenerated. */
  readonly replaces: readonly string[]
}

/** An answer to a prompt whose run has ended, for the request that carries it. */
export interface PromptReply {
  readonly prompt: Prompt
  /** The same whenever this answer is sent. */
  readonly answerId: string
  readonly answer: PromptAnswer
}

/** A message of the conversation as the page shows it: text and parts in their order. */
export interface HistoryMessage {
  readonly id: string
  readonly role: 'user' | 'assistant' | 'system'
  readonly parts: readonly (({ readonly type: 'text'; readonly text: string } | AgentPart) & { readonly id: string })[]
  readonly files?: readonly (string | Attachment)[] | undefined
  /** Of a message of the user: what the app sent with it. Absent: nothing. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** Of an answer: what its protocol remembers of it, as it gave it. Absent: it gave nothing. */
  readonly handle?: unknown
}

/** A message of the user, before the client turns it into a request. */
export interface ChatInput {
  readonly text: string
  readonly conversationId: string
  readonly requestId: string
  /** Files that go with it; a bare string is the id of one uploaded elsewhere. */
  readonly files?: readonly (string | Attachment)[] | undefined
  /** What the app sends with this request, also when it answers prompts or repeats a question. Absent: nothing. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** Position in the conversation. Absent: not known. */
  readonly lineage?: Lineage | undefined
  /** The last message of `history` is answered again, and `text` repeats it. @default false */
  readonly isRegeneration?: boolean | undefined
  /** All messages before this one, oldest first, for protocols that send them with each request. Absent: not known. */
  readonly history?: readonly HistoryMessage[] | undefined
  /** The handle of the answer before, as its protocol gave it. Absent: there is none. */
  readonly after?: unknown
  /** Answers to the questions that the run before ended with. Absent: none. */
  readonly answers?: readonly PromptReply[] | undefined
  /** What the user has made of the shared state last. A run before may have taken it along: then `history` says so. Absent: nothing. */
  readonly stateEdit?: StateEdit | undefined
}
