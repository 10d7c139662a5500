import type { Environment } from '../base/ports/environment.ts'
import type { AgentProtocol, Batch } from '../seam/protocol.ts'
import type { ChatInput } from '../seam/chat-input.ts'
import type { AnswerLimits, SessionEvent } from './stream-ledger.ts'
import type { RetryPolicy } from '../base/backoff.ts'
import type { Connection, Ending, Input } from './connection.ts'
import type { ResumePoint } from './resume-point.ts'

/** What a chat needs to reach an agent, whatever protocol it speaks. Clients are long-lived and hold no conversation. */
export interface AgentClient<Request = unknown, Source = unknown> {
  readonly protocol: AgentProtocol<Request, Source>
  readonly retry: RetryPolicy
  /** Longest silence on the connection, in milliseconds, before it counts as dropped. */
  readonly timeoutMs: number
  readonly environment: Environment
  /** Shared by all runs of the client: when it is empty, attempts come late. */
  readonly budget?: RetryBudget | undefined
  /** How large one answer may become; the defaults hold for what is left out. */
  readonly limits?: AnswerLimits | undefined
  /** Notified of every transition and packet of the client's runs, for logs. */
  readonly observer?: SessionObserver | undefined
  /** Opens a run on a connection that the client shares between its runs. Absent: each run has its own connections. */
  openRun?(options: SessionOptions<Request, Source>): Session
  /** Turns a user's message into a request of the protocol. Called once per run; retries repeat the same request. */
  createRequest(input: ChatInput): Request | Promise<Request>
}

/** What a session is made of. */
export interface SessionOptions<Request, Source> {
  readonly client: AgentClient<Request, Source>
  readonly request: Request
  readonly requestId: string
  /**
   * Updated while the run is read; pass that of another session to resume its run. Events that were passed to `onEvents`
   * count as read.
   *
   * @default a new one
   */
  readonly resumePoint?: ResumePoint | undefined
  /**
   * Called with new events: once per network chunk, and once more after each packet in it that decides what becomes of the run.
   * Backpressure: while a returned promise is pending, the connection is not read.
   */
  onEvents(events: readonly SessionEvent<Source>[]): void | Promise<void>
  /** Called with each new state of the connection. Default: no callback. */
  onConnection?(connection: Connection): void
  /** Called once per ending; a failed run that is resumed may end again. */
  onEnded(ending: Ending): void
}

/**
 * What is known of a run that the user has stopped. `cancelled`: the agent has confirmed that it no longer works on it. `left`: the
 * agent cannot be notified or has not confirmed, so it may still be working.
 */
export type StopResult = 'cancelled' | 'left'

/** One run over as many connections as it takes. Every method is idempotent; no event is delivered after `stop` or `disconnect` has returned. */
export interface Session {
  readonly connection: Connection
  start(): void
  /** Ends the run, and asks the agent to stop its work. Resolves with what is known of that. Never rejects. */
  stop(): Promise<StopResult>
  /** Closes the connection and keeps the cursors. */
  disconnect(): void
  /** Resumes the run after `disconnect` or a failure, once the wait that the server asked for has ended. */
  resume(): void
  /** Starts the next attempt now instead of at `nextRetryAt`. */
  retryNow(): void
}

/**
 * Retry budget: limits the attempts without new content or heartbeats over all runs of a client, so that a failing server does not
 * get more load.
 */
export interface RetryBudget {
  /** Takes one retry. Returns false when none is left: the attempt is still made, but later. */
  spend(): boolean
  /** Called when an attempt brought new content. */
  earn(): void
}

const CAPACITY = 10

const PER_SUCCESS = 0.1

export function createRetryBudget(): RetryBudget {
  let tokens = CAPACITY
  return {
    spend() {
      if (tokens < 1) return false
      tokens -= 1
      return true
    },
    earn() {
      tokens = Math.min(CAPACITY, tokens + PER_SUCCESS)
    },
  }
}

/** Wait before an attempt that the budget does not cover: this long, or up to half longer. */
const UNCOVERED_WAIT_MS = 20_000

/**
 * Milliseconds to wait before another attempt.
 *
 * @param asked what the server asked to wait
 * @param covered the wait of an attempt that the budget covers
 */
export function retryWait(
  {
    budget,
    environment,
  }: { readonly budget?: RetryBudget | undefined; readonly environment: Pick<Environment, 'random'> },
  asked: number,
  covered: () => number,
): number {
  const isCovered = budget === undefined || budget.spend()
  return isCovered ? covered() : asked + UNCOVERED_WAIT_MS * (1 + environment.random() / 2)
}

/** What an observer is called with: a transition of a connection, before its effects, or a network chunk as it was read, before deduplication. */
export type SessionObservation = { readonly requestId: string } & (
  | {
      readonly type: 'transition'
      /** What happened. */
      readonly input: Input
      readonly before: Connection
      readonly after: Connection
    }
  | { readonly type: 'batch'; readonly batch: Batch }
)

/**
 * Observer of all sessions of a client, for logs. It cannot affect the session: errors that it throws go to
 * `environment.report`. `createDebugLog` makes one that prints.
 */
export type SessionObserver = (observation: SessionObservation) => void
