import { type AgentErrorInit, AgentError } from './agent-error.ts'

/** Options by the names that a developer knows them by. One that was not given is right. */
type Numbers = Readonly<Record<string, number | undefined>>

/** As many milliseconds as a timer takes: a longer or an endless one fires at once. A count needs no more either. */
const MOST = 2_147_483_647

/**
 * Checks the options of a client that are numbers.
 *
 * @param createError gives the failure the form of the protocol
 * @param timers in milliseconds, at least 1
 * @param counts at least 0
 * @param limits at least 1, or `Infinity`
 * @throws what `createError` returns for `invalid_config` when a value is not a number or out of range
 */
export function assertNumbers(
  createError: (init: AgentErrorInit) => Error,
  timers: Numbers,
  counts: Numbers,
  limits: object = {},
): void {
  const assert = (values: object, least: number, most: number, prefix: string): void => {
    for (const [name, value = least] of Object.entries<number | undefined>({ ...values })) {
      if (value >= least && value <= most) continue
      const message = `${prefix}${name} is ${value}; it has to be a number from ${least} to ${most}.`
      throw createError({ kind: 'protocol', code: 'invalid_config', severity: 'FATAL', message })
    }
  }
  assert(timers, 1, MOST, '')
  assert(counts, 0, MOST, '')
  assert(limits, 1, Infinity, 'limits.')
}

/**
 * Refuses a promise where its value is expected. TypeScript does so too, but JavaScript passes it on, and errors that follow name
 * something else.
 *
 * @throws AgentError `invalid_config`
 */
export function assertSettled(name: 'request' | 'client', value: unknown): void {
  // Only its type is unknown: whatever has no such member is not a promise.
  if ((value as { readonly then?: unknown } | null | undefined)?.then === undefined) return
  const message = `The ${name} is a promise: await it.`
  throw new AgentError({ kind: 'protocol', code: 'invalid_config', severity: 'FATAL', message })
}
