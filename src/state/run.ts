/*
The state machine of this file. A test holds the diagram to the table.

stateDiagram-v2
    [*] --> created
    state unfinished {
        created --> requesting: asked
        requesting --> live: made
        requesting --> held: disconnected
        held --> requesting: asked
        held --> left: made
        live --> left: disconnected
        left --> live: resumed
    }
    unfinished --> ending: ended
    state over {
        ending --> ended: settled, disconnected
    }
    over --> requesting: asked
    over --> live: resumed
*/

import { transitionTable, type TransitionTable } from '../base/transition-table.ts'
import type { Ending } from '../session/connection.ts'
import { type ResumePoint, createResumePoint } from '../session/resume-point.ts'
import type { Session } from '../session/agent-client.ts'
import type { SessionEvent } from '../session/stream-ledger.ts'
import { type OutgoingMessage, mapMessages, type Conversation, type ChatMessage, type MessagePart } from './turn.ts'
import type { Lease } from '../seam/lease.ts'

/**
 * `created`: nothing was asked yet. `requesting`: its request is being made. `held`: the same, but it was left and must
 * not be sent. `live`: its session works. `left`: its session is paused. `ending`: it has ended and those who want to know
 * are being notified. `ended`: all were notified.
 */
export type RunPhase = 'created' | 'requesting' | 'held' | 'live' | 'left' | 'ending' | 'ended'

/** `asked`: the run was started and has no session. `made`: the request exists. `resumed`: its session is resumed. `ended`: it has ended. `settled`: all callbacks were called. */
export type RunInput = 'asked' | 'made' | 'disconnected' | 'resumed' | 'ended' | 'settled'

/**
 * Transition table of a run: every phase against every input, a dot where nothing changes. The caller that causes a change
 * also performs its effects (a request, a session, a resume), and only if there was a change. So an action called
 * inside another one never sees half of its work.
 */
// oxfmt-ignore
export const RUN_TRANSITIONS: TransitionTable<RunPhase, RunInput> = /* @__PURE__ */ transitionTable(
                  ['created',    'requesting', 'held',       'live',   'left',   'ending',     'ended'],
  {
    asked:        ['requesting', '.',          'requesting', '.',      '.',      'requesting', 'requesting'],
    made:         ['.',          'live',       'left',       '.',      '.',      '.',          '.'],
    // `disconnect()` in phase `ending` also holds the queue: the next message is not sent.
    disconnected: ['.',          'held',       '.',          'left',   '.',      'ended',      '.'],
    resumed:      ['.',          '.',          '.',          '.',      'live',   'live',       'live'],
    ended:        ['ending',     'ending',     'ending',     'ending', 'ending', '.',          '.'],
    settled:      ['.',          '.',          '.',          '.',      '.',      'ended',      '.'],
  },
)

/** State of a run: a record per phase, with only what that phase has. */
export type RunLifecycle =
  | { readonly phase: 'created' | 'requesting' | 'held'; readonly session?: undefined; readonly unread?: never }
  | { readonly phase: 'live'; readonly session: Session; readonly unread?: never }
  /** `unread`: the rest of a batch that a callback left in the middle. It is applied when the run is resumed. */
  | { readonly phase: 'left'; readonly session: Session; readonly unread?: readonly SessionEvent[] }
  /** Without a session: it ended before its request was made, or on an earlier page. */
  | { readonly phase: 'ending' | 'ended'; readonly session?: Session | undefined; readonly unread?: never }

/**
 * Reducer of a run. Pure; the same state where {@link RUN_TRANSITIONS} has a dot.
 *
 * @param session the one in `made`
 */
export function reduceRun(state: RunLifecycle, input: RunInput, session = state.session): RunLifecycle {
  const phase = RUN_TRANSITIONS[state.phase][input]
  if (phase === state.phase) return state
  // The table leads to `live` and `left` from `made` on only; what is asked for has no session before.
  return { phase, session } as RunLifecycle
}

/** One run of a chat, from the call that started it. */
export interface Run {
  readonly requestId: string
  readonly outgoing: OutgoingMessage
  readonly waiters: (() => void)[]
  readonly resumePoint: ResumePoint
  /** Changed by {@link dispatch} and {@link keepUnread} alone. */
  state: RunLifecycle
  /** Whether its messages may hold prompts, so that only those of such runs are searched. */
  hasAsked: boolean
  /** Whether it carries answers that no run before it has carried: they are open again where nothing of it is sent. */
  hasNewAnswers?: boolean
  /** How it ended last. */
  ending?: Ending
  /** Whether the agent itself has ended it, after all that it had to say of its prompts. */
  isEndedByAgent?: boolean
}

