import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createSseDecoder } from '../../src/wire/sse-decoder.ts'
import type { SseFrame } from '../../src/wire/transport.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

function decoding(maxFrameBytes = 1000) {
  const frames: SseFrame[] = []
  return { frames, decoder: createSseDecoder({ maxFrameBytes, onFrame: (frame) => frames.push(frame) }) }
}

afterEach(() => void vi.restoreAllMocks())

describe('the SSE decoder', () => {
  it('gives the same frames for every cut of the bytes, in LF, CR and CRLF', () => {
    for (const ending of ['\n', '\r', '\r\n']) {
      const stream = bytes(
        [
          'id: 7',
          'event: stream.packet',
          'data: {"p":"Flüsse 🌊"}',
          '',
          ': ping',
          '',
          'data: two',
          'data: lines',
          '',
          '',
        ].join(ending),
      )
      const expected = [
        { event: 'stream.packet', data: '{"p":"Flüsse 🌊"}', id: '7' },
        { event: 'message', data: 'two\nlines', id: '7' },
      ]
      for (let cut = 0; cut <= stream.length; cut += 1) {
        const { frames, decoder } = decoding()
        decoder.push(stream.subarray(0, cut))
        decoder.push(stream.subarray(cut))
        expect(frames, `${JSON.stringify(ending)} cut at ${cut}`).toEqual(expected)
      }
    }
  })

  it('drops a frame whose blank line never came', () => {
    const { frames, decoder } = decoding()
    decoder.push(bytes('id: 1\ndata: whole\n\nid: 2\ndata: ha'))
    expect(frames).toEqual([{ event: 'message', data: 'whole', id: '1' }])
    expect(decoder.lastEventId).toBe('1')
  })

  it('stops at a frame over the limit, keeping those before it', () => {
    const { frames, decoder } = decoding(20)
    decoder.push(bytes(`data: ok\n\ndata: ${'x'.repeat(21)}\n\ndata: after\n\n`))
    expect(decoder.overflowed).toBe(true)
    expect(frames.map(({ data }) => data)).toEqual(['ok'])
  })

  it('counts bytes, not characters', () => {
    const { decoder } = decoding(20)
    decoder.push(bytes(`data: ${'🌊'.repeat(5)}\n\n`))
    expect(decoder.overflowed).toBe(false)
    decoder.push(bytes(`data: ${'🌊'.repeat(6)}\n\n`))
    expect(decoder.overflowed).toBe(true)
  })

  it('stops at the same frame however the bytes are cut, for data and lines around the limit', () => {
    for (const length of [18, 19, 20, 21, 22, 30]) {
      for (const line of [
        `data: ${'x'.repeat(length)}`,
        `data:${'x'.repeat(length)}`,
        `data: ${'x'.repeat(9)}\ndata: ${'x'.repeat(length - 9)}`,
        `event: ${'x'.repeat(length)}\ndata: y`,
        `: ${'x'.repeat(length)}`,
        `data: ${'ü'.repeat(length - 9)}`,
      ]) {
        const stream = bytes(`${line}\n\ndata: after\n\n`)
        const whole = decoding(20)
        whole.decoder.push(stream)
        for (let size = 1; size < stream.length; size += 1) {
          const { frames, decoder } = decoding(20)
          for (let at = 0; at < stream.length; at += size) decoder.push(stream.subarray(at, at + size))
          expect({ frames, overflowed: decoder.overflowed }, `${line} in pieces of ${size}`).toEqual({
            frames: whole.frames,
            overflowed: whole.decoder.overflowed,
          })
        }
      }
    }
  })

  it('ends a frame with a lone CR immediately, and takes the LF that comes later for the rest of its CRLF', () => {
    const { frames, decoder } = decoding()
    decoder.push(bytes('data: one\r\n\r'))
    expect(frames.map(({ data }) => data)).toEqual(['one'])
    decoder.push(bytes('\ndata: two\r'))
    decoder.push(bytes('\n'))
    expect(decoder.completed).toBe(false)
    decoder.push(bytes('data: three\r\n\r\n'))
    expect(frames.map(({ data }) => data)).toEqual(['one', 'two\nthree'])
  })

  it('never gathers more than the limit of an endless line or endless data lines', () => {
    for (const piece of ['x', 'data: x\n']) {
      const { decoder } = decoding(100)
      decoder.push(bytes('data: '))
      let pushes = 0
      while (!decoder.overflowed && pushes < 1000) {
        decoder.push(bytes(piece))
        pushes += 1
      }
      expect(pushes).toBeLessThanOrEqual(101)
    }
  })

  it('lets a million comments pass without keeping any', () => {
    const { frames, decoder } = decoding(100)
    const chunk = bytes(': ping\n\n'.repeat(1000))
    for (let round = 0; round < 1000; round += 1) decoder.push(chunk)
    decoder.push(bytes('data: alive\n\n'))
    expect(frames).toHaveLength(1)
  })

  it('reads broken UTF-8 as U+FFFD and keeps a BOM in mid-text', () => {
    const { frames, decoder } = decoding()
    decoder.push(Uint8Array.from([...bytes('\uFEFFdata: a'), 0xff, ...bytes('b\uFEFFc\n\n')]))
    expect(frames[0]?.data).toBe('a\uFFFDb\uFEFFc')
  })
})

