import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type * as z from 'zod/mini'
import { parseBoundedJson } from '../../../../src/base/bounded-json.ts'
import { readAnyMessage } from '../../../../src/protocols/arcp/read/rare-payloads.ts'
import { envelopeSchema, messageSchema } from '../../../../src/protocols/arcp/schema/envelope.ts'
import { payloadSchemas } from '../../../../src/protocols/arcp/schema/payloads.ts'
import type { ArcpType } from '../../../../src/protocols/arcp/schema/payloads.ts'
import { createMessageWriter, frameOf } from '../../../../src/protocols/arcp/write-message.ts'
import { valuesOf } from './values-of.ts'

// Each entry is one of these.
const all = Object.entries(payloadSchemas) as [ArcpType, z.ZodMiniType<object>][]
const RUNS = { numRuns: 60, seed: 20_261_125, includeErrorInReport: true }

const writer = createMessageWriter({ date: () => Date.parse('2026-03-01T08:15:00Z'), uuid: () => crypto.randomUUID() })

/** What JSON keeps of a value, without the keys that are never read. */
const throughJson = (value: unknown): unknown => parseBoundedJson(JSON.stringify(value))

/** Members that a client has no use for, and leaves unread. */
const UNREAD: Readonly<Partial<Record<ArcpType, string>>> = {
  'cancel.accepted': 'target',
  'cancel.refused': 'target',
  backpressure: 'buffer_remaining_bytes',
}

/** What the reader makes of a payload that the schema has read: it knows fewer members, and one spelling of what runtimes write differently. */
function asRead(type: ArcpType, payload: object): object {
  const members = Object.entries(payload).flatMap(([key, value]): [string, unknown][] => {
    if (key === UNREAD[type]) return []
    // A tool that gives null gives nothing: runtimes in F# write so.
    if (key === 'value' && value === null && (type === 'tool.result' || type === 'job.completed')) return []
    const isReason = type === 'cancel.refused' && key === 'reason' && typeof value === 'string'
    return [[key, isReason ? value.toLowerCase().replaceAll(' ', '_') : value]]
  })
  return Object.fromEntries(members)
}

describe('the payloads', () => {
  it('are those of the 66 types of the core', () => {
    expect(all).toHaveLength(66)
  })
})

describe.each(all)('a payload of %s', (type, schema) => {
  const payloads = valuesOf(schema)

  it('is the same after it was written and read by its schema', () => {
    fc.assert(
      fc.property(payloads, (payload) => {
        const read = schema.parse(payload)
        expect(schema.parse(throughJson(read))).toEqual(throughJson(read))
      }),
      RUNS,
    )
  })

  it('is read from a frame as its schema reads it, or comes back as it is where only a client sends it', () => {
    fc.assert(
      fc.property(payloads, (payload) => {
        const parsed = schema.parse(payload)
        const written = writer.write(type, parsed, { session_id: 'sess_1' })
        const frame = frameOf(written)
        expect(messageSchema.safeParse(JSON.parse(frame)).success).toBe(true)
        const message = readAnyMessage(parseBoundedJson(frame))
        const { payload: read, ...envelope } = message
        expect(envelope).toMatchObject({ id: written.id, timestamp: written.timestamp, session_id: 'sess_1' })
        if (message.type === 'echo') {
          expect(message.name).toBe(type)
          expect(read).toEqual(throughJson(parsed))
        } else {
          expect(message.type).toBe(type)
          expect(throughJson(read)).toEqual(asRead(type, throughJson(parsed) as object))
        }
      }),
      RUNS,
    )
  })
})

describe('an envelope', () => {
  it('is the same after it was written and read', () => {
    fc.assert(
      fc.property(valuesOf(envelopeSchema), (value) => {
        const read = envelopeSchema.parse(value)
        expect(envelopeSchema.parse(throughJson(read))).toEqual(throughJson(read))
      }),
      RUNS,
    )
  })
})
