import { AgentError } from './agent-error.ts'

/**
 * Refuses a promise where its value is expected. TypeScript does so too, but JavaScript passes it on, and errors that follow name
 * something else.
 *
 * @throws AgentError `invalid_config`
 */
export function assertSettled(name: 'request' | 'client', value: unknown): void {
  // Only its type is unknown: whatever has no such member is no promise.
  if ((value as { readonly then?: unknown } | null | undefined)?.then === undefined) return
  const message = `The ${name} is a promise: await it.`
  throw new AgentError({ kind: 'protocol', code: 'invalid_config', severity: 'FATAL', message })
}
