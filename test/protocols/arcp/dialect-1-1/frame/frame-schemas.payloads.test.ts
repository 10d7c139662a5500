import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type * as z from 'zod/mini'
import { parseBoundedJson } from '../../../../../src/base/bounded-json.ts'
import { ValidationError } from '../../../../../src/base/format/validation-error.ts'
import { readEvent, readDialectFrame } from '../../../../../src/protocols/arcp/dialect-1-1/frame/read-frame.ts'
import {
  eventSchemas,
  frameSchema,
  framePayloadSchemas,
} from '../../../../../src/protocols/arcp/dialect-1-1/frame/frame-schemas.ts'
import { valuesOf } from '../../schema/values-of.ts'

const types: [string, z.ZodMiniType][] = Object.entries(framePayloadSchemas)
const kinds: [string, z.ZodMiniType][] = Object.entries(eventSchemas)
const RUNS = { numRuns: 60, seed: 20_261_125, includeErrorInReport: true }

/** What JSON keeps of a value, without the keys that are never read. */
const throughJson = (value: unknown): unknown => parseBoundedJson(JSON.stringify(value))

const envelope = { arcp: '1.1', id: 'm1', session_id: 's1', job_id: 'j1', event_seq: 3 }

/** What the reader says, and whether it is a fault. Anything else that is thrown is passed on. */
function read(value: unknown): unknown {
  try {
    const frame = readDialectFrame(JSON.stringify(value))
    if (frame.type === 'job.event') readEvent(frame.payload)
    return frame
  } catch (error) {
    if (error instanceof ValidationError) return undefined
    throw error
  }
}

/** A value with one of its members replaced or taken out. */
function mutated(value: object): fc.Arbitrary<object> {
  const keys = Object.keys(value)
  if (keys.length === 0) return fc.constant(value)
  return fc
    .tuple(fc.constantFrom(...keys), fc.jsonValue({ maxDepth: 2 }))
    .map(([key, other]) => ({ ...value, [key]: other }))
}

describe('the types of ARCP 1.1', () => {
  it('are 19, and three that only some runtimes know; the kinds of events are 10', () => {
    expect(types).toHaveLength(22)
    expect(kinds).toHaveLength(10)
  })
})

describe.each(types)('a payload of %s', (type, schema) => {
  it('is read from a frame as its schema reads it, without credentials', () => {
    fc.assert(
      fc.property(valuesOf(schema), (payload) => {
        const value = { ...envelope, type, payload: throughJson(payload) }
        const parsed = throughJson(schema.parse(throughJson(payload))) as object
        const { credentials: _, ...expected } = { credentials: undefined, ...parsed }
        expect(frameSchema.safeParse(value).success).toBe(true)
        expect(throughJson(read(value))).toEqual({ ...envelope, arcp: undefined, type, payload: expected })
      }),
      RUNS,
    )
  })

  it('is judged by the reader as by the schema when something in it is changed', () => {
    fc.assert(
      fc.property(
        // A payload is an object.
        valuesOf(schema).chain((payload) => mutated(throughJson(payload) as object)),
        (payload) => {
          // Nobody reads them, so nobody judges them.
          const value = { ...envelope, type, payload: throughJson({ ...payload, credentials: undefined }) }
          expect(read(value) !== undefined).toBe(frameSchema.safeParse(value).success)
        },
      ),
      RUNS,
    )
  })
})

describe.each(kinds)('an event of kind %s', (kind, schema) => {
  const bodies = valuesOf(schema)
  const frameOf = (body: unknown) => ({
    ...envelope,
    type: 'job.event',
    payload: { kind, ts: '2026-05-13T19:42:13Z', body },
  })

  it('is read as its schema reads it', () => {
    fc.assert(
      fc.property(bodies, (given) => {
        const body = throughJson(given)
        expect(frameSchema.safeParse(frameOf(body)).success).toBe(true)
        expect(throughJson(readEvent({ kind, ts: '', body }))).toEqual({ kind, body: throughJson(schema.parse(body)) })
      }),
      RUNS,
    )
  })

  it('is judged by the reader as by the schema when something in it is changed', () => {
    fc.assert(
      fc.property(
        // A body is an object.
        bodies.chain((body) => mutated(throughJson(body) as object)),
        (body) => {
          const value = frameOf(throughJson(body))
          expect(read(value) !== undefined).toBe(frameSchema.safeParse(value).success)
        },
      ),
      RUNS,
    )
  })
})
