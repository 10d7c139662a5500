import type { PromptState } from '../../seam/prompt.ts'

/** Words around a prompt, whatever its kind. */
export interface PromptCardStrings {
  /** Heading, by what the agent wants: `approval` for approvals and permissions, `question` for every other kind. */
  readonly headings: Readonly<Record<'approval' | 'question', string>>
  readonly position: (index: number, of: number) => string
  readonly previous: string
  readonly next: string
  /** Time until it expires, in milliseconds. */
  readonly timeLeft: (ms: number) => string
  /** Expired by the clock of this device; the agent decides, so it can still be answered. */
  readonly timeOver: string
  /** What happens to the question when the time is over. */
  readonly onExpiry: { readonly default: string; readonly cancel: string }
  readonly decline: string
  readonly sending: string
  /** The other prompts of the same group have no answer yet. */
  readonly staged: string
  readonly unconfirmed: string
  readonly sendAgain: string
  /** The agent refused the answer. */
  readonly refused: string
  /** Nothing was sent. */
  readonly notSent: string
}

/** What a screen reader is told, and the title of a hidden page. */
export interface PromptDockStrings {
  readonly label: string
  readonly title: (count: number, title: string) => string
  /** More than one prompt waits. */
  readonly count: (count: number) => string
  readonly ended: Readonly<Record<'answered-elsewhere' | 'expired' | 'withdrawn', string>>
}

/** One row in the transcript for each prompt. */
export interface PromptTraceStrings {
  /** The prompt waits for the user. */
  readonly open: string
  readonly chosen: (option: string) => string
  /** The user allowed a tool or an action, once. */
  readonly allowedOnce: (name: string) => string
  /** The user allowed it beyond this time, without an end. */
  readonly allowedAlways: (name: string) => string
  /** @param ms how long the user allowed it, in milliseconds */
  readonly allowedFor: (name: string, ms: number) => string
  /** The agent did not say for how long. */
  readonly allowed: (name: string) => string
  readonly rejected: (name: string) => string
  readonly submitted: string
  readonly edited: string
  readonly signedIn: string
  readonly states: Readonly<Record<Exclude<PromptState, 'open' | 'answered'>, string>>
  readonly answered: string
}

/** What is to be done, and the answers to it. */
export interface ApprovalStrings {
  /** Name of what is to be done. */
  readonly action: string
  /** Label of an input that is one value. */
  readonly input: string
  readonly noInput: string
  /** Asks for approval of a call about which the assistant says nothing itself. @param name of the tool */
  readonly question: (name: string) => string
  readonly allowOnce: string
  readonly allowAlways: string
  /** @param ms how long it is allowed, in milliseconds */
  readonly allowFor: (ms: number) => string
  readonly reject: string
  readonly rejectAlways: string
  /** What it means to allow more than this one time. */
  readonly grants: string
  /** Before the agent's words for what is allowed. */
  readonly grantsSaid: string
  /** The agent does not say what else an option allows. */
  readonly grantsUnknown: string
  readonly forTime: (ms: number) => string
  readonly noEnd: string
  readonly back: string
  /** A value is longer than what is shown. */
  readonly cut: string
  /** Shows the form for the input. */
  readonly edit: string
  /** Submits that form: the changes are shown, nothing is sent. */
  readonly review: string
  readonly discard: string
  readonly changes: string
  readonly before: string
  readonly after: string
  /** There was, or is, no such value. */
  readonly absent: string
}

export interface ChoiceStrings {
  /** What the choice is about. */
  readonly subject: string
  /** Names the list of options. */
  readonly options: string
  readonly send: string
  readonly none: string
}

export interface SignInStrings {
  readonly site: string
  readonly open: string
  readonly done: string
  /** The host has letters of other scripts. */
  readonly foreign: string
  readonly faults: Readonly<Record<'missing' | 'unreadable' | 'insecure', string>>
}

export interface PermissionStrings {
  readonly permission: string
  readonly resource: string
  readonly duration: string
  readonly once: string
  /** Instead of a time: the agent does not say for how long. */
  readonly unsaid: string
  readonly allow: string
}

/** What the user has allowed for a time. */
export interface LeaseStrings {
  /** Names the list of them. */
  readonly label: string
  readonly noLimit: string
  /** The time is over by the clock of this device; the agent decides. */
  readonly timeOver: string
  /** @param ms how much more, in milliseconds */
  readonly extend: (ms: number) => string
  readonly revoke: string
  /** State of the last change of the user. */
  readonly states: Readonly<Record<'changing' | 'unconfirmed' | 'refused', string>>
  /** One row in the transcript for each, by its name. */
  readonly traces: Readonly<Record<'active' | 'expired' | 'revoked', (name: string) => string>>
}

export interface UnknownStrings {
  readonly text: string
  /** What the agent sent. */
  readonly sent: string
}

/** All words of prompts in one language. */
export interface PromptStrings {
  readonly card: PromptCardStrings
  readonly dock: PromptDockStrings
  readonly trace: PromptTraceStrings
  readonly approval: ApprovalStrings
  readonly choice: ChoiceStrings
  readonly signIn: SignInStrings
  readonly permission: PermissionStrings
  readonly lease: LeaseStrings
  readonly unknown: UnknownStrings
}
