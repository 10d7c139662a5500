import { describe, expect, it } from 'vitest'
import { AgentError } from '../../src/base/agent-error.ts'
import { assertNumbers, COUNT_RANGE, LIMIT_RANGE, TIMER_RANGE } from '../../src/base/assert-numbers.ts'

const check = (...[values, range]: [Parameters<typeof assertNumbers>[0], Parameters<typeof assertNumbers>[1]]) =>
  assertNumbers(values, range, (init) => new AgentError(init, ['AgentError']))

describe('options that are numbers', () => {
  it.each([1, 60_000, 2_147_483_647])('take %d milliseconds for a timer', (timeoutMs) => {
    expect(() => check({ timeoutMs }, TIMER_RANGE)).not.toThrow()
  })

  it.each([0, -1, NaN, Infinity, 2_147_483_648])('refuse %d milliseconds: such a timer fires at once', (timeoutMs) => {
    expect(() => check({ timeoutMs }, TIMER_RANGE)).toThrow(
      expect.objectContaining({
        code: 'invalid_config',
        severity: 'FATAL',
        message: `timeoutMs is ${timeoutMs}; it has to be a number from 1 to 2147483647.`,
      }),
    )
  })

  it('take no endless count, and an endless limit', () => {
    expect(() => check({ maxRetries: 0 }, COUNT_RANGE)).not.toThrow()
    expect(() => check({ maxRetries: Infinity }, COUNT_RANGE)).toThrow('maxRetries is Infinity')
    expect(() => check({ 'limits.bytes': Infinity }, LIMIT_RANGE)).not.toThrow()
    expect(() => check({ 'limits.bytes': 0 }, LIMIT_RANGE)).toThrow(
      'limits.bytes is 0; it has to be a number of at least 1.',
    )
  })

  it('name the first that is wrong, and pass over what was not given', () => {
    expect(() => check({ a: undefined, b: 5, c: NaN, d: 0 }, TIMER_RANGE)).toThrow('c is NaN')
  })
})
