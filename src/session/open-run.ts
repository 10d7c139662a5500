import type { Session } from './session.ts'
import { createSession } from './session.ts'
import type { SessionOptions } from './session-options.ts'

/** The session of a run: of its own, or one that the client's connection carries beside others. */
export function openRun<Request, Source>(options: SessionOptions<Request, Source>): Session {
  return options.client.openRun?.(options) ?? createSession(options)
}
