import { describe, expect, it } from 'vitest'
import { createSseDecoder } from '../../src/wire/sse-decoder.ts'
import { loadConformance } from './conformance-data.ts'

interface Dispatch {
  readonly event: string
  readonly data: string
  readonly id: string
  readonly retry: number | null
}

interface Entry {
  readonly name: string
  readonly chunks: readonly string[]
  readonly expected: readonly Dispatch[]
  readonly finalId: string
  readonly finalRetry: number | null
}

const file = loadConformance<{ readonly entries: readonly Entry[] }>('sse.json')

function decode(chunks: readonly Uint8Array[]): unknown {
  const dispatches: Dispatch[] = []
  const decoder = createSseDecoder({
    maxFrameBytes: 10_000_000,
    onFrame: (frame) => dispatches.push({ ...frame, retry: decoder.retryMs ?? null }),
  })
  for (const chunk of chunks) decoder.push(chunk)
  return { dispatches, finalId: decoder.lastEventId, finalRetry: decoder.retryMs ?? null }
}

function rechunk(chunks: readonly Uint8Array[], size: number): readonly Uint8Array[] {
  const bytes = Buffer.concat(chunks)
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )
}

describe.skipIf(file === undefined)('the SSE reference cases', () => {
  it('come out the same however the bytes are cut', () => {
    const failures: string[] = []
    for (const entry of file?.entries ?? []) {
      const chunks = entry.chunks.map((chunk) => Buffer.from(chunk, 'base64'))
      const expected = JSON.stringify({
        dispatches: entry.expected,
        finalId: entry.finalId,
        finalRetry: entry.finalRetry,
      })
      const ways = {
        given: chunks,
        1: rechunk(chunks, 1),
        2: rechunk(chunks, 2),
        3: rechunk(chunks, 3),
        7: rechunk(chunks, 7),
      }
      for (const [way, cut] of Object.entries(ways)) {
        const { dispatches, ...rest } = decode(cut) as { dispatches: Dispatch[] } // decode returns this very shape
        const got = JSON.stringify({
          dispatches: dispatches.map(({ event, data, id, retry }) => ({ event, data, id, retry })),
          ...rest,
        })
        if (got !== expected) failures.push(`${entry.name} (${way})`)
      }
    }
    expect(failures).toEqual([])
    expect(file?.entries).toHaveLength(82)
  })
})
