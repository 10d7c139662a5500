import { describe, expect, it } from 'vitest'
import { timeAxis } from '../../../../playground/src/inspector/time-axis.ts'

describe('the time axis', () => {
  it.each([0, 900, 2_400, 61_000, 1_000_000])('has space for %i ms, and its figures do not touch', (ms) => {
    const { figures, span } = timeAxis(ms, 10, 410)
    expect(span).toBeGreaterThanOrEqual(ms)
    figures.slice(1).forEach(({ x }, at) => expect(x - figures[at]!.x).toBeGreaterThanOrEqual(40))
    expect(new Set(figures.map(({ text }) => text)).size).toBe(figures.length)
  })

  it('grows in steps, not with every packet', () => {
    const spans = new Set(Array.from({ length: 200 }, (_, at) => timeAxis(2_000 + at * 10, 0, 400).span))
    expect(spans.size).toBeLessThan(8)
  })
})
