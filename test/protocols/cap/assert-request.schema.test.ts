import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { requestFaults } from '../../../src/protocols/cap/assert-request.ts'
import { serviceRequestSchema } from '../../../src/protocols/cap/schema/request.ts'
import { requestBody } from '../../server/peer.ts'
import { mutationsOf, SEED, UUID } from './mutations-of.ts'

const full = {
  ...requestBody(),
  payload: {
    request_id: UUID,
    session_id: UUID,
    root_request_id: UUID,
    parent_request_id: UUID,
    timestamp: '2026-03-01T08:15:00Z',
    payload: { query: 'Why?' },
    capabilities: { supported_events: ['CITATION_BLOCK'], prefers_markdown: true, image_resolution: 'low' },
    metadata: { a: 1 },
  },
}

describe('what the client reads by hand', () => {
  it('takes exactly the requests that the schema takes, and names the same keys', () => {
    let taken = 0
    fc.assert(
      fc.property(mutationsOf(full), (request) => {
        const bySchema = serviceRequestSchema.safeParse(request)
        const faults = requestFaults(request)
        expect(faults.length === 0).toBe(bySchema.success)
        if (bySchema.success) taken += 1
        else for (const { path } of bySchema.error.issues) expect(faults.join('; ')).toContain(path.join('.'))
      }),
      { seed: SEED, numRuns: 5000 },
    )
    expect(taken).toBeGreaterThan(500)
    expect(taken).toBeLessThan(4500)
  })
})
