import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_DEPTH, parseBoundedJson } from '../../../../src/base/bounded-json.ts'
import { PacketFault, type ReadingMode } from '../../../../src/protocols/cap/read/usual-packet.ts'
import { readPacket } from '../../../../src/protocols/cap/read/rare-packet.ts'
import { wireSchemas } from '../wire-schemas.ts'

// The same values on every run.
fc.configureGlobal({ seed: 20_260_301 })

const ID = '5b0c7a2e-3d41-4f6b-9a58-0e2f6c1d7b90'
const packet = { stream_id: ID, seq: 1, op: 'DELTA', t: '2026-03-01T08:15:01Z', p: 'Rivers ' }
const error = { code: 'upstream_timeout', message: 'Index is slow', severity: 'TRANSIENT', details: { retry_after: 2 } }

const read = (value: unknown, mode: ReadingMode = 'strict') => readPacket(JSON.stringify(value), mode)

function faultOf(text: string, mode: ReadingMode = 'strict'): PacketFault {
  try {
    readPacket(text, mode)
  } catch (thrown) {
    if (thrown instanceof PacketFault) return thrown
    throw thrown
  }
  throw new Error('The packet was read.')
}
const fault = (value: unknown, mode: ReadingMode = 'strict'): PacketFault => faultOf(JSON.stringify(value), mode)

describe('a packet on the wire', () => {
  it('is read whatever order and extra keys it has', () => {
    expect(read({ p: 'x', later: { a: 1 }, t: packet.t, op: 'DELTA', seq: 1, stream_id: ID.toUpperCase() })).toEqual({
      ...packet,
      generation: 'G1',
      p: 'x',
    })
    expect(read({ ...packet, op: 'EVENT', p: { type: 'HOLOGRAM' }, later: 1 })).toEqual({
      ...packet,
      generation: 'G1',
      op: 'EVENT',
      p: { type: 'HOLOGRAM' },
    })
  })

  it('may be an error with a severity in either case and its own keys', () => {
    expect(read({ ...packet, op: 'ERROR', p: { ...error, severity: 'warning', hint: 'x' } })).toMatchObject({
      p: { ...error, severity: 'WARNING' },
    })
  })

  it.each([['finished'], [{ reason: 'finished' }]])('may close with %j', (p) => {
    expect(read({ ...packet, op: 'CLOSE', p }).p).toEqual(p)
  })

  it('may close without a word', () => {
    expect(read({ ...packet, op: 'CLOSE', p: null }).p).toBeUndefined()
    expect(read({ ...packet, op: 'CLOSE', p: undefined }).p).toBeUndefined()
    expect(read({ op: 'close' })).toEqual({ generation: 'G2', op: 'CLOSE', p: undefined })
  })
})

describe('a packet that cannot be read', () => {
  it.each(Object.keys(packet))('says that %s is missing', (key) => {
    const { code, message } = fault({ ...packet, [key]: undefined })
    expect(code).toBe('invalid_packet')
    expect(message).toContain(`"${key}"`)
    expect(message).toContain('is missing')
  })

  it('of another protocol is named, with what to do about it', () => {
    const value = { id: 'chatcmpl-9f2', object: 'chat.completion.chunk', choices: [] }
    expect(fault(value).message).toBe(
      'Received {"id":"chatcmpl-9f2","object":"chat.comp…: not a CAP packet ("op" is missing). If this is an OpenAI or AI SDK stream, serve it with createAgentHandler.',
    )
  })

  it.each([
    ['"seq" must be a whole number within ±(2^53-1), but is null', { seq: null }],
    ['"seq" must be a whole number within ±(2^53-1), but is a number', { seq: 2 ** 53 }],
    ['"stream_id" must be a UUID, but is a string', { stream_id: 'stream-1' }],
    ['"t" must be a date and time, but is a boolean', { t: true }],
    ['"p" must be a string, but is a list', { p: ['x'] }],
    ['"p" must be an object, but is a string', { op: 'EVENT', p: 'x' }],
    ['"p" must be a StreamError: code, message and severity, but is a string', { op: 'ERROR', p: 'boom' }],
    ['"p" must be a string, an object or null, but is a list', { op: 'CLOSE', p: [] }],
    ['"op" must be a string, but is null', { op: null }],
  ])('says: %s', (message, change) => {
    expect(fault({ ...packet, ...change })).toMatchObject({
      code: 'invalid_packet',
      message: expect.stringContaining(message),
    })
  })

  it('is one with an op nobody knows', () => {
    expect(fault({ ...packet, op: 'SNAPSHOT' })).toMatchObject({
      code: 'unknown_op',
      message: expect.stringContaining('"SNAPSHOT"'),
    })
    expect(fault({ op: 'constructor', p: 'x' }, 'tolerant').code).toBe('unknown_op')
  })

  it.each(['[DONE]', '{"op":"DELTA"', '', '\u0000', '{"op":NaN}'])('is the text %j', (text) => {
    expect(faultOf(text).code).toBe('invalid_json')
  })

  it.each([null, 7, true, 'DELTA', [packet], {}, { event: 'stream_connected' }])('is the value %j', (value) => {
    expect(fault(value).code).toBe('invalid_packet')
  })

  it('keeps its beginning for the developer, not all of it', () => {
    expect(faultOf(`{"op":"DELTA","p":"${'x'.repeat(9_000)}"`).raw).toHaveLength(2_000)
  })
})

