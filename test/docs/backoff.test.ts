import { describe, expect, it } from 'vitest'
import { AgentError } from '../../src/base/agent-error.ts'
import { backoff } from '../../src/base/backoff.ts'
import { readPage } from './pages.ts'

const error = new AgentError({
  kind: 'connection',
  code: 'network_error',
  severity: 'TRANSIENT',
  message: 'The connection broke.',
})
const { delayMs } = backoff()
const secondsOf = (attempt: number): string => `${delayMs(attempt, error, 1) / 1000} s`
const [first, second, third, last] = [1, 2, 3, 99].map(secondsOf)

describe('the default backoff of src/base/backoff.ts', () => {
  it.each([
    ['src/base/backoff.ts', `the ceiling is ${first} and doubles up to ${last}`],
    [
      'docs/reconnection.md',
      `The ceiling is ${first} before the first retry, and doubles for each further one: ${second}, ${third}, and so on up to ${last}.`,
    ],
    ['docs/internals/reliability.md', `Why the first wait is up to ${first}:`],
    ['docs/internals/reliability.md', `| ${first}, the default | 0 s |`],
  ])('is the one that %s states: %s', (path, statement) => {
    expect(
      readPage(path).text.includes(statement),
      `Bring ${path} up to date with BASE_MS and CAP_MS: it must state "${statement}".`,
    ).toBe(true)
  })
})
