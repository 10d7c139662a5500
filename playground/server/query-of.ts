import type { ServiceRequest } from '../../src/protocols/cap/schema/request.ts'

/** What the user asked: `payload.query`, as most of CAP's sources write it, or `payload.input`. */
export function queryOf(request: ServiceRequest): string {
  const { query, input } = request.payload.payload
  const text = query ?? input
  return typeof text === 'string' ? text : ''
}
