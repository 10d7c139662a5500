import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { InlineSegment } from '../../../src/markdown/inline/tree.ts'
import { createTextStretches } from '../../../src/markdown/view/block-view.tsx'

const WORDS = 'a river that bends and goes on '

/** A segment of that many letters, at that place. */
const segment = (key: number, length: number, ends = ' '): InlineSegment => ({
  key,
  children: [{ type: 'text', text: WORDS.repeat(1 + length / WORDS.length).slice(0, length - 1) + ends }],
})

function text(lengths: readonly number[], ends: (at: number) => string = () => ' '): readonly InlineSegment[] {
  let key = 0
  return lengths.map((length, at) => segment((key += length) - length, length, ends(at)))
}

const fresh = (segments: readonly InlineSegment[]): readonly (readonly InlineSegment[])[] =>
  createTextStretches()(segments)

/** Segments that count who looks into them. */
function watched(segments: readonly InlineSegment[]): {
  readonly segments: readonly InlineSegment[]
  readonly looks: number[]
} {
  const looks = segments.map(() => 0)
  return {
    looks,
    segments: segments.map(({ key, children }, at) => ({
      key,
      get children() {
        looks[at] = (looks[at] ?? 0) + 1
        return children
      },
    })),
  }
}

describe('the stretches of a text that grows', () => {
  it('are those of the whole text, whatever came before', () => {
    const pieces = fc.array(fc.integer({ min: 1, max: 3000 }), { maxLength: 40 })
    fc.assert(
      fc.property(pieces, pieces, fc.nat(), fc.infiniteStream(fc.constantFrom(' ', 'x')), (first, more, at, ends) => {
        const stretches = createTextStretches()
        const known = text([...first, ...more], () => ends.next().value)
        stretches(known.slice(0, first.length))
        // As a definition that comes late makes it again.
        const renewed = known.map((each, place) => (place === at % known.length ? { ...each } : each))
        for (const segments of [known.slice(0, first.length + 1), known, renewed, known.slice(0, first.length)])
          expect(stretches(segments)).toEqual(fresh(segments))
      }),
    )
  })

  it('stay the same lists behind which another has begun, and their segments are not looked at again', () => {
    const { segments, looks } = watched(text(Array.from({ length: 200 }, () => 500)))
    const stretches = createTextStretches()
    const before = stretches(segments.slice(0, 190))
    expect(before.length).toBeGreaterThan(20)
    const closed = before.slice(0, -1)
    const known = closed.flat().length
    looks.fill(0)
    for (let count = 191; count <= 200; count += 1) {
      const now = stretches(segments.slice(0, count))
      closed.forEach((stretch, at) => expect(now[at]).toBe(stretch))
    }
    // All but the last, behind which the open one is cut.
    expect(Math.max(...looks.slice(0, known - 1))).toBe(0)
  })
})
