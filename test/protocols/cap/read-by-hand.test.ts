import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { requestFaults } from '../../../src/protocols/cap/assert-request.ts'
import { toHealthCheckResponse, toServiceResponse } from '../../../src/protocols/cap/read/read-response.ts'
import { serviceRequestSchema } from '../../../src/protocols/cap/schema/request.ts'
import { healthCheckResponseSchema, serviceResponseSchema } from '../../../src/protocols/cap/schema/response.ts'
import { requestBody } from '../../server/peer.ts'

const SEED = 4711
const UUID = '5b0c7a2e-3d41-4f6b-9a58-0e2f6c1d7b90'

/** What a value may turn into: good in one place, wrong in another. */
const anything = fc.constantFrom<unknown>(undefined, null, '', 'x', UUID, UUID.toUpperCase(), `{${UUID}}`, '2026-03-01T08:15:00Z', 'yes', 'ok', 0, 1, 1.5, '7', true, [], ['a'], [1], {}, { a: 1 })

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

/** The value with each place that has a substitute replaced; `undefined` leaves the key out. */
function substitute(value: unknown, path: string, by: ReadonlyMap<string, unknown>): unknown {
  if (by.has(path)) return by.get(path)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value).map(([key, each]) => [key, substitute(each, `${path}.${key}`, by)] as const)
  return Object.fromEntries(entries.filter(([, each]) => each !== undefined))
}

function pathsOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path]
  return [path, ...Object.entries(value).flatMap(([key, each]) => pathsOf(each, `${path}.${key}`))]
}

function mutationsOf(whole: object) {
  return fc.array(fc.tuple(fc.constantFrom(...pathsOf(whole)), anything), { maxLength: 4 }).map((changes) => substitute(whole, '', new Map(changes)))
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

  it('reads exactly the ServiceResponses that the schema reads, and the same of them', () => {
    const response = { request_id: UUID, created_at: '2026-03-01T08:15:00Z', output: { text: 'A' }, metrics: { tokens: 1 }, more: 1 }
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
