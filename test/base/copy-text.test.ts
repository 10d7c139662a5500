import { describe, expect, it } from 'vitest'
import { copyText } from '../../src/base/copy-text.ts'
import { cutText } from '../../src/components/citation-block/collect-citations.ts'
import { createMarkdownReader } from '../../src/markdown/view/markdown-reader.ts'
import { countLongTexts } from './retained-text.ts'

/** Shows an answer that grows by a few characters, 400 times, and keeps what each state gave. */
function grow(word: string, show: (text: string) => unknown): unknown[] {
  const shown: unknown[] = []
  let text = ''
  for (let states = 0; states < 400; states += 1) {
    text += `${word} ${states} bends, slows and bends again at every stone of its bed.\n\n`
    shown.push(show(text))
  }
  return shown
}

describe('a copied text', () => {
  it.each(['', 'a', 'Rivers meander.', 'R\u{1F30A}'.repeat(5000)])('is the same text (%#)', (text) => {
    expect(copyText(text)).toBe(text)
  })
})

// Each takes a snapshot of the whole heap, which takes a busy machine half a minute.
describe('an answer that grows', { timeout: 180_000 }, () => {
  it('keeps no longer state of itself alive in markdown', async () => {
    const reader = createMarkdownReader()
    const shown = grow('Meander', (text) => reader.read(text, 'live').root.children.at(-1))
    expect(await countLongTexts('Meander', 5000)).toBeLessThanOrEqual(3)
    expect(shown).toHaveLength(400)
  })

  it('keeps no longer state of itself alive in plain text', async () => {
    const shown = grow('Oxbow', (text) => cutText(text).at(-1))
    expect(await countLongTexts('Oxbow', 5000)).toBeLessThanOrEqual(3)
    expect(shown).toHaveLength(400)
  })

  it('would be seen to do so', async () => {
    const shown = grow('Delta', (text) => text.slice(-40))
    expect(await countLongTexts('Delta', 5000)).toBeGreaterThan(100)
    expect(shown).toHaveLength(400)
  })
})
