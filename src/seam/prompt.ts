import type { Guard } from '../base/guards.ts'
import {
  either,
  isAnything,
  isNumber,
  isRecord,
  isString,
  isTime,
  isListOf,
  oneOf,
  isOptional,
  shape,
  variant,
} from '../base/guards.ts'

/** A JSON Schema as it came from the agent: untrusted, and of any draft. */
export type JsonSchema = Readonly<Record<string, unknown>>

/**
 * What an agent asks for. `approval`: it wants to do something. `choice`: one of several options. `form`: values that fit a
 * schema. `sign-in`: the user signs in elsewhere. `permission`: it wants to be allowed something for a time. `other`: a kind that
 * this library does not know, which can only be declined.
 */
export type PromptKind = 'approval' | 'choice' | 'form' | 'sign-in' | 'permission' | 'other'

/** Whether a prompt asks the user to allow something; the other kinds want an answer. */
export function needsApproval(kind: PromptKind): boolean {
  return kind === 'approval' || kind === 'permission'
}

/** What is to be done if the user allows it. */
export interface PromptSubject {
  /** The tool call this is about, by the id of its part. Absent: there is no such part. */
  readonly toolCallId?: string | undefined
  /** Name of the tool or the action. */
  readonly name: string
  /** Its input: any JSON. */
  readonly input: unknown
  /** The schema of what the user may change in the input. Absent: nothing may be changed. */
  readonly editable?: JsonSchema | undefined
  /** Digest of exactly this subject. An answer carries it, so that it never allows anything else. */
  readonly digest: string
}

/** One of the answers an agent offers. */
export interface PromptOption {
  readonly id: string
  /** Plain text. */
  readonly label: string
  readonly kind: 'allow-once' | 'allow-always' | 'reject-once' | 'reject-always' | 'neutral'
  /** Plain text below the label. Absent: none. */
  readonly description?: string | undefined
  /** What it allows beyond this one time, as plain text for the user. Absent: nothing more. */
  readonly grants?: string | undefined
  /** How long it allows that, in milliseconds. Null: the agent does not say. Absent: once, or for ever where it grants anything. */
  readonly ttlMs?: number | null | undefined
}

/** What a user says to a prompt. */
export type PromptAnswer =
  | {
      readonly type: 'option'
      readonly optionId: string
      /** Digest of the subject as the user saw it. Absent: the prompt has no subject. */
      readonly digest?: string | undefined
      /** The input as the user changed it. Absent: unchanged. */
      readonly edits?: unknown
    }
  | { readonly type: 'value'; readonly value: unknown }
  /** The user has signed in. */
  | { readonly type: 'done' }
  | { readonly type: 'decline'; readonly reason?: string | undefined }
  | { readonly type: 'cancel' }

/** What is wrong with one value of an answer. */
export interface FieldError {
  /** JSON Pointer to the value; empty for the whole answer. */
  readonly path: string
  /** Plain text. */
  readonly message: string
}

/**
 * State of a prompt. `open`: waits for the user. `staged`: answered, and sent with the other prompts of its group. `sending`: on
 * its way to the agent. `unconfirmed`: sent, and nobody knows whether it arrived; it can be sent again. The others are ends:
 * `answered`, `declined` and `cancelled` by this user here, `answered-elsewhere` in another tab or on another device, `expired` when
 * its time had expired, `withdrawn` when the agent took it back or its run ended.
 */
export type PromptState =
  | 'open'
  | 'staged'
  | 'sending'
  | 'unconfirmed'
  | 'answered'
  | 'declined'
  | 'cancelled'
  | 'expired'
  | 'answered-elsewhere'
  | 'withdrawn'

/** How an agent says that a prompt has ended. */
export type PromptEnd = 'answered' | 'declined' | 'cancelled' | 'expired' | 'withdrawn'

/** A question of the agent that only the user can answer, and what became of it. */
export interface Prompt {
  readonly id: string
  readonly streamId: string
  readonly kind: PromptKind
  /** Plain text, never markdown. */
  readonly message: string
  readonly subject?: PromptSubject | undefined
  readonly options?: readonly PromptOption[] | undefined
  /** The content of a form; for a prompt of kind `other`, the payload. */
  readonly schema?: JsonSchema | undefined
  /** Values to begin with. */
  readonly initial?: unknown
  /** Address to sign in at; untrusted. */
  readonly url?: string | undefined
  /** Epoch milliseconds on the clock of this device. Only the agent says that a prompt has expired. */
  readonly expiresAt?: number | undefined
  /** What the agent does at expiry: use the default, cancel the request, or unspecified. */
  readonly onExpiry: 'default' | 'cancel' | 'unknown'
  /** Prompts of one group are answered together. */
  readonly group?: string | undefined
  /** By which way the answer goes: into the run that asks, or with the next request after that run has ended. */
  readonly answeredBy: 'command' | 'next-run'
  readonly state: PromptState
  /** The id of the answer that was given, or is being sent. */
  readonly answerId?: string | undefined
  /** What was answered, where that is known. */
  readonly answer?: PromptAnswer | undefined
  /** What the agent refused of the last answer. */
  readonly errors?: readonly FieldError[] | undefined
}

/** How a prompt has ended, without what was asked. */
export type PromptOutcome = Pick<Prompt, 'id' | 'state' | 'answer' | 'answerId'>

const isText = isOptional(isString)

export const isPromptAnswer: Guard<PromptAnswer> = variant<PromptAnswer, 'type'>('type', {
  option: shape({ optionId: isString, digest: isText, edits: isAnything }),
  value: shape({ value: isAnything }),
  done: isRecord,
  decline: shape({ reason: isText }),
  cancel: isRecord,
})

const isPromptState = either(
  oneOf('open', 'staged', 'sending', 'unconfirmed'),
  oneOf('answered', 'declined', 'cancelled', 'expired', 'answered-elsewhere', 'withdrawn'),
)

/** Type guard of what is known of a prompt by another tab. */
export const isPromptOutcome: Guard<PromptOutcome> = shape<PromptOutcome>({
  id: isString,
  state: isPromptState,
  answer: isOptional(isPromptAnswer),
  answerId: isText,
})

const isSubject = shape<PromptSubject>({
  toolCallId: isText,
  name: isString,
  input: isAnything,
  editable: isOptional(isRecord),
  digest: isString,
})

const isOption = shape<PromptOption>({
  id: isString,
  label: isString,
  kind: oneOf('allow-once', 'allow-always', 'reject-once', 'reject-always', 'neutral'),
  description: isText,
  grants: isText,
  ttlMs: either(isNumber, oneOf(null, undefined)),
})

/** Type guard of a prompt that comes from a disk or another tab. */
export const isPrompt: Guard<Prompt> = shape<Prompt>({
  id: isString,
  streamId: isString,
  kind: oneOf('approval', 'choice', 'form', 'sign-in', 'permission', 'other'),
  message: isString,
  subject: isOptional(isSubject),
  options: isOptional(isListOf(isOption)),
  schema: isOptional(isRecord),
  initial: isAnything,
  url: isText,
  expiresAt: isOptional(isTime),
  onExpiry: oneOf('default', 'cancel', 'unknown'),
  group: isText,
  answeredBy: oneOf('command', 'next-run'),
  state: isPromptState,
  answerId: isText,
  answer: isOptional(isPromptAnswer),
  errors: isOptional(isListOf(shape<FieldError>({ path: isString, message: isString }))),
})
