import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CORPORA, makeLongLine, makeStream } from '../../../bench/wire/packets.js'
import { readPacket } from '../../../src/protocols/cap/read/rare-packet.ts'
import { toEvent } from '../../../src/protocols/cap/rare-packets.ts'
import { createSseDecoder } from '../../../src/wire/sse-decoder.ts'
import { readTree, ROOT } from '../../layers/files.ts'

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
      const event = toEvent(packet, { streamId: packet.stream_id ?? '', ordinal: payloads.length })
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
    const { runs, chunks, counts, bytes } = makeStream({ packets: 3000, seed: 7 })
    expect(counts.DELTA + counts.EVENT + counts.CLOSE).toBe(3000)
    expect(counts.CLOSE).toBe(3)
    expect(counts.EVENT).toBeGreaterThan(30)
    expect(counts.EVENT).toBeLessThan(150)
    const sizes = chunks.map(({ byteLength }) => byteLength)
    expect(sizes.reduce((sum, size) => sum + size)).toBe(bytes)
    expect(Math.max(...sizes)).toBeLessThan(4096)
    expect(runs).toHaveLength(3)
    expect(runs.flat().every((chunk, index) => chunk === chunks[index])).toBe(true)
    for (const run of runs)
      for (const { byteLength } of run.slice(0, -1)) expect(byteLength).toBeGreaterThanOrEqual(1024)
  })

  it('has the times and the lengths that its corpus is named after', () => {
    const packets = (corpus: keyof typeof CORPORA): readonly { readonly t: string; readonly p: unknown }[] =>
      makeStream({ ...CORPORA[corpus], packets: 200, seed: 7 }).payloads.map((payload) => JSON.parse(payload))
    for (const { t } of packets('Z')) expect(t).toMatch(/\.\d{6}Z$/)
    for (const { t } of packets('+00:00')) expect(t).toMatch(/\.\d{6}\+00:00$/)
    for (const { p } of packets('one word')) if (typeof p === 'string') expect(p.trim()).not.toContain(' ')
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

describe('the benches', () => {
  it('import built files whose sources exist, though only a user runs them', () => {
    const imports = readTree('bench/').flatMap(({ path, text }) =>
      [...text.matchAll(/from '(?:\.\.\/)+dist\/([^']+)\.js'/g)].map(([, file = '']) => ({ path, file })),
    )
    expect(imports.length).toBeGreaterThan(5)
    expect(imports.filter(({ file }) => !existsSync(`${ROOT}src/${file}.ts`))).toEqual([])
  })
})
