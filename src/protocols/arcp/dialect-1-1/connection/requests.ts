import { noop } from '../../../../base/noop.ts'
import type { Clock } from '../../../../base/ports/clock.ts'
import type { ArcpErrorPayload } from '../../schema/error.ts'
import type { FramePayload } from '../schema/payloads.ts'

/** Something that is asked of the runtime, whose answer does not name it. */
export interface UncorrelatedRequest {
  readonly kind: 'submit' | 'subscribe' | 'list'
  /** The message of ARCP 1.0 that asks, or the job that is subscribed to. */
  readonly id: string
  /** The trace of a submission. */
  readonly traceId?: string | undefined
  send(): void
  refuse(error: ArcpErrorPayload): void
  /** Takes a list of jobs; absent where the client asked for it. */
  readonly take?: ((jobs: FramePayload<'session.jobs'>) => void) | undefined
}

/** Asks for one thing at a time: an error says nothing but that the last request was refused. */
export interface Requests {
  /** What was asked, and is not answered. */
  readonly current: UncorrelatedRequest | undefined
  /** Whether this is asked, or waits to be. */
  has(kind: UncorrelatedRequest['kind'], id: string): boolean
  add(request: UncorrelatedRequest): void
  /** The request was answered. */
  done(): void
  /** The request was refused. */
  refuse(error: ArcpErrorPayload): void
  /** The connection is gone, and what was asked on it forgotten. */
  end(): void
}

/** Longest wait for an answer: others wait behind it. */
const LONGEST_MS = 60_000

/** Requests refused for lack of a reply. */
export const NO_ANSWER: ArcpErrorPayload = {
  code: 'TIMEOUT',
  message: 'The agent did not answer in time.',
  retryable: true,
}

export function createRequests(clock: Pick<Clock, 'after'>): Requests {
  let waiting: UncorrelatedRequest[] = []
  let current: UncorrelatedRequest | undefined
  let cancel = noop

  function next(): void {
    cancel()
    cancel = noop
    current = waiting.shift()
    if (current === undefined) return
    cancel = clock.after(LONGEST_MS, () => refuse(NO_ANSWER))
    current.send()
  }

  function refuse(error: ArcpErrorPayload): void {
    const refused = current
    next()
    refused?.refuse(error)
  }

  return {
    get current() {
      return current
    },
    has: (kind, id) => [current, ...waiting].some((each) => each?.kind === kind && each.id === id),
    add(request) {
      waiting.push(request)
      if (current === undefined) next()
    },
    done: next,
    refuse,
    end() {
      waiting = []
      cancel()
      current = undefined
    },
  }
}
