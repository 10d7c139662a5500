import { describe, expect, it, vi } from 'vitest'
import { AgentError } from '../../../src/base/agent-error.ts'
import { publicModelError } from '../../../src/server/run/run-verdicts.ts'

const failure = (agentCode: string | undefined, retryAfterMs?: number): AgentError =>
  new AgentError({
    kind: 'runtime',
    code: 'agent_error',
    severity: 'FATAL',
    message: 'sk-canary: HTTP status 429 of https://vendor.test',
    agentCode,
    retryAfterMs,
  })

describe('publicModelError', () => {
  it('has the code and the wait of a model that refused, and nothing that its vendor has written', () => {
    expect(publicModelError(failure('model_rate_limited', 12_000))).toEqual({
      code: 'model_rate_limited',
      severity: 'FATAL',
      message: expect.stringMatching(/^The model gets too many requests\./),
      details: { retry_after: 12 },
    })
  })

  it('points to the log of the server in development only', () => {
    const message = (): string => publicModelError(failure('model_unauthorized'))?.message ?? ''
    expect(message()).toContain('See the log of the server')
    vi.stubEnv('NODE_ENV', 'production')
    expect(message()).toBe('The model refused the credentials of this server.')
    vi.unstubAllEnvs()
  })

  it.each([failure(undefined), failure('constructor'), failure('rate_limit_exceeded'), new Error('model_unavailable')])(
    'is undefined for anything else: %s',
    (error) => {
      expect(publicModelError(error)).toBeUndefined()
    },
  )
})
