import type { Reading, Session } from '../session/session.ts'
import { createReading } from '../session/session.ts'
import type { OutgoingMessage } from './chat-snapshot.ts'

/** One run of a chat, from the moment somebody wanted it. */
export interface Run {
  readonly requestId: string
  readonly outgoing: OutgoingMessage
  readonly waiters: (() => void)[]
  readonly reading: Reading
  /** Its request is made, or being made. */
  opened: boolean
  session: Session | undefined
  /** Left before there was a line to leave: the request was still being made. */
  left: boolean
  ended: boolean
}

export function createRun(requestId: string, outgoing: OutgoingMessage, reading = createReading(), ended = false): Run {
  return { requestId, outgoing, reading, waiters: [], opened: false, session: undefined, left: false, ended }
}

export function isUnderWay(run: Run | undefined): run is Run {
  return run !== undefined && !run.ended
}

export function whenEnded(run: Run): Promise<void> {
  return new Promise((resolve) => run.waiters.push(resolve))
}

/** What is wrong when a client cannot turn a message into a request. */
export const REQUEST_FAILED = {
  kind: 'runtime',
  code: 'app_error',
  severity: 'FATAL',
  message: 'The request could not be made: the client or its context failed; the cause says where.',
} as const