export function createRun(
  requestId: string,
  outgoing: OutgoingMessage,
  resumePoint = createResumePoint(),
  hasEnded = false,
): Run {
  const phase = hasEnded ? 'ended' : 'created'
  return { requestId, outgoing, resumePoint, waiters: [], state: { phase }, hasAsked: false }
}

/** Reduces the state of the run, and says whether that changed it. */
export function dispatch(run: Run, input: RunInput, session?: Session): boolean {
  const { state } = run
  run.state = reduceRun(state, input, session)
  return run.state !== state
}

/** Keeps the rest of a batch that a callback left in the middle; of a run that has ended nothing is kept. */
export function keepUnread(run: Run, unread: readonly SessionEvent[]): false {
  if (run.state.phase === 'left') run.state = { ...run.state, unread }
  return false
}

/** Whether a queued message may follow: never after a failure or a stop. */
export function isDone({ ending }: Run): boolean {
  return ending?.type === 'finished' && ending.outcome !== 'cancelled'
}

export function isOver({ state: { phase } }: Run): boolean {
  return phase === 'ending' || phase === 'ended'
}

export function isUnderWay(run: Run | undefined): run is Run {
  return run !== undefined && !isOver(run)
}

/** Resolves when the run has ended; immediately if it already has. */
export async function whenEnded(run: Run): Promise<void> {
  if (!isOver(run)) await new Promise<void>((resolve) => run.waiters.push(resolve))
}

/** What is wrong when a client cannot turn a message into a request. */
export const REQUEST_FAILED = {
  kind: 'runtime',
  code: 'app_error',
  severity: 'FATAL',
  message: 'The request could not be made: the client or its context failed.',
} as const

/** A lease and the message it is part of. */
export interface GrantedLease {
  readonly id: string
  readonly lease: Lease
  readonly message: ChatMessage
}

type LeasePart = Extract<MessagePart, { readonly type: 'lease' }>

function isLeasePart(part: MessagePart): part is LeasePart {
  return part.type === 'lease'
}

function leasesOf(message: ChatMessage): readonly GrantedLease[] {
  return message.parts.filter(isLeasePart).map(({ id, lease }) => ({ id, lease, message }))
}

/** The leases of a conversation, oldest first. Of a lease that several messages report, the newest counts. */
type LeaseReader = (messages: readonly ChatMessage[]) => readonly GrantedLease[]

/** Reads only the messages that have changed since the last call: a long thread costs a comparison of each. */
export function createLeaseReader(): LeaseReader {
  let read: readonly ChatMessage[] = []
  let own: readonly (readonly GrantedLease[])[] = []
  let leases: readonly GrantedLease[] = []
  return (messages) => {
    let same = 0
    while (same < messages.length && messages[same] === read[same]) same += 1
    if (same === messages.length && same === read.length) return leases
    own = [...own.slice(0, same), ...messages.slice(same).map(leasesOf)]
    read = messages
    leases = [...new Map(own.flat().map((granted) => [granted.id, granted])).values()]
    return leases
  }
}

/** Whether a run reports leases, which may outlive it. */
export function hasLeases(messages: readonly ChatMessage[], requestId: string): boolean {
  return messages.some((message) => message.requestId === requestId && message.parts.some(isLeasePart))
}

/** The newest lease with that id. */
export function findLease(messages: readonly ChatMessage[], leaseId: string): GrantedLease | undefined {
  for (const message of messages.toReversed()) {
    const found = leasesOf(message).findLast(({ id }) => id === leaseId)
    if (found !== undefined) return found
  }
  return undefined
}

/** The conversation in which an active lease was revoked; the same one when there is none. */
export function markRevoked(conversation: Conversation, leaseId: string): Conversation {
  const revoked = (part: MessagePart): MessagePart =>
    isLeasePart(part) && part.id === leaseId && part.lease.state === 'active'
      ? { ...part, lease: { ...part.lease, state: 'revoked' } }
      : part
  return mapMessages(conversation, (message) => {
    const parts = message.parts.map(revoked)
    return parts.every((part, index) => part === message.parts[index]) ? message : { ...message, parts }
  })
}