describe('ids and event names', () => {
  it('are those of each frame, whatever the frame before had', () => {
    const { frames, decoder } = decoding()
    const heads = [
      'id: 41\nevent: one\n',
      'id: 42\nevent: two\n',
      'id: 42\n',
      'id:42\nevent:two\n',
      'id: 421\nevent: twofold\n',
      'id: 42\nevent:  two\n',
      'id: a\0b\n',
      'id: \nevent: \n',
      'id\nevent\n',
      'idx: 9\nevents: nine\ndato: 9\nid : 9\n',
    ]
    decoder.push(bytes(heads.map((head) => `${head}data: x\n\n`).join('')))
    expect(frames.map(({ id, event }) => [id, event])).toEqual([
      ['41', 'one'],
      ['42', 'two'],
      ['42', 'message'],
      ['42', 'two'],
      ['421', 'twofold'],
      ['42', ' two'],
      ['42', 'message'],
      ['', 'message'],
      ['', 'message'],
      ['', 'message'],
    ])
  })

  it('are not cut out of the text again while they repeat: of a frame only its data are', () => {
    const { frames, decoder } = decoding()
    const frame = (at: number): string =>
      `id: 5b0c7a2e-3d41-4f6b-9a58-0e2f6c1d7b90\nevent: stream.packet\ndata: {"seq":${at}}\n\n`
    decoder.push(bytes(frame(0)))
    const chunk = bytes(Array.from({ length: 100 }, (_, at) => frame(at)).join(''))
    const slice = vi.spyOn(String.prototype, 'slice')
    decoder.push(chunk)
    const cuts = slice.mock.calls.length
    slice.mockRestore()
    expect(cuts).toBe(100)
    expect(frames).toHaveLength(101)
  })

  it('that never repeat are searched for once in a chunk, not once in a frame', () => {
    const { frames, decoder } = decoding()
    const chunk = (first: number): Uint8Array =>
      bytes(Array.from({ length: 100 }, (_, at) => `event: ${first + at}\ndata: x\n\n`).join(''))
    decoder.push(chunk(100))
    const indexOf = vi.spyOn(String.prototype, 'indexOf')
    decoder.push(chunk(200))
    const searches = indexOf.mock.calls.filter(([sought]) => sought.startsWith('event:')).length
    indexOf.mockRestore()
    expect(searches).toBe(1)
    expect(frames.map(({ event }) => event)).toEqual(Array.from({ length: 200 }, (_, at) => `${100 + at}`))
  })

  it('and data are the same where blocks repeat their first lines and where each line comes alone', () => {
    const head = fc.constantFrom(
      'id: 1\nevent: a\n',
      'id: 2\nevent: a\n',
      'event: b\n',
      '',
      ': note\n',
      'data: first\n',
      'retry: 5\n',
    )
    const value = fc.constantFrom('data: x', 'data:x', 'data:  x', 'data: ', 'data', 'data: ü', 'data: id: 1', 'id: 3')
    const block = fc.record({ head, value, after: fc.constantFrom('', '', '', 'event: c\n', ': end\n', '\n') })
    const read = (pieces: readonly string[]): unknown => {
      const { frames, decoder } = decoding()
      for (const piece of pieces) decoder.push(bytes(piece))
      return { frames, id: decoder.lastEventId, retry: decoder.retryMs }
    }
    fc.assert(
      fc.property(fc.array(block, { maxLength: 8 }), fc.constantFrom('\n', '\n', '\r', '\r\n'), (blocks, ending) => {
        const lines = blocks.map(({ head, value, after }) => `${head}${value}\n${after}\n`.replaceAll('\n', ending))
        const alone = lines.join('').split(/(?<=\n)|(?<=\r)(?!\n)/)
        expect(read([lines.join('')])).toEqual(read(alone))
        expect(read(lines)).toEqual(read(alone))
      }),
      { numRuns: 1000 },
    )
  })

  it('are looked for once for a block that begins as the one before, beside the end of its data', () => {
    const { frames, decoder } = decoding()
    const chunk = bytes(Array.from({ length: 100 }, (_, at) => `id: 1\nevent: a\ndata: ${at}\n\n`).join(''))
    decoder.push(bytes('id: 1\nevent: a\ndata: x\n\n'))
    const indexOf = vi.spyOn(String.prototype, 'indexOf')
    decoder.push(chunk)
    const searches = indexOf.mock.calls.length
    indexOf.mockRestore()
    // And once each for the lines that are left, of which there are none.
    expect(searches).toBe(202)
    expect(frames).toHaveLength(101)
  })
})
