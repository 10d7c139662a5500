import type { AgentErrorInit } from './agent-error.ts'

/** The numbers that an option may be. */
export interface NumberRange {
  readonly least: number
  readonly most: number
}

/** Milliseconds of a timer. A longer one, or an endless one, would fire at once. */
export const TIMER_RANGE: NumberRange = { least: 1, most: 2_147_483_647 }
export const COUNT_RANGE: NumberRange = { least: 0, most: Number.MAX_SAFE_INTEGER }
/** A limit can be lifted by `Infinity`. */
export const LIMIT_RANGE: NumberRange = { least: 1, most: Infinity }

/**
 * Checks options that are numbers; one that was not given is right.
 *
 * @param values by the names that a developer knows them by
 * @param createError gives the failure the form of the protocol
 * @throws what `createError` returns for `invalid_config` when a value is no number or out of range
 */
export function assertNumbers(
  values: Readonly<Record<string, number | undefined>>,
  { least, most }: NumberRange,
  createError: (init: AgentErrorInit) => Error,
): void {
  for (const [name, value = least] of Object.entries(values)) {
    if (value >= least && value <= most) continue
    const message = `${name} is ${value}; it has to be a number ${most === Infinity ? `of at least ${least}` : `from ${least} to ${most}`}.`
    throw createError({ kind: 'protocol', code: 'invalid_config', severity: 'FATAL', message })
  }
}
