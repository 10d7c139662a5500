import { describe, expect, it } from 'vitest'
import { createMarkdownReader } from '../../src/markdown/view/markdown-reader.ts'

const NOTED = 'One[^a].\n\n[^a]: First note.\n\n'

describe('the numbers of footnotes, while an answer grows', () => {
  it('stay the same object when a further note comes, so that no mark above renders', () => {
    const reader = createMarkdownReader()
    const { numbers } = reader.read(NOTED, true)
    expect([...numbers]).toEqual([['A', 1]])
    const later = reader.read(`${NOTED}Two[^b].\n\n[^b]: Second note.\n\n`, true)
    expect(later.numbers).toBe(numbers)
    expect([...later.numbers]).toEqual([
      ['A', 1],
      ['B', 2],
    ])
  })

  it('are another object when a note that is defined late takes a number before others', () => {
    const reader = createMarkdownReader()
    const { numbers } = reader.read(`Late[^z]. ${NOTED}`, true)
    expect([...numbers]).toEqual([['A', 1]])
    const later = reader.read(`Late[^z]. ${NOTED}[^z]: Late note.\n\n`, true)
    expect(later.numbers).not.toBe(numbers)
    expect([...later.numbers]).toEqual([
      ['Z', 1],
      ['A', 2],
    ])
  })

  it('begin anew with another text', () => {
    const reader = createMarkdownReader()
    reader.read(`${NOTED}Two[^b].\n\n[^b]: Second note.\n\n`, true)
    expect([...reader.read('Other[^b].\n\n[^b]: Note.\n', false).numbers]).toEqual([['B', 1]])
  })
})
