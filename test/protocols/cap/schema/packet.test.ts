import { describe, expect, it } from 'vitest'
import { streamPacketG1aSchema } from '../dialects/stream-packet-g1a.ts'
import { streamPacketG2Schema, streamPacketG2sSchema } from '../dialects/stream-packet-g2.ts'
import { streamPacketG3Schema, streamPacketG4Schema } from '../dialects/stream-packet-g4.ts'
import type { StreamPacket } from '../../../../src/protocols/cap/schema/packet.ts'
import {
  createStreamPacketSchema,
  detectGeneration,
  streamPacketSchema,
} from '../../../../src/protocols/cap/schema/packet.ts'

const packet = {
  stream_id: '5b0c7a2e-3d41-4f6b-9a58-0e2f6c1d7b90',
  seq: 1,
  op: 'DELTA',
  t: '2026-03-01T08:15:01Z',
  p: 'Rivers ',
}
const error = { code: 'upstream_timeout', message: 'Index is slow', severity: 'TRANSIENT', details: { retry_after: 2 } }
const without = (key: string): object => Object.fromEntries(Object.entries(packet).filter(([name]) => name !== key))

describe('a packet of the generation of record', () => {
  it('has one type per op', () => {
    const parsed: StreamPacket = streamPacketSchema.parse({ ...packet, op: 'ERROR', p: error })
    expect(parsed.op === 'ERROR' && parsed.p.severity).toBe('TRANSIENT')
  })

  it.each([
    ['an empty DELTA', { p: '' }],
    ['a DELTA of 10,000 characters', { p: 'x'.repeat(10_000) }],
    ['an empty EVENT', { op: 'EVENT', p: {} }],
    ['an EVENT of a type nobody knows', { op: 'EVENT', p: { type: 'HOLOGRAM' } }],
    ['an EVENT that looks like an error', { op: 'EVENT', p: error }],
    ['an ERROR as RFC 005 wants it', { op: 'ERROR', p: error }],
    ['an ERROR with null details', { op: 'ERROR', p: { ...error, details: null } }],
    ['an ERROR with a code that is no snake_case', { op: 'ERROR', p: { ...error, code: 'Not Snake!' } }],
    ['a CLOSE with a reason', { op: 'CLOSE', p: 'finished' }],
    ['a CLOSE with an object', { op: 'CLOSE', p: { reason: 'finished' } }],
    ['seq 0', { seq: 0 }],
    ['a negative seq', { seq: -4 }],
    ['seq as a numeric string', { seq: '7' }],
    ['a naive t', { t: '2026-03-01T08:15:01' }],
  ])('may be %s', (_what, change) => {
    expect(streamPacketSchema.safeParse({ ...packet, ...change }).success).toBe(true)
  })

  it.each([
    ['a DELTA with an object', { p: {} }],
    ['a DELTA with null', { p: null }],
    ['a DELTA with a number', { p: 5 }],
    ['a DELTA with a list', { p: ['a'] }],
    ['an EVENT with a string', { op: 'EVENT', p: 'x' }],
    ['an EVENT with a list', { op: 'EVENT', p: [1] }],
    ['an EVENT with null', { op: 'EVENT', p: null }],
    ['an ERROR with a string', { op: 'ERROR', p: 'boom' }],
    [
      'an ERROR with a presentation event',
      { op: 'ERROR', p: { id: packet.stream_id, timestamp: packet.t, type: 'MARKDOWN_BLOCK', data: {} } },
    ],
    ['an ERROR without severity', { op: 'ERROR', p: { code: 'c', message: 'm' } }],
    ['an ERROR with a lower-case severity', { op: 'ERROR', p: { ...error, severity: 'fatal' } }],
    ['an ERROR with a numeric code', { op: 'ERROR', p: { ...error, code: 500 } }],
    ['an ERROR with a key too many', { op: 'ERROR', p: { ...error, hint: 'x' } }],
    ['a CLOSE with null', { op: 'CLOSE', p: null }],
    ['a CLOSE with a list', { op: 'CLOSE', p: [] }],
    ['one with a key too many', { trace: 'x' }],
    ['one with a lower-case op', { op: 'delta' }],
    ['one with an unknown op', { op: 'SNAPSHOT' }],
    ['one with a null op', { op: null }],
    ['one with a fractional seq', { seq: 1.5 }],
    ['one with a null seq', { seq: null }],
    ['one with a seq beyond 2^53-1', { seq: 2 ** 53 }],
    ['one with a stream_id that is no UUID', { stream_id: 'stream-1' }],
    ['one with a t that is no time', { t: 'now' }],
  ])('is not %s', (_what, change) => {
    expect(streamPacketSchema.safeParse({ ...packet, ...change }).success).toBe(false)
  })

  it.each(Object.keys(packet))('is not one without %s', (key) => {
    expect(streamPacketSchema.safeParse(without(key)).success).toBe(false)
  })

  it.each([[null], [7], ['DELTA'], [[packet]]])('is not %j', (value) => {
    expect(streamPacketSchema.safeParse(value).success).toBe(false)
  })

  it('comes out in canonical spelling', () => {
    const odd = {
      ...packet,
      stream_id: `{${packet.stream_id.toUpperCase()}}`,
      seq: 1.0,
      t: '2026-03-01 08:15:01+00:00',
    }
    expect(streamPacketSchema.parse(odd)).toEqual(packet)
  })

  it('must be spelled so without lax reading', () => {
    const schema = createStreamPacketSchema({ lax: false })
    expect(schema.safeParse(packet).success).toBe(true)
    expect(schema.safeParse({ ...packet, seq: '1' }).success).toBe(false)
    expect(schema.safeParse({ ...packet, t: '2026-03-01' }).success).toBe(false)
  })

  it('says which key is wrong, and how', () => {
    const { error: failure } = streamPacketSchema.safeParse({
      ...packet,
      op: 'ERROR',
      p: { ...error, severity: 'INFO' },
    })
    expect(failure?.issues).toMatchObject([{ path: ['p', 'severity'], message: 'must be FATAL, TRANSIENT or WARNING' }])
  })
})

