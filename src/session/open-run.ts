import type { Session, SessionOptions } from './agent-client.ts'
import { createSession } from './session.ts'

/** The session of a run: of its own, or one that the client's connection carries beside others. */
export function openRun<Request, Source>(options: SessionOptions<Request, Source>): Session {
  return options.client.openRun?.(options) ?? createSession(options)
}
