import { describe, expect, it } from 'vitest'
import { makeLongLine, makeStream } from '../../bench/wire/packets.js'
import { toDelivery } from '../../src/protocols/cap/events.ts'
import { readPacket } from '../../src/protocols/cap/read/read-packet.ts'
import { createSseDecoder } from '../../src/wire/sse-decoder.ts'

/** The way of capstan in bench/wire/paths.js, over the sources. */
function read(chunks: readonly Uint8Array[]) {
  const counts = { DELTA: 0, EVENT: 0, CLOSE: 0, ERROR: 0 }
  const parts: Record<string, number> = {}
  const payloads: string[] = []
  let text = ''
  const decoder = createSseDecoder({
    maxFrameBytes: 10_000_000,
    onFrame({ data }) {
      const packet = readPacket(data, 'strict')
      const { event } = toDelivery(packet, payloads.length)
      payloads.push(data)
      counts[packet.op] += 1
      if (event.type === 'text') text += event.text
      if (event.type === 'part') parts[event.part.type] = (parts[event.part.type] ?? 0) + 1
    },
  })
  for (const chunk of chunks) decoder.push(chunk)
  return { counts, parts, payloads, text }
}

describe('the stream of the wire bench', () => {
  it.each(['\n', '\r\n'] as const)('is read whole by our path, with lines ended by %j', (lineEnding) => {
    const made = makeStream({ packets: 3000, seed: 7, lineEnding })
    const { counts, parts, payloads, text } = read(made.chunks)
    expect(counts).toEqual({ ...made.counts, ERROR: 0 })
    expect(payloads).toEqual(made.payloads)
    expect(text).toBe(made.text)
    // Every EVENT is one of a kind that people see.
    expect(Object.keys(parts).toSorted()).toEqual(['citations', 'progress'])
  })

  it('is what the bench says it is: mostly text, some events, an end to every run, chunks of 1 to 4 kB', () => {
    const { chunks, counts, bytes } = makeStream({ packets: 3000, seed: 7 })
    expect(counts.DELTA + counts.EVENT + counts.CLOSE).toBe(3000)
    expect(counts.CLOSE).toBe(3)
    expect(counts.EVENT).toBeGreaterThan(30)
    expect(counts.EVENT).toBeLessThan(150)
    const sizes = chunks.map(({ byteLength }) => byteLength)
    expect(sizes.reduce((sum, size) => sum + size)).toBe(bytes)
    expect(Math.min(...sizes.slice(0, -1))).toBeGreaterThanOrEqual(1024)
    expect(Math.max(...sizes)).toBeLessThan(4096)
  })

  it('is the same for the same seed and another for another', () => {
    const [one, same, other] = [7, 7, 8].map((seed) => makeStream({ packets: 200, seed }).payloads)
    expect(same).toEqual(one)
    expect(other).not.toEqual(one)
  })

  it('has a long line that is one packet of that many bytes', () => {
    const chunks = makeLongLine(1_000_000)
    const { payloads, counts } = read(chunks)
    expect(counts.DELTA).toBe(1)
    expect(`data: ${payloads[0] ?? ''}`).toHaveLength(1_000_000)
  })
})
