import type { AgentClient } from './agent-client.ts'
import type { Connection } from './connection.ts'
import type { Ending } from './ending.ts'
import type { ResumePoint } from './resume-point.ts'
import type { SessionEvent } from './take-batch.ts'

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
  /** Called with each new state of the connection. Absent: not told. */
  onConnection?(connection: Connection): void
  /** Called once per ending; a failed run that is resumed may end again. */
  onEnded(ending: Ending): void
}
