import * as z from 'zod/mini'
import { jsonObject, text, laxScalars } from '../../../src/protocols/cap/schema/scalar-schemas.ts'
import type { StreamError } from '../../../src/protocols/cap/schema/packet.ts'
import { readStreamError, unstructuredError } from '../../../src/protocols/cap/read/rare-packet.ts'
import type { ReadingMode } from '../../../src/protocols/cap/read/usual-packet.ts'

// What the client reads by hand, said once more as schemas: the tests hold the two against each other.

// The wire set takes more than the generations do: keys it does not know, severities in both cases,
// CLOSE without `p` (CAP section 5, last paragraphs), an event of G2 without `p`, as its writer leaves null out.
const { uuid, integer, dateTime, number } = laxScalars
const place = { stream_id: uuid, seq: integer, t: dateTime }
const stringObjectOrNull = z.nullable(z.union([text, jsonObject], 'must be a string, an object or null'))
const mayBeAbsent = z.optional(stringObjectOrNull)

// @__NO_SIDE_EFFECTS__
function streamError(mode: ReadingMode, severities: 'G1' | 'any') {
  return z.pipe(
    z.unknown(),
    z.transform((value: unknown, context): StreamError => {
      const error = readStreamError(value, severities)
      if (error) return error
      if (mode === 'tolerant') return unstructuredError(value)
      context.issues.push({
        code: 'custom',
        message: 'must be a StreamError: code, message and severity',
        input: value,
      })
      return z.NEVER
    }),
  )
}

// @__NO_SIDE_EFFECTS__
function createWireSchemas(mode: ReadingMode) {
  return {
    upper: z.discriminatedUnion('op', [
      z.object({ ...place, op: z.literal('DELTA'), p: text }),
      z.object({ ...place, op: z.literal('EVENT'), p: jsonObject }),
      z.object({ ...place, op: z.literal('ERROR'), p: streamError(mode, 'G1') }),
      z.object({ ...place, op: z.literal('CLOSE'), p: mayBeAbsent }),
    ]),
    lower: z.discriminatedUnion('op', [
      z.object({ op: z.literal('delta'), p: text }),
      z.object({ op: z.literal('event'), p: mayBeAbsent }),
      z.object({ op: z.literal('error'), p: streamError(mode, 'any') }),
      z.object({ op: z.literal('close'), p: mayBeAbsent }),
      z.object({ op: z.literal('thought'), timestamp: number, p: text }),
      z.object({ op: z.literal('tool_call'), timestamp: number, p: jsonObject }),
      z.object({ op: z.literal('ui_mount'), timestamp: number, p: jsonObject }),
      z.object({ op: z.literal('state_delta'), timestamp: number, p: z.array(z.unknown(), 'must be a list') }),
      z.object({ op: z.literal(['epistemic', 'suspense_mount']), timestamp: number, p: z.unknown() }),
    ]),
  }
}

/** The wire schemas of each mode: `upper` for G1, `lower` for G2, G3 and G4. */
export const wireSchemas = { strict: createWireSchemas('strict'), tolerant: createWireSchemas('tolerant') }
