import { describe, expect, it } from 'vitest'
import { layOut } from '../../../../playground/src/connection/lay-out.ts'
import type { Mark } from '../../../../playground/src/wire/wire-snapshot.ts'

const delta = (at: number, more: Partial<Mark> = {}): Mark => ({ kind: 'delta', at, streamId: 's', ...more })

describe('the picture of the connection', () => {
  it('keeps a drop among hundreds of packets, and the close at the end', () => {
    const marks: Mark[] = [
      ...Array.from({ length: 300 }, (_, at) => delta(at)),
      { kind: 'drop', at: 300 },
      ...Array.from({ length: 300 }, (_, at) => delta(at, { replay: true })),
      { kind: 'close', at: 900 },
    ]
    const { placed } = layOut(marks, { from: 36, to: 282, short: false })
    expect(placed.length).toBeLessThanOrEqual(30)
    expect(placed.filter(({ sign }) => sign === 'drop')).toHaveLength(1)
    expect(placed.at(-1)?.sign).toBe('close')
    expect(placed.some(({ sign }) => sign === 'replay')).toBe(true)
  })
})
