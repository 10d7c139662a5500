import { describe, expect, it } from 'vitest'
import { groupParts, lastGroups, liveEnd } from '../../../src/components/message/group-parts.ts'
import type { MessagePart } from '../../../src/state/turn.ts'

/** Parts in the order of the letters: text, gap, thought (`c` when complete), progress (`r` while it runs), citations, shared state, markdown. */
function partsOf(letters: string): MessagePart[] {
  return Array.from(letters).map((letter, at): MessagePart => {
    const id = `${letter}${at}`
    switch (letter) {
      case 't':
        return { type: 'text', id, text: letter }
      case 'g':
        return { type: 'gap', id, after: at, before: at + 2 }
      case 'h':
        return { type: 'thought', id, text: letter, status: 'running' }
      case 'c':
        return { type: 'thought', id, text: letter, status: 'complete' }
      case 'p':
        return { type: 'progress', id, label: letter, status: 'complete' }
      case 'r':
        return { type: 'progress', id, label: letter, status: 'running' }
      case 's':
        return { type: 'state', id, state: letter }
      case 'i':
        return { type: 'citations', id, citations: [] }
      default:
        return { type: 'markdown', id, content: letter }
    }
  })
}

/** Each group as its type and the ids of its parts. */
const shown = (letters: string): string[] =>
  groupParts(partsOf(letters)).map((group) =>
    [group.type, ...(group.type === 'single' ? [group.part] : group.parts).map(({ id }) => id)].join(' '),
  )

describe('parts that are shown together', () => {
  it('are a text with its gaps, and citations and the shared state cut nothing', () => {
    expect(shown('tgit')).toEqual(['flow t0 g1 t3'])
    expect(shown('tsgt')).toEqual(['flow t0 g2 t3'])
  })

  it('are the thoughts and the steps between two texts, in place of the first of each', () => {
    expect(shown('thphpt')).toEqual(['flow t0', 'thoughts h1 h3', 'steps p2 p4', 'flow t5'])
  })

  it('are not those on both sides of a text or of another part', () => {
    expect(shown('hthmh')).toEqual(['thoughts h0', 'flow t1', 'thoughts h2', 'single m3', 'thoughts h4'])
    expect(shown('tmt')).toEqual(['flow t0', 'single m1', 'flow t2'])
  })

  it('are at most 52 gaps: the text continues in another group', () => {
    const groups = groupParts(partsOf(`t${'gt'.repeat(60)}`))
    expect(groups.map((group) => (group.type === 'flow' ? group.parts.length : 0))).toEqual([105, 16])
  })

  it('keep their key while they grow', () => {
    const before = groupParts(partsOf('thp')).map(({ id }) => id)
    expect(groupParts(partsOf('thphhp')).map(({ id }) => id)).toEqual(before)
  })
})

describe('the end of a live answer that moves', () => {
  it.each([
    ['', 'nothing'],
    ['t', 'text'],
    ['g', 'nothing'],
    ['th', 'part'],
    ['tc', 'nothing'],
    ['tr', 'part'],
    ['tp', 'text'],
    ['tm', 'text'],
  ])('of %j is %s', (letters, end) => {
    expect(liveEnd(groupParts(partsOf(letters)))).toBe(end)
  })
})

describe('an answer of more parts than there is space for', () => {
  it('shows its end, and counts what is left out in steps of twenty', () => {
    const groups = groupParts(partsOf('m'.repeat(100)))
    const { shown: last, left } = lastGroups(groups, 60)
    expect([last.length, left, last.at(-1)]).toEqual([60, 40, groups.at(-1)])
    expect(lastGroups(groupParts(partsOf('m'.repeat(119))), 60).left).toBe(40)
  })

  it('leaves out whole groups only', () => {
    const of = (letters: string): readonly number[] => {
      const { shown: last, left } = lastGroups(groupParts(partsOf(letters)), 60)
      return [last.length, left]
    }
    expect(of(`${'tg'.repeat(15)}${'m'.repeat(70)}`)).toEqual([60, 40])
    expect(of(`${'tg'.repeat(25)}${'m'.repeat(50)}`)).toEqual([51, 0])
  })

  it('is the same list where all of it fits', () => {
    const groups = groupParts(partsOf('mmm'))
    expect(lastGroups(groups, 60)).toEqual({ shown: groups, left: 0 })
    expect(lastGroups(groups, 60).shown).toBe(groups)
  })
})
