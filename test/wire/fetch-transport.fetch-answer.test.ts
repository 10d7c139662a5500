import { expect, it } from 'vitest'
import { readChunks } from '../../src/wire/fetch-transport.ts'

const MB = 1_048_576

const bodyOf = (...chunks: readonly Uint8Array<ArrayBuffer>[]): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })

it.each([
  ['one large chunk', [new Uint8Array(MB).fill(7)]],
  ['many small chunks', Array.from({ length: 1024 }, () => new Uint8Array(1024).fill(7))],
])('lets the page do something else after every 64 kB of %s', async (_, chunks) => {
  let turns = 0
  let reading = true
  const work = (): void => {
    turns += 1
    if (reading) setImmediate(work)
  }
  setImmediate(work)
  let bytes = 0
  const turnsSeen = new Set<number>()
  for await (const piece of readChunks(bodyOf(...chunks))) {
    expect(piece.byteLength).toBeLessThanOrEqual(65_536)
    bytes += piece.byteLength
    turnsSeen.add(turns)
  }
  reading = false
  expect(bytes).toBe(MB)
  expect(turnsSeen.size).toBeGreaterThanOrEqual(4)
})
