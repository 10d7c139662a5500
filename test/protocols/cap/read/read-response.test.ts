import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toHealthCheckResponse, toServiceResponse } from '../../../../src/protocols/cap/read/read-response.ts'
import { healthCheckResponseSchema, serviceResponseSchema } from '../../../../src/protocols/cap/schema/response.ts'
import { mutationsOf, SEED, UUID } from '../mutations-of.ts'

describe('what the client reads by hand', () => {
  it('reads exactly the ServiceResponses that the schema reads, and the same of them', () => {
    const response = {
      request_id: UUID,
      created_at: '2026-03-01T08:15:00Z',
      output: { text: 'A' },
      metrics: { tokens: 1 },
      more: 1,
    }
    fc.assert(
      fc.property(mutationsOf(response), (value) => {
        const bySchema = serviceResponseSchema.safeParse(value)
        expect(toServiceResponse(value)).toEqual(bySchema.success ? bySchema.data : undefined)
      }),
      { seed: SEED, numRuns: 2000 },
    )
  })

  it('reads exactly the health that the schema reads', () => {
    const health = { status: 'ok', agent_id: UUID, version: '1.0.0', uptime_seconds: 3.5, more: 1 }
    fc.assert(
      fc.property(mutationsOf(health), (value) => {
        const bySchema = healthCheckResponseSchema.safeParse(value)
        expect(toHealthCheckResponse(value)).toEqual(bySchema.success ? bySchema.data : undefined)
      }),
      { seed: SEED, numRuns: 2000 },
    )
  })
})
