import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import {
  readPlainDelta,
  parsePacket,
  readUsual,
  type CapPacket,
} from '../../../../src/protocols/cap/read/usual-packet.ts'
import { readPacket } from '../../../../src/protocols/cap/read/rare-packet.ts'

const STREAM = '6f1c6cf0-1111-4222-8333-444455556666'
const T = '2026-03-01T08:15:00.123456Z'

const compact = (p: unknown, seq: unknown = 7, t: unknown = T, stream_id: unknown = STREAM): string =>
  JSON.stringify({ stream_id, seq, op: 'DELTA', t, p })
/** As Python's `json.dumps` writes it. */
const spaced = (text: string): string => text.replace(/"(stream_id|seq|op|t|p)":/g, '"$1": ').replace(/,"/g, ', "')

/** What the reader of any JSON makes of it. */
function readAsJson(text: string): CapPacket | undefined {
  try {
    return readUsual(parsePacket(text))
  } catch {
    return undefined
  }
}

describe('a plain DELTA', () => {
  it('is read as the reader of any JSON reads it', () => {
    const texts = [
      '',
      'word',
      ' two words ',
      '"quoted"',
      'two\nrows',
      'a\\b',
      'tab\t',
      'ü — 🌊',
      '\u007f',
      '},"p":"x',
      '\\"',
    ]
    const times = [T, '2026-03-01T08:15:00Z', '2026-03-01T08:15:00.123Z', '2026-03-01T08:15:00.123456+00:00']
    for (const p of texts)
      for (const t of times)
        for (const seq of [0, 1, 42, 999_999_999_999_999])
          for (const text of [compact(p, seq, t), spaced(compact(p, seq, t))]) {
            const read = readPlainDelta(text)
            expect(read, text).toBeDefined()
            expect(read).toEqual(readAsJson(text))
          }
  })

  it('is nothing else, and no broken JSON', () => {
    const others = [
      compact(7),
      compact(null),
      compact({}),
      compact('x', -1),
      compact('x', 1.5),
      compact('x', '1'),
      compact('x', 1e21),
      compact('x', 7, '2026-02-29T08:15:00Z'),
      compact('x', 7, '2026-03-01T08:15:00.000Z'),
      compact('x', 7, T, STREAM.toUpperCase()),
      compact('x').replace('DELTA', 'CLOSE'),
      compact('x').replace('"seq":7', '"seq":07'),
      compact('x').replace('{', ' {'),
      `${compact('x')}\n`,
      `${compact('x')}}`,
      compact('x').slice(0, -1),
      compact('x').replace('"p":', '"p" :'),
      compact('x').replace('"p": ', '"p":').replace('"t":', '"t": '),
      compact('x').replace('"x"', '"x","p":"y"'),
      compact('x').replace('"x"', '"\t"'),
      compact('x').replace('"x"', String.raw`"\x"`),
      compact('x').replace('"x"', String.raw`"\u00g0"`),
      compact('x').replace('"x"', String.raw`"\"`),
    ]
    for (const text of others) expect(readPlainDelta(text), text).toBeUndefined()
  })

  it('agrees with the reader of any JSON about every text it takes, whatever was done to it', () => {
    const edit = fc.record({
      at: fc.nat({ max: 220 }),
      removed: fc.nat({ max: 3 }),
      added: fc.string({ unit: fc.constantFrom(...Array.from('"\\,:{} 0-19Zuabtn\t—')), maxLength: 3 }),
    })
    const words = fc.string({ unit: fc.constantFrom('a', ' ', '"', '\\', '\n', 'ü', '🌊'), maxLength: 12 })
    let taken = 0
    fc.assert(
      fc.property(words, fc.boolean(), fc.array(edit, { maxLength: 2 }), (p, isSpaced, edits) => {
        let text = isSpaced ? spaced(compact(p)) : compact(p)
        for (const { at, removed, added } of edits) text = text.slice(0, at) + added + text.slice(at + removed)
        const read = readPlainDelta(text)
        if (read === undefined) return
        taken += 1
        expect(read).toEqual(readAsJson(text))
      }),
      { numRuns: 5000 },
    )
    expect(taken).toBeGreaterThan(500)
  })

  it('is read without making an object of its JSON: of its text alone, where something is escaped in it', () => {
    readPlainDelta(compact('the first of its stream'))
    const parse = vi.spyOn(JSON, 'parse')
    const parsed = (text: string): readonly unknown[] => {
      parse.mockClear()
      readPlainDelta(text)
      return parse.mock.calls.map(([source]) => source)
    }
    const found = [parsed(compact('plain')), parsed(compact('a\nb'))]
    parse.mockRestore()
    expect(found).toEqual([[], [String.raw`"a\nb"`]])
  })

  it('is no longer than a few kilobytes: a text of megabytes is left to the reader of any JSON, which can read it', () => {
    for (const p of ['short', 'x'.repeat(16_000_000), '\n'.repeat(8_000_000)])
      expect(readPacket(compact(p), 'strict')).toMatchObject({ op: 'DELTA', seq: 7, p })
  })

  it('shares the string of its stream with the packet before', () => {
    const other = STREAM.replace('6f1c', '7f1c')
    for (const each of [STREAM, other, other, STREAM])
      expect(readPlainDelta(compact('x', 1, T, each))?.stream_id).toBe(each)
  })
})
