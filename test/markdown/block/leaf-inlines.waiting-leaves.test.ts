import { describe, expect, it } from 'vitest'
import { Waiting, type WaitingLeaf } from '../../../src/markdown/block/leaf-inlines.ts'

describe('the leaves that wait', () => {
  const leaf = (length: number): WaitingLeaf => ({
    text: 'a'.repeat(length),
    place: { key: 0, home: undefined },
    segments: [],
    known: 0,
    turns: 0,
    owed: 0,
    paid: 0,
  })

  it('are taken in their order, as many as fit', () => {
    const waiting = new Waiting()
    const leaves = [leaf(100), leaf(9000), leaf(100), leaf(100)]
    for (const one of leaves) waiting.add(one, ['A'])
    waiting.announce('A')
    expect(waiting.take(300).map((one) => leaves.indexOf(one))).toEqual([0, 2])
    expect(waiting.take(300).map((one) => leaves.indexOf(one))).toEqual([3])
    expect(waiting.take(300)).toEqual([])
    expect(waiting.takeAll().map((one) => leaves.indexOf(one))).toEqual([1])
  })

  it('are taken once for labels that were defined together', () => {
    const waiting = new Waiting()
    const one = leaf(10)
    waiting.add(one, ['A', 'B', 'C'])
    for (const label of ['A', 'B']) waiting.announce(label)
    expect(waiting.take(1000)).toEqual([one])
    expect(waiting.take(1000)).toEqual([])
    waiting.announce('C')
    expect(waiting.takeAll()).toEqual([one])
  })

  it('are taken for some labels together when they were taken often, and for what is left at the end', () => {
    const waiting = new Waiting()
    const one = leaf(10)
    const labels = Array.from({ length: 300 }, (_, index) => `L${index}`)
    waiting.add(one, labels)
    let turns = 0
    for (const label of labels) {
      waiting.announce(label)
      turns += waiting.take(1000).length
    }
    expect(turns).toBeLessThan(32)
    waiting.add(one, ['LAST'])
    waiting.announce('LAST')
    expect(waiting.take(1000)).toEqual([])
    expect(waiting.takeAll()).toEqual([one])
  })
})
