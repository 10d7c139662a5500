import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { AsciiFrame, frameBytes, createSseDecoder } from '../../src/wire/sse-decoder.ts'
import type { SseFrame } from '../../src/wire/transport.ts'

// The same values on every run.
fc.configureGlobal({ seed: 20_260_301 })

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

function framesOf(chunks: readonly Uint8Array[]): SseFrame[] {
  const frames: SseFrame[] = []
  const decoder = createSseDecoder({ maxFrameBytes: 10_000, onFrame: (frame) => frames.push(frame) })
  for (const chunk of chunks) decoder.push(chunk)
  return frames
}

describe('the size of a frame', () => {
  it('is that of its data as UTF-8, broken bytes included, however the bytes are cut', () => {
    const piece = fc.oneof(
      fc.constantFrom('word', 'Fluß', '🌊', '\ndata: ', '—').map(encode),
      fc.constantFrom([0xff], [0xe2, 0x80], [0xc3], [0xef, 0xbf, 0xbd]).map((list) => Uint8Array.from(list)),
    )
    const frame = fc
      .array(piece, { maxLength: 8 })
      .map((pieces) => [encode('data: '), ...pieces, encode('\n\n')].flatMap((each) => [...each]))
    fc.assert(
      fc.property(fc.array(frame, { minLength: 1, maxLength: 6 }), fc.nat(200), (list, cut) => {
        const whole = Uint8Array.from(list.flat())
        for (const chunks of [[whole], [whole.subarray(0, cut), whole.subarray(cut)]]) {
          const frames = framesOf(chunks)
          expect(frames).toHaveLength(list.length)
          for (const each of frames) expect(frameBytes(each)).toBe(encode(each.data).byteLength)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('is known without another look at the data where the chunk was ASCII alone', () => {
    const frames = framesOf([encode('id: 1\ndata: one\n\ndata: two\ndata: lines\n\n'), encode('data: Fluß\n\n')])
    expect(frames.map((frame) => frame instanceof AsciiFrame)).toEqual([true, true, false])
    const look = vi.spyOn(RegExp.prototype, 'test')
    const sizes = frames.slice(0, 2).map(frameBytes)
    const looks = look.mock.calls.length
    look.mockRestore()
    expect(sizes).toEqual([3, 9])
    expect(looks).toBe(0)
  })

  it('of a frame that joins lines of two chunks is right when only the first is beyond ASCII', () => {
    const [frame] = framesOf([encode('data: Fluß\n'), encode('data: bed\n\n')])
    expect(frame && frameBytes(frame)).toBe(9)
  })

  it('makes no difference to who reads the frame', () => {
    const [frame] = framesOf([encode('id: 1\ndata: one\n\n')])
    expect({ ...frame }).toStrictEqual({ event: 'message', data: 'one', id: '1' })
    expect(JSON.parse(JSON.stringify(frame))).toEqual({ event: 'message', data: 'one', id: '1' })
  })
})