describe('an error without the structure of RFC 005', () => {
  const bare = [
    ['a string', 'Error: rate limit', 'Error: rate limit'],
    ['an object of its own making', { error: 'timeout', step: 2 }, 'timeout'],
    ['a numeric code', { code: 500, message: 'broken', severity: 'FATAL' }, 'broken'],
    ['an unknown severity', { ...error, severity: 'INFO' }, 'Index is slow'],
    ['nothing readable', {}, 'The agent reported an error without a readable message.'],
  ] as const

  it.each(bare)('is refused in strict mode: %s', (_what, p) => {
    expect(fault({ ...packet, op: 'ERROR', p }).code).toBe('invalid_packet')
  })

  it.each(bare)('is a fatal error in tolerant mode: %s', (_what, p, message) => {
    const details = typeof p === 'string' ? undefined : p
    expect(read({ ...packet, op: 'ERROR', p }, 'tolerant')).toMatchObject({ op: 'ERROR', stream_id: ID, seq: 1 })
    expect(read({ ...packet, op: 'ERROR', p }, 'tolerant').p).toEqual({
      code: 'unstructured_error',
      message,
      severity: 'FATAL',
      details,
    })
  })
})

describe('packets of other generations', () => {
  it.each([
    ['G2 text', { op: 'delta', p: 'The' }, { generation: 'G2', op: 'DELTA', p: 'The' }],
    ['G2 with the keys of G1', { ...packet, op: 'delta' }, { generation: 'G2', op: 'DELTA', p: 'Rivers ' }],
    [
      'a G2 event',
      { op: 'event', p: { type: 'user_error' } },
      { generation: 'G2', op: 'EVENT', p: { type: 'user_error' } },
    ],
    ['a G2 event that is text', { op: 'event', p: 'x' }, { generation: 'G2', op: 'EVENT', p: { data: 'x' } }],
    ['a G2 event that is nothing', { op: 'event', p: null }, { generation: 'G2', op: 'EVENT', p: {} }],
    [
      'a G2 event without a payload, as its own writer leaves null out',
      { op: 'event' },
      { generation: 'G2', op: 'EVENT', p: {} },
    ],
    ['a G4 event without a payload', { op: 'event', timestamp: 1 }, { generation: 'G4', op: 'EVENT', p: {} }],
    [
      'a G2 error',
      { op: 'error', p: { code: 'c', message: 'm', severity: 'fatal' } },
      { generation: 'G2', op: 'ERROR', p: { code: 'c', message: 'm', severity: 'FATAL' } },
    ],
    ['a G2 close', { op: 'close', p: null }, { generation: 'G2', op: 'CLOSE' }],
    [
      'a medium G3 error',
      { op: 'error', p: { code: 429, message: 'm', severity: 'medium' } },
      { generation: 'G3', op: 'ERROR', p: { code: '429', message: 'm', severity: 'WARNING' } },
    ],
    [
      'a high G4 error',
      { op: 'error', timestamp: 1, p: { code: 503, message: 'm', severity: 'high' } },
      { generation: 'G4', op: 'ERROR', p: { code: '503', message: 'm', severity: 'TRANSIENT' } },
    ],
    [
      'a critical G3 error',
      { op: 'error', p: { code: -1, message: 'm', severity: 'critical' } },
      { generation: 'G3', op: 'ERROR', p: { code: '-1', message: 'm', severity: 'FATAL' } },
    ],
    [
      'a G4 thought',
      { op: 'thought', timestamp: 1.5, p: 'hm' },
      { generation: 'G4', op: 'EVENT', p: { type: 'THOUGHT_TRACE', data: { thought: 'hm' } } },
    ],
    [
      'a G4 tool call',
      { op: 'tool_call', timestamp: 1, p: { name: 'search' } },
      { generation: 'G4', op: 'EVENT', p: { type: 'TOOL_CALL', data: { name: 'search' } } },
    ],
    [
      'a G4 state change',
      { op: 'state_delta', timestamp: 1, p: [] },
      { generation: 'G4', op: 'EVENT', p: { type: 'STATE_DELTA', data: [] } },
    ],
    [
      'a G4 op of its last days',
      { op: 'epistemic', timestamp: 1, p: 7 },
      { generation: 'G4', op: 'EVENT', p: { type: 'EPISTEMIC', data: 7 } },
    ],
    ['a named token', { event: 'token', data: 'The' }, { generation: 'G2s', op: 'DELTA', p: 'The' }],
    [
      'a named status',
      { event: 'status', data: { a: 1 } },
      { generation: 'G2s', op: 'EVENT', p: { type: 'status', data: { a: 1 } } },
    ],
    [
      'a named error',
      { event: 'error', data: 'boom' },
      { generation: 'G2s', op: 'ERROR', p: { code: 'unstructured_error', message: 'boom', severity: 'FATAL' } },
    ],
    [
      'a CloudEvent with a chunk',
      { specversion: '1.0', type: 'ai.coreason.node.stream', data: { chunk: 'Hi' } },
      { generation: 'G0', op: 'DELTA', p: 'Hi' },
    ],
    [
      'a CloudEvent of the code',
      { specversion: '1.0', type: 'ai.coreason.node.stream', data: { gen_ai: { completion: { chunk: 'Hi' } } } },
      { generation: 'G0', op: 'DELTA', p: 'Hi' },
    ],
    [
      'a CloudEvent without text',
      { specversion: '1.0', type: 'ai.coreason.node.stream', data: {} },
      { generation: 'G0', op: 'EVENT', p: { specversion: '1.0', type: 'ai.coreason.node.stream', data: {} } },
    ],
  ])('are read: %s', (_what, value, expected) => {
    expect(JSON.parse(JSON.stringify(read(value)))).toEqual(expected)
  })

  it.each([
    { op: 'thought', p: 'x' },
    { op: 'delta', p: 5 },
    { op: 'event', p: [] },
    { op: 'event', p: 7 },
    { event: 'token', data: [] },
    { specversion: '1.0' },
  ])('may be malformed too: %j', (value) => {
    expect(fault(value, 'tolerant').code).toBe('invalid_packet')
  })
})

