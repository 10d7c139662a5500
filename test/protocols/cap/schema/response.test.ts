import { describe, expect, it } from 'vitest'
import {
  createServiceResponseSchema,
  healthCheckResponseSchema,
  serviceResponseSchema,
} from '../../../../src/protocols/cap/schema/response.ts'

const ID = '2f1d6c80-7f0e-4b11-9a0c-8f4c2c5d9e10'

describe('a whole answer', () => {
  const answer = { request_id: ID, created_at: '2026-03-01T08:15:00Z', output: { text: 'They erode outward.' } }

  it('is read, with or without metrics', () => {
    expect(serviceResponseSchema.parse({ ...answer, metrics: null, extra: 1 })).toEqual(answer)
    expect(serviceResponseSchema.parse({ ...answer, metrics: { tokens: 12 } }).metrics).toEqual({ tokens: 12 })
  })

  it.each([
    { output: 'They erode outward.' },
    { output: null },
    { created_at: 'nope' },
    { created_at: undefined },
    { request_id: 'x' },
    { metrics: [] },
  ])('is refused with %j', (change) => {
    expect(serviceResponseSchema.safeParse({ ...answer, ...change }).success).toBe(false)
  })

  it('is read canonically only when asked to', () => {
    expect(createServiceResponseSchema({ lax: false }).safeParse({ ...answer, created_at: 0 }).success).toBe(false)
    expect(serviceResponseSchema.parse({ ...answer, created_at: 0 }).created_at).toBe('1970-01-01T00:00:00Z')
  })
})

describe('a health answer', () => {
  const health = { status: 'degraded', agent_id: ID, version: '1.4.0', uptime_seconds: 12.5 }

  it('is read', () => {
    expect(healthCheckResponseSchema.parse({ ...health, region: 'eu' })).toEqual(health)
    expect(healthCheckResponseSchema.parse({ ...health, uptime_seconds: '3' }).uptime_seconds).toBe(3)
  })

  it.each([
    { status: 'invalid_status' },
    { status: 'OK' },
    { agent_id: 'agent-1' },
    { version: 1 },
    { uptime_seconds: 'long' },
    { uptime_seconds: undefined },
  ])('is refused with %j', (change) => {
    expect(healthCheckResponseSchema.safeParse({ ...health, ...change }).success).toBe(false)
  })
})
