import type { StreamErrorBody } from '../run/agent-output.ts'

/** Ends a run whose upstream is gone. */
export const UPSTREAM_LOST: StreamErrorBody = {
  code: 'upstream_lost',
  message: 'The connection to the agent was lost and could not be resumed. Ask again.',
  severity: 'FATAL',
}
/** Ends a run that its upstream has begun again. */
export const UPSTREAM_RESTARTED: StreamErrorBody = {
  code: 'upstream_restarted',
  message: 'The agent lost the log of this run and started the answer over, so this one ends here. Ask again.',
  severity: 'FATAL',
}
/** Ends a run that is longer than the log may keep. */
export const ANSWER_TOO_LARGE: StreamErrorBody = {
  code: 'answer_too_large',
  message: 'The answer exceeds what this server stores for one run.',
  severity: 'FATAL',
}
/** Ends a run whose server is going down. */
export const SERVER_STOPPING: StreamErrorBody = {
  code: 'server_stopping',
  message: 'The server stopped before the answer was complete. Ask again.',
  severity: 'FATAL',
}
/** Ends a cancelled run whose agent has not confirmed that it stopped. */
export const CANCEL_UNCONFIRMED: StreamErrorBody = {
  code: 'cancel_unconfirmed',
  message: 'This run was stopped, but the agent has not confirmed it. It may still be working.',
  severity: 'FATAL',
}
