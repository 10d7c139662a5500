import type { Prompt, PromptOption, PromptState } from '../seam/prompt.ts'
import { needsApproval } from '../seam/prompt.ts'
import { number, time } from './english-measures.ts'

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
  /** What happens to the question when the time has expired. */
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

/** Announcement for screen readers, and the title of a hidden page. */
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
  /** The time has expired by the clock of this device; the agent decides. */
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

/** The strings of prompts in English. */
export const englishPrompts: PromptStrings = {
  card: {
    headings: { approval: 'Your approval is needed', question: 'The assistant has a question' },
    position: (index, of) => `${number(index)} of ${number(of)}`,
    previous: 'Previous question',
    next: 'Next question',
    timeLeft: (ms) => `${time(ms)} left`,
    timeOver: 'Time is up',
    onExpiry: {
      default: 'If you don’t answer in time, the assistant uses its default answer.',
      cancel: 'If you don’t answer in time, the question expires and the assistant gets no answer.',
    },
    decline: 'Decline',
    sending: 'Sending your answer…',
    staged: 'Answered. It is sent when the other questions are answered.',
    unconfirmed: 'It is not known whether your answer arrived. Sending it again is safe: it counts once.',
    sendAgain: 'Send again',
    refused: 'The assistant didn’t accept this answer.',
    notSent: 'Your answer wasn’t sent.',
  },
  dock: {
    label: 'Questions for you',
    title: (count, title) => `(${number(count)}) ${title}`,
    count: (count) => `${number(count)} questions for you`,
    ended: {
      'answered-elsewhere': 'Answered elsewhere',
      expired: 'The time for an answer is over',
      withdrawn: 'The question was withdrawn',
    },
  },
  trace: {
    open: 'Waiting for your answer',
    chosen: (option) => `You chose “${option}”`,
    allowedOnce: (name) => `You allowed ${name} once`,
    allowedAlways: (name) => `You allowed ${name} from now on`,
    allowedFor: (name, ms) => `You allowed ${name} for ${time(ms)}`,
    allowed: (name) => `You allowed ${name}`,
    rejected: (name) => `You did not allow ${name}`,
    submitted: 'You sent the form',
    edited: 'with changes',
    signedIn: 'You signed in',
    answered: 'You answered',
    states: {
      staged: 'Answered, not sent yet',
      sending: 'Sending your answer…',
      unconfirmed: 'Not known whether your answer arrived',
      declined: 'You declined',
      cancelled: 'You cancelled',
      expired: 'Expired without an answer',
      'answered-elsewhere': 'Answered elsewhere',
      withdrawn: 'Withdrawn without an answer',
    },
  },
  approval: {
    action: 'Action',
    input: 'Input',
    noInput: 'No input',
    question: (name) => `Allow ${name}?`,
    allowOnce: 'Allow once',
    allowAlways: 'Always allow',
    allowFor: (ms) => `Allow for ${time(ms)}`,
    reject: 'Deny',
    rejectAlways: 'Always deny',
    grants: 'After this, the assistant does not have to ask again:',
    grantsSaid: 'What this covers, in the assistant’s words:',
    grantsUnknown: 'The assistant does not say what else you allow with this.',
    forTime: (ms) => `for ${time(ms)}`,
    noEnd: 'with no time limit',
    back: 'Back',
    cut: 'Not everything is shown.',
    edit: 'Edit',
    review: 'Review changes',
    discard: 'Discard changes',
    changes: 'Your changes',
    before: 'Before',
    after: 'After',
    absent: 'nothing',
  },
  choice: { subject: 'About', options: 'Options', send: 'Send', none: 'There is nothing to choose from.' },
  signIn: {
    site: 'Site',
    open: 'Open sign-in page',
    done: 'I have signed in',
    foreign: 'This name has letters of other scripts, written as xn--. Check that it is the site you mean.',
    faults: {
      missing: 'The assistant gave no address to sign in at.',
      unreadable: 'This address cannot be opened.',
      insecure: 'This address is not secure: others could read what you type there.',
    },
  },
  permission: {
    permission: 'Permission',
    resource: 'Resource',
    duration: 'Duration',
    once: 'this one time',
    unsaid: 'not said by the assistant',
    allow: 'Allow',
  },
  lease: {
    label: 'Allowed for now',
    noLimit: 'No time limit',
    timeOver: 'Time is over',
    extend: (ms) => `Extend by ${time(ms)}`,
    revoke: 'Revoke',
    states: {
      changing: 'Waiting for the assistant…',
      unconfirmed: 'It is not known whether this arrived.',
      refused: 'The assistant didn’t accept this.',
    },
    traces: {
      active: (name) => `${name} is allowed`,
      expired: (name) => `${name} is no longer allowed: its time is over`,
      revoked: (name) => `${name} is no longer allowed`,
    },
  },
  unknown: {
    text: 'This app does not know this kind of question. You can only decline it.',
    sent: 'What the assistant sent',
  },
}

/** Whether the agent says anything about its prompt. */
export function isWorded({ message }: Pick<Prompt, 'message'>): boolean {
  return message.trim() !== ''
}

/** The question of a prompt: the agent's text, else the app's. Undefined: nothing names it. */
export function promptQuestion(
  prompt: Pick<Prompt, 'kind' | 'message' | 'subject'>,
  strings: ApprovalStrings,
): string | undefined {
  if (isWorded(prompt)) return prompt.message
  const name = prompt.subject?.name.trim() ?? ''
  return needsApproval(prompt.kind) && name !== '' ? strings.question(name) : undefined
}

/** What is allowed for longer is allowed without an end, as far as people are concerned. */
const TEN_YEARS_MS = 10 * 365 * 86_400_000

/** How long an option allows what it grants, in milliseconds. Null: the agent does not say. Undefined: without an end. */
export function timeOf({ ttlMs }: PromptOption): number | null | undefined {
  return ttlMs === null || (ttlMs !== undefined && ttlMs <= TEN_YEARS_MS) ? ttlMs : undefined
}

/** The same in words. */
export function grantTime(option: PromptOption, { approval, permission }: PromptStrings): string {
  const time = timeOf(option)
  if (time === null) return permission.unsaid
  if (time !== undefined) return approval.forTime(time)
  return option.kind === 'allow-once' && option.grants === undefined ? permission.once : approval.noEnd
}
