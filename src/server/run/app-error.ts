import { AgentError } from '../../base/agent-error.ts'

/** A mistake in what the app passed or returned. The message is for its developers. */
export function appError(message: string): AgentError {
  return new AgentError({ kind: 'runtime', code: 'app_error', severity: 'FATAL', message })
}
