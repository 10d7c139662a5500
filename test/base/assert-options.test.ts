import { describe, expect, it } from 'vitest'
import { AgentError } from '../../src/base/agent-error.ts'
import { assertNumbers } from '../../src/base/assert-options.ts'

type Given = Parameters<typeof assertNumbers>

const check = (timers: Given[1], counts: Given[2] = {}, limits?: Given[3]) =>
  assertNumbers((init) => new AgentError(init, ['AgentError']), timers, counts, limits)

describe('options that are numbers', () => {
  it.each([1, 60_000, 2_147_483_647])('take %d milliseconds for a timer', (timeoutMs) => {
    expect(() => check({ timeoutMs })).not.toThrow()
  })

  it.each([0, -1, NaN, Infinity, 2_147_483_648])('refuse %d milliseconds: such a timer fires at once', (timeoutMs) => {
    expect(() => check({ timeoutMs })).toThrow(
      expect.objectContaining({
        code: 'invalid_config',
        severity: 'FATAL',
        message: `timeoutMs is ${timeoutMs}; it has to be a number from 1 to 2147483647.`,
      }),
    )
  })

  it('take no endless count, and an endless limit', () => {
    expect(() => check({}, { maxRetries: 0 })).not.toThrow()
    expect(() => check({}, { maxRetries: Infinity })).toThrow('maxRetries is Infinity')
    expect(() => check({}, {}, { bytes: Infinity })).not.toThrow()
    expect(() => check({}, {}, { bytes: 0 })).toThrow('limits.bytes is 0; it has to be a number from 1 to Infinity.')
  })

  it('name the first that is wrong, and pass over what was not given', () => {
    expect(() => check({ a: undefined, b: 5, c: NaN, d: 0 })).toThrow('c is NaN')
  })
})