describe('packets before RFC 005', () => {
  it.each(['boom', {}, { error: 'timeout' }, error])('may report the error %j', (p) => {
    expect(streamPacketG1aSchema.safeParse({ ...packet, op: 'ERROR', p }).success).toBe(true)
  })

  it.each([null, 5, ['boom']])('may not report the error %j', (p) => {
    expect(streamPacketG1aSchema.safeParse({ ...packet, op: 'ERROR', p }).success).toBe(false)
  })
})

describe('packets of later generations', () => {
  const g2Error = { code: 'c', message: 'm', severity: 'fatal' }
  const g3Error = { code: 503, message: 'm', severity: 'high' }

  it.each([
    { op: 'delta', p: 'x' },
    { op: 'delta', p: 'x', seq: 1 },
    { op: 'event', p: null },
    { op: 'event', p: 'x' },
    { op: 'close', p: null },
    { op: 'close', p: 'x' },
    { op: 'error', p: { ...g2Error, extra: 1 } },
  ])('G2 takes %j', (value) => expect(streamPacketG2Schema.safeParse(value).success).toBe(true))

  it.each([
    { op: 'error', p: [] },
    { op: 'error', p: 'boom' },
    { op: 'error', p: { code: 'c' } },
    { op: 'error', p: { ...g2Error, severity: 'FATAL' } },
    { op: 'error', p: { ...g2Error, severity: 'warning' } },
    { op: 'error', p: { ...g2Error, code: 7 } },
    { op: 'delta', p: g2Error },
    { op: 'event', p: [] },
    { op: 'close' },
    { op: 'DELTA', p: 'x' },
  ])('G2 refuses %j', (value) => {
    expect(streamPacketG2Schema.safeParse(value).success).toBe(false)
  })

  it('G2s takes named data only', () => {
    const verdicts = [
      { event: '', data: '' },
      { event: 'a', data: {}, x: 1 },
    ].map((value) => streamPacketG2sSchema.safeParse(value).success)
    const refusals = [
      { event: 'a', data: [] },
      { event: 'a', data: 1 },
      { event: 'a', data: null },
      { event: 'a' },
      { event: 1, data: '' },
    ]
    expect(verdicts).toEqual([true, true])
    expect(refusals.map((value) => streamPacketG2sSchema.safeParse(value).success)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ])
  })

  it('G3 takes two keys, numeric codes and no events', () => {
    const taken = [{ op: 'delta', p: 'x' }, { op: 'error', p: g3Error }, { op: 'close', p: null }, { op: 'close' }]
    const refused = [
      { op: 'delta', p: 'x', seq: 1 },
      { op: 'event', p: {} },
      { op: 'error', p: g2Error },
      { op: 'close', p: 'x' },
      { op: 'error', p: { ...g3Error, details: {} } },
    ]
    expect(taken.map((value) => streamPacketG3Schema.safeParse(value).success)).toEqual(taken.map(() => true))
    expect(refused.map((value) => streamPacketG3Schema.safeParse(value).success)).toEqual(refused.map(() => false))
  })

  it('G4 wants a timestamp and has its own ops', () => {
    const mount = { widget_id: 'chart', props_schema: {}, annotations: { a: 1 } }
    const taken = [
      { op: 'delta', p: 'x', timestamp: 1.5, trace_id: 't' },
      { op: 'tool_call', p: { name: 'search' }, timestamp: 1 },
      { op: 'ui_mount', p: mount, timestamp: 1 },
      { op: 'state_delta', p: [{ op: 'add', path: '/a', value: 1 }], timestamp: 1 },
      { op: 'close', timestamp: 1, trace_id: null },
    ]
    const refused = [
      { op: 'thought', p: 'x' },
      { op: 'thought', p: {}, timestamp: 1 },
      { op: 'event', p: {}, timestamp: 1 },
      { op: 'state_delta', p: {}, timestamp: 1 },
      { op: 'delta', p: 'x', timestamp: 1, seq: 1 },
    ]
    expect(taken.map((value) => streamPacketG4Schema.safeParse(value).success)).toEqual(taken.map(() => true))
    expect(refused.map((value) => streamPacketG4Schema.safeParse(value).success)).toEqual(refused.map(() => false))
  })
})

describe('telling generations apart', () => {
  it.each([
    ['G1', packet],
    ['G1', { op: 'CLOSE' }],
    ['G2', { op: 'delta', p: 'x' }],
    ['G2', { ...packet, op: 'delta' }],
    ['G2', { op: 'error', p: { code: 'c', severity: 'fatal' } }],
    ['G3', { op: 'error', p: { code: 500, severity: 'low' } }],
    ['G4', { op: 'delta', p: 'x', timestamp: 0 }],
    ['G4', { op: 'suspense_mount' }],
    ['G2', { op: 'delta', p: 'x', event: 'token', data: 'x' }],
    ['G2s', { event: '', data: '' }],
    ['G2s', { event: 'token', data: 'x', specversion: '1.0' }],
    ['G0', { specversion: '1.0', type: 'a' }],
    [undefined, { op: 'snapshot', event: 'token', data: 'x' }],
    [undefined, { event: 'stream_connected' }],
    [undefined, { specversion: '0.3' }],
    [undefined, { op: '__proto__' }],
    [undefined, {}],
  ])('%s: %j', (generation, value) => {
    expect(detectGeneration(value)).toBe(generation)
  })
})
