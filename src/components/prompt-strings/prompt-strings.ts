import type { PromptState } from '../../protocols/prompt.ts'

/** Words around a prompt, whatever its kind. */
export interface PromptCardStrings {
  /** Names the region of a prompt for screen readers. */
  readonly label: string
  /** Says that these words and buttons are not text of the agent. */
  readonly origin: string
  readonly position: (index: number, of: number) => string
  readonly previous: string
  readonly next: string
  /** Time until it expires, in milliseconds. */
  readonly timeLeft: (ms: number) => string
  /** The time is over by the clock of this device; the agent decides. */
  readonly timeOver: string
  /** What the agent does when the time is over. */
  readonly onExpiry: { readonly default: string; readonly cancel: string }
  readonly decline: string
  readonly cancel: string
  readonly sending: string
  /** The other prompts of the same group have no answer yet. */
  readonly staged: string
  readonly unconfirmed: string
  readonly sendAgain: string
  /** The agent refused the answer. */
  readonly refused: string
  /** Nothing was sent. */
  readonly notSent: string
  /** The code of the card did not load. */
  readonly notLoaded: string
  readonly tryAgain: string
}

/** What a screen reader is told, and the title of a hidden page. */
export interface PromptDockStrings {
  readonly label: string
  readonly title: (count: number, title: string) => string
  /** More than one prompt waits. */
  readonly count: (count: number) => string
  readonly ended: Readonly<Record<'answered-elsewhere' | 'expired' | 'withdrawn', string>>
}

/** One line in the transcript for each prompt. */
export interface PromptTraceStrings {
  /** The prompt waits for the user. */
  readonly open: string
  readonly chosen: (option: string) => string
  /** The user allowed a tool or an action, once. */
  readonly allowedOnce: (name: string) => string
  /** The user allowed it beyond this time. */
  readonly allowedAlways: (name: string) => string
  readonly rejected: (name: string) => string
  readonly submitted: string
  readonly edited: string
  readonly signedIn: string
  readonly states: Readonly<Record<Exclude<PromptState, 'open' | 'answered'>, string>>
  readonly answered: string
}

/** All words of prompts in one language. */
export interface PromptStrings {
  readonly card: PromptCardStrings
  readonly dock: PromptDockStrings
  readonly trace: PromptTraceStrings
}
