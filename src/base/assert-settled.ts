import { AgentError, type AgentErrorInit } from './agent-error.ts'

/**
 * Refuses a promise where its value is expected. TypeScript does so too, but JavaScript passes it on, and errors that follow name
 * something else.
 *
 * @throws AgentError `invalid_request` for a request, else `invalid_config`
 */
export function assertSettled(
  name: 'request' | 'client',
  value: unknown,
  createError: (init: AgentErrorInit) => Error = (init) => new AgentError(init),
): void {
  if (typeof value !== 'object' || value === null || !('then' in value)) return
  throw createError({
    kind: 'protocol',
    code: name === 'request' ? 'invalid_request' : 'invalid_config',
    severity: 'FATAL',
    message: `The ${name} is a promise: await it first.`,
  })
}