describe('hostile text', () => {
  const nested = (depth: number): string =>
    `{"stream_id":"${ID}","seq":1,"op":"EVENT","t":"${packet.t}","p":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`

  it('may nest 500 deep, as CAP allows', () => {
    expect(readPacket(nested(500), 'strict').op).toBe('EVENT')
  })

  it('is refused beyond the limit, before it can exhaust a stack', () => {
    expect(readPacket(nested(MAX_DEPTH - 1), 'strict').op).toBe('EVENT')
    expect(faultOf(nested(MAX_DEPTH)).code).toBe('invalid_json')
    expect(faultOf('['.repeat(1_000_000)).code).toBe('invalid_json')
    expect(faultOf('{"a":'.repeat(300_000)).code).toBe('invalid_json')
  })

  it('may hold as many brackets as it likes inside strings', () => {
    const p = `${'["{'.repeat(5_000)}\\`
    expect(read({ ...packet, p }).p).toBe(p)
  })

  it.each([
    ['plain', '"__proto__"'],
    ['escaped', '"\\u005f_proto__"'],
    ['escaped otherwise', '"__\\u0070roto__"'],
  ])('cannot carry a prototype, %s', (_how, key) => {
    const text = `{"stream_id":"${ID}","seq":1,"op":"EVENT","t":"${packet.t}","p":{${key}:{"polluted":1},"a":[{${key}:{"polluted":1},"b":1}]}}`
    const { p } = readPacket(text, 'strict')
    expect(p).toEqual({ a: [{ b: 1 }] })
    expect(Object.assign({}, p)).not.toHaveProperty('polluted')
    expect('polluted' in {}).toBe(false)
  })

  it('never gets anything out of the reader but packets and faults', () => {
    const ops = fc.constantFrom(
      'DELTA',
      'EVENT',
      'ERROR',
      'CLOSE',
      'delta',
      'event',
      'error',
      'close',
      'thought',
      'tool_call',
      'x',
      null,
      7,
    )
    const shaped = fc.record(
      {
        stream_id: fc.oneof(fc.uuid(), fc.anything()),
        seq: fc.anything(),
        op: ops,
        t: fc.anything(),
        p: fc.jsonValue(),
        timestamp: fc.oneof(fc.double(), fc.anything()),
        event: fc.anything(),
        data: fc.jsonValue(),
        specversion: fc.constantFrom('1.0', 1),
      },
      { requiredKeys: [] },
    )
    const texts = fc.oneof(
      fc.string(),
      fc.json(),
      shaped.map(
        (value) =>
          JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner)) ?? '',
      ),
    )
    fc.assert(
      fc.property(texts, fc.constantFrom('strict' as const, 'tolerant' as const), (text, mode) => {
        try {
          return ['DELTA', 'EVENT', 'ERROR', 'CLOSE'].includes(readPacket(text, mode).op)
        } catch (thrown) {
          return thrown instanceof PacketFault
        }
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('the short way for texts and events', () => {
  it('gives the verdict and the packet the schema gives', () => {
    const ids = fc.oneof(
      fc.uuid(),
      fc.uuid().map((id) => `{${id.toUpperCase()}}`),
      fc.uuid().map((id) => id.replaceAll('-', '')),
      fc.string(),
      fc.constant(null),
      fc.integer(),
    )
    const numbers = fc.oneof(
      fc.integer(),
      fc.maxSafeInteger(),
      fc.double(),
      fc.constantFrom('7', '7.0', ' 8', true, null, 2 ** 53, -0),
      fc.string(),
    )
    const times = fc.oneof(
      fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }).map((date) => date.toISOString()),
      fc.double(),
      fc.constantFrom('2026-03-01', '2026-03-01 08:15', '1772352901', '2026-02-30', null, true),
      fc.string(),
    )
    const texts = fc.oneof(
      { weight: 4, arbitrary: fc.string({ unit: 'binary' }) },
      { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) },
    )
    const objects = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }))
    const keys = {
      stream_id: ids,
      seq: numbers,
      op: fc.constantFrom('DELTA', 'EVENT'),
      t: times,
      p: fc.oneof(texts, objects),
      extra: fc.jsonValue({ maxDepth: 1 }),
    }
    const likely = fc.oneof(
      { weight: 4, arbitrary: fc.record(keys) },
      { weight: 1, arbitrary: fc.record(keys, { requiredKeys: ['op'] }) },
    )
    let agreed = 0
    fc.assert(
      fc.property(likely, fc.constantFrom('strict' as const, 'tolerant' as const), (value, mode) => {
        const text = JSON.stringify(value)
        const bySchema = wireSchemas[mode].upper.safeParse(parseBoundedJson(text))
        if (bySchema.success) agreed += 1
        const ours = bySchema.success ? readPacket(text, mode) : faultOf(text, mode).code
        return isDeepStrictEqual(ours, bySchema.success ? { generation: 'G1', ...bySchema.data } : 'invalid_packet')
      }),
      { numRuns: 1_000 },
    )
    // Both verdicts were met.
    expect(agreed).toBeGreaterThan(50)
    expect(agreed).toBeLessThan(950)
  })
})
