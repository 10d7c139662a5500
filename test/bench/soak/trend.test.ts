import { describe, expect, it } from 'vitest'
import { isGrowing, judge, MOST_MB_PER_HOUR, slopeOf } from '../../../bench/soak/trend.js'

const HOUR_MS = 3_600_000
const samples = (count: number, heap: (hours: number) => number, nodes: (at: number) => number = () => 100) =>
  Array.from({ length: count }, (_, at) => ({
    atMs: (at * HOUR_MS) / count,
    heap: heap(at / count),
    counts: { nodes: nodes(at) },
  }))

describe('what a soak says', () => {
  it('is the slope of a line through its samples', () => {
    expect(
      slopeOf([
        [0, 1],
        [1, 3],
        [2, 5],
      ]),
    ).toBe(2)
    expect(
      slopeOf([
        [0, 3],
        [1, 1],
        [2, 5],
        [3, 3],
      ]),
    ).toBeCloseTo(0.4)
    expect(slopeOf([[5, 5]])).toBe(0)
    expect(slopeOf([])).toBe(0)
  })

  it('passes a heap that only warms up', () => {
    const warm = judge(samples(60, (hours) => 20e6 - 15e6 * Math.exp(-hours * 40)))
    expect(warm.mbPerHour).toBeLessThan(MOST_MB_PER_HOUR)
    expect(warm).toMatchObject({ samples: 40, growing: [], passed: true })
  })

  it('fails a heap that grows by more than 1 MB per hour', () => {
    expect(judge(samples(60, (hours) => 5e6 + 0.9e6 * hours)).passed).toBe(true)
    const leak = judge(samples(60, (hours) => 5e6 + 1.1e6 * hours))
    expect(leak.mbPerHour).toBeCloseTo(1.1)
    expect(leak.passed).toBe(false)
  })

  it('fails a count that grows, and no count that swings', () => {
    expect(
      judge(
        samples(
          60,
          () => 5e6,
          (at) => 100 + at,
        ),
      ).growing,
    ).toEqual(['nodes'])
    expect(
      judge(
        samples(
          60,
          () => 5e6,
          (at) => 100 + (at % 3),
        ),
      ).growing,
    ).toEqual([])
    expect(isGrowing([1, 1, 1, 9, 1, 1, 1])).toBe(false)
    expect(isGrowing([1, 1, 1, 5, 9, 9, 9])).toBe(true)
  })

  it('fails without samples to judge', () => {
    expect(judge([]).passed).toBe(false)
    expect(judge(samples(1, () => 5e6)).passed).toBe(false)
  })
})
