import type { StandardSchema } from '../../base/standard-schema.ts'
import type { FieldError, JsonSchema, PromptOption } from '../../seam/prompt.ts'

/** Checks a value of the user: a Standard Schema, or a function that returns what is wrong with it, nothing when it is right. */
export type Validate<Value = unknown> =
  | StandardSchema<Value>
  | ((value: unknown) => readonly FieldError[] | undefined | Promise<readonly FieldError[] | undefined>)

/** What is to be done if the user allows it. */
export interface AskSubject<Input = unknown> {
  /** Name of the tool or the action. */
  readonly name: string
  /** Its input: any JSON. */
  readonly input: Input
  /**
   * JSON Schema of what the user may change in the input; of an object, the properties it lists and no others. Absent: nothing may be
   * changed.
   */
  readonly editable?: JsonSchema | undefined
  /** The id of the TOOL_CALL event this is about. Absent: there is no such event. */
  readonly toolCallId?: string | undefined
}

/** What all prompts have in common. */
export interface AskOptions {
  /** Plain text, never markdown. Empty for an approval that the page asks for in its own words, by the name of its subject. */
  readonly message: string
  /** Milliseconds until the prompt expires, on the clock of the server. Absent: it never does. */
  readonly expiresInMs?: number | undefined
  /** Prompts of one group are answered together. Absent: the prompt is alone. */
  readonly group?: string | undefined
  /** Name of the stream it is asked on, as in `onStream`; the empty name is the main stream. @default '' */
  readonly stream?: string | undefined
}

/** Asks whether something may be done: once (`approval`), or for a time too (`permission`). */
export interface ApprovalAsk<Input = unknown> extends AskOptions {
  readonly kind: 'approval' | 'permission'
  readonly subject: AskSubject<Input>
  /** Only those that begin with `allow` allow anything. @default "Allow" (`allow-once`) and "Deny" (`reject-once`) */
  readonly options?: readonly PromptOption[] | undefined
  /** Checks an input that the user has changed. Absent: it is checked against `subject.editable`. */
  readonly validate?: Validate<Input> | undefined
}

/** Asks for one of several options. */
export interface ChoiceAsk extends AskOptions {
  readonly kind: 'choice'
  readonly options: readonly PromptOption[]
  /** What the choice is about. Absent: the message says it. */
  readonly subject?: AskSubject | undefined
  /** The id of the option that is taken when the prompt expires. Absent: none is. */
  readonly default?: string | undefined
}

/** Asks for values. */
export interface FormAsk<Value = unknown> extends AskOptions {
  readonly kind: 'form'
  /** JSON Schema of what is asked for. */
  readonly schema: JsonSchema
  /** Values to begin with. Absent: the form is empty. */
  readonly initial?: unknown
  /** Checks the values. Absent: they are checked against `schema`. */
  readonly validate?: Validate<Value> | undefined
  /** The values that are taken when the prompt expires. Absent: none are. */
  readonly default?: Value | undefined
}

/** Asks the user to sign in elsewhere. No credentials come back this way. */
export interface SignInAsk extends AskOptions {
  readonly kind: 'sign-in'
  /** Absolute address to sign in at. */
  readonly url: string
}

/** Anything an agent can ask. */
export type AnyAsk = ApprovalAsk | ChoiceAsk | FormAsk | SignInAsk

/** The user has not answered what was asked. */
export type NoAnswer =
  | { readonly type: 'declined'; readonly reason?: string | undefined }
  | { readonly type: 'cancelled' }
  | { readonly type: 'expired' }

/** What the user says to an approval or a permission. Only `allowed` is consent, and to exactly this input. */
export type ApprovalResult<Input = unknown> =
  | {
      readonly type: 'allowed'
      readonly option: PromptOption
      /** The input as the user saw it, or changed it: a separate copy. */
      readonly input: Input
      readonly edited: boolean
    }
  | { readonly type: 'refused'; readonly option: PromptOption }
  | NoAnswer

export type ChoiceResult =
  | {
      readonly type: 'chosen'
      readonly option: PromptOption
      /** Whether the prompt had expired and this is its default. */
      readonly byDefault: boolean
    }
  | NoAnswer

export type FormResult<Value = unknown> =
  | {
      readonly type: 'value'
      readonly value: Value
      /** Whether the prompt had expired and this is its default. */
      readonly byDefault: boolean
    }
  | NoAnswer

export type SignInResult = { readonly type: 'signed-in' } | NoAnswer

export type AnyResult = ApprovalResult | ChoiceResult | FormResult | SignInResult

/** Asks the user. */
export interface Ask {
  <Input>(asked: ApprovalAsk<Input>): Promise<ApprovalResult<Input>>
  (asked: ChoiceAsk): Promise<ChoiceResult>
  <Value = unknown>(asked: FormAsk<Value>): Promise<FormResult<Value>>
  (asked: SignInAsk): Promise<SignInResult>
}
