// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { Chunk, CodeLine } from '../../../src/markdown/inline/tree.ts'
import { LineChunks } from '../../../src/markdown/view/block-view.tsx'

afterEach(cleanup)

let looks = 0

/** 16 lines that count who asks for them. */
function chunkOf(first: number): Chunk<CodeLine> {
  return {
    get key() {
      looks += 1
      return first
    },
    items: Array.from({ length: 16 }, (_, at) => ({ key: first + at, text: `line ${first + at}` })),
  }
}

describe('code that grows by a line', () => {
  it('renders its last group of chunks, and asks none of the others for its key', () => {
    const chunks = Array.from({ length: 200 }, (_, at) => chunkOf(at * 16))
    const { container, rerender } = render(<LineChunks chunks={chunks} />)
    const first = container.firstChild
    looks = 0
    rerender(<LineChunks chunks={[...chunks, chunkOf(3200)]} />)
    // One of each group of eight, and those of the group that has grown.
    expect(looks).toBeLessThanOrEqual(Math.ceil(201 / 8) + 2 * 8)
    expect(container.firstChild).toBe(first)
    expect(container.textContent).toBe(Array.from({ length: 201 * 16 }, (_, line) => `line ${line}`).join('\n'))
  })
})
