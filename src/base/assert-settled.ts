import { AgentError, type AgentErrorInit } from './agent-error.ts'

/** Whether a value is a promise, of any library. */
export function isPromise(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

/**
 * Refuses a promise where its value is expected. TypeScript does so too, but JavaScript passes it on, and errors that follow name
 * something else.
 *
 * @throws AgentError `invalid_config`
 */
export function assertSettled(
  name: string,
  value: unknown,
  createError: (init: AgentErrorInit) => Error = (init) => new AgentError(init),
): void {
  if (!isPromise(value)) return
  throw createError({
    kind: 'protocol',
    code: 'invalid_config',
    severity: 'FATAL',
    message: `${name} is a promise, so nothing was sent. Await it first.`,
  })
}
