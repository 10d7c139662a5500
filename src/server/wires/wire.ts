import type { Digest } from '../../base/digest.ts'
import type { JsonObject } from '../../base/json-object.ts'
import type { Attachment } from '../../seam/chat-input.ts'
import type { AgentPart } from '../../seam/agent-event.ts'

/** What the user says to a prompt, in another protocol's request. */
export interface ForeignAnswer {
  readonly promptId: string
  /** `value` answers a choice by the id of an option, and a form by its values. */
  readonly says: { readonly type: 'allow' | 'deny' | 'cancel' } | { readonly type: 'value'; readonly value: unknown }
  /** The input as the user changed it. Absent: unchanged. */
  readonly edits?: unknown
}

/** Value of a request header. */
export type RequestHeader = (name: string) => string | null

/** A request of another protocol, as this server understands it. */
export interface ForeignCall {
  /** The run it begins, or the one that it answers. */
  readonly requestId: string
  /** A UUID, the same for the same conversation. */
  readonly conversationId: string
  readonly text: string
  readonly files: readonly Attachment[]
  /** What the page sent with the message. Absent: nothing. */
  readonly metadata?: JsonObject | undefined
  /** The request before, by the messages that the client shows. Undefined: it is the first. */
  readonly after: string | undefined
  /** Answers to what the run has asked. Empty: a run begins. */
  readonly answers: readonly ForeignAnswer[]
  /** The state that the page has sent. Absent: none. */
  readonly sent?: { readonly state: unknown } | undefined
  /** Ordinal of the last event that the client has; 0 for none. */
  readonly seen: number
}

/** How a response ends. `asking`: the run waits for the user, and another request continues with it. */
export type WireEnd = 'finished' | 'cancelled' | 'failed' | 'asking'

/** Says a run in the events of another protocol. */
export interface WireWriter {
  /** @param told the state sent earlier, for a client that continues in the middle. Absent: none */
  begin(told?: { readonly state: unknown }): readonly object[]
  text(streamId: string, text: string): readonly object[]
  part(id: string, part: AgentPart): readonly object[]
  /** The state as it is now; `delta` makes it of the one before. Absent: it is a new one. */
  state(state: unknown, delta?: unknown): readonly object[]
  /** A question, as its PROMPT event has it. */
  ask(id: string, data: JsonObject): readonly object[]
  /** The question has been answered, or has ended otherwise. */
  settle(id: string, data: JsonObject): readonly object[]
  warn(code: string, message: string): readonly object[]
  fail(code: string, message: string): readonly object[]
  /** @param asked the questions that wait for the user, by their ids */
  end(how: WireEnd, asked: ReadonlySet<string>): readonly object[]
}

/** The other protocols that a handler and a proxy speak, by the names of their folders. */
export type WireName = 'ag-ui' | 'ai-sdk'

/** Another protocol that a handler speaks. */
export interface Wire {
  /** @throws HttpRefusal 400 for a request that is none */
  read(body: JsonObject, header: RequestHeader, digest: Digest): Promise<ForeignCall>
  writer(call: ForeignCall, body: JsonObject): WireWriter
  readonly headers: Readonly<Record<string, string>>
  /** What follows the last event. */
  readonly trailer: string
}

type Marks = (body: JsonObject) => boolean

/** What a request of each protocol has. */
const WHOLE: Readonly<Record<WireName, Marks>> = {
  'ag-ui': ({ threadId, runId }) => typeof threadId === 'string' && typeof runId === 'string',
  // Apps may add a threadId to what `useChat` sends: the members of AG-UI are looked at first.
  'ai-sdk': ({ id, messages }) => typeof id === 'string' && Array.isArray(messages),
}

/** What is enough to refuse an incomplete request in the words of its protocol. */
const PARTIAL: Readonly<Partial<Record<WireName, Marks>>> = {
  'ag-ui': ({ threadId, runId }) => threadId !== undefined || runId !== undefined,
}

/** Which protocol a request is in, by its members. Undefined: CAP. */
export function wireOf(body: JsonObject): WireName | undefined {
  if (body['request_id'] !== undefined) return undefined
  const found = [WHOLE, PARTIAL].flatMap((table) => Object.entries(table)).find(([, marks]) => marks(body))
  // The keys of both tables are names of wires.
  return found?.[0] as WireName | undefined
}
