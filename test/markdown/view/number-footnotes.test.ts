import { describe, expect, it } from 'vitest'
import { addAllSyntax } from '../../../src/markdown/all-syntax.ts'
import { createBaseMarkdownStream } from '../../../src/markdown/markdown-stream.ts'
import { createMarkdownReader } from '../../../src/markdown/view/markdown-reader.ts'
import { numberFootnotes } from '../../../src/markdown/view/number-footnotes.ts'

addAllSyntax()

const NOTED = 'One[^a].\n\n[^a]: First note.\n\n'

describe('the numbers of footnotes, while an answer grows', () => {
  it('stay the same object when a further note comes, so that no mark above renders', () => {
    const reader = createMarkdownReader()
    const { numbers } = reader.read(NOTED, 'live', numberFootnotes)
    expect([...numbers]).toEqual([['A', 1]])
    const later = reader.read(`${NOTED}Two[^b].\n\n[^b]: Second note.\n\n`, 'live', numberFootnotes)
    expect(later.numbers).toBe(numbers)
    expect([...later.numbers]).toEqual([
      ['A', 1],
      ['B', 2],
    ])
  })

  it('are another object when a note that is defined late takes a number before others', () => {
    const reader = createMarkdownReader()
    const { numbers } = reader.read(`Late[^z]. ${NOTED}`, 'live', numberFootnotes)
    expect([...numbers]).toEqual([['A', 1]])
    const later = reader.read(`Late[^z]. ${NOTED}[^z]: Late note.\n\n`, 'live', numberFootnotes)
    expect(later.numbers).not.toBe(numbers)
    expect([...later.numbers]).toEqual([
      ['Z', 1],
      ['A', 2],
    ])
  })

  it('begin again with another text', () => {
    const reader = createMarkdownReader()
    reader.read(`${NOTED}Two[^b].\n\n[^b]: Second note.\n\n`, 'live', numberFootnotes)
    expect([...reader.read('Other[^b].\n\n[^b]: Note.\n', 'complete', numberFootnotes).numbers]).toEqual([['B', 1]])
  })
})

describe('the numbers of 500 footnotes, when one more comes', () => {
  /** Counts the labels that are looked up. */
  class Counted extends Map<string, number> {
    lookups = 0
    override get(label: string): number | undefined {
      this.lookups++
      return super.get(label)
    }
  }
  const noted = (count: number): string =>
    Array.from({ length: count }, (_, n) => `Text[^${n}].\n\n[^${n}]: Note ${n}.\n\n`).join('')

  it('are read from what is new, not from all that is above', () => {
    const stream = createBaseMarkdownStream()
    stream.append(noted(500))
    const numbers = new Counted()
    expect(numberFootnotes(stream.root, numbers)).toBe(numbers)
    expect(numbers.size).toBe(500)
    numbers.lookups = 0
    stream.append('Text[^new].\n\n[^new]: Note.\n\n')
    expect(numberFootnotes(stream.root, numbers)).toBe(numbers)
    expect(numbers.get('NEW')).toBe(501)
    expect(numbers.lookups).toBeLessThan(40)
  })

  it('are what a whole walk gives, also where notes refer to notes and labels get their notes late', () => {
    const text = `${noted(40)}See[^late] and[^deep].\n\n[^deep]: Of[^inner].\n\n[^inner]: Inside.\n\n${'More.\n\n'.repeat(40)}[^late]: Late.\n\n${noted(50)}`
    const stream = createBaseMarkdownStream()
    let numbers = new Map<string, number>()
    for (let at = 0; at < text.length; at += 7) {
      stream.append(text.slice(at, at + 7))
      numbers = numberFootnotes(stream.root, numbers)
      expect([...numbers]).toEqual([...numberFootnotes(stream.root, new Map())])
    }
    expect(numbers.size).toBe(53)
  })
})
