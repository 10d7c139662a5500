import { tests } from 'commonmark-spec'
import { describe, expect, it } from 'vitest'
import { createBaseMarkdownStream } from '../../src/markdown/markdown-stream.ts'
import type { Block, ListItem } from '../../src/markdown/inline/tree.ts'
import { itemsOf } from './to-html.ts'

/** What became of blocks that were shown, as far as it is not the same kind of block, while a text came letter by letter. */
function changesOfKind(text: string): string[] {
  const stream = createBaseMarkdownStream()
  const changes: string[] = []
  let before = new Map<string, string>()
  for (const letter of text) {
    stream.append(letter)
    const now = new Map<string, string>()
    const visit = (blocks: readonly (Block | ListItem)[]): void => {
      for (const block of blocks) {
        // A list and its first item begin at the same place.
        now.set(`${block.type === 'list' || block.type === 'item' ? block.type : 'block'} ${block.key}`, block.type)
        if (block.type === 'list') visit(itemsOf(block.items))
        else if (block.type === 'quote' || block.type === 'item') visit(itemsOf(block.children))
      }
    }
    visit(itemsOf(stream.root.children))
    for (const [name, type] of before)
      if (now.get(name) !== type) changes.push(`${type} to ${now.get(name) ?? 'nothing'}`)
    before = now
  }
  return changes
}

describe('a block that is shown', () => {
  it.each([...new Set(tests.map(({ section }) => section))])(
    'never becomes another, but a paragraph the heading that an underline makes of it: %s',
    (section) => {
      const examples = tests.filter((example) => example.section === section)
      const changes = examples.flatMap(({ markdown }) => changesOfKind(markdown.replaceAll('→', '\t')))
      expect(changes.filter((change) => change !== 'paragraph to heading')).toEqual([])
    },
  )

  it('never becomes another, whatever comes in an answer', () => {
    const answer =
      '# Title\n\nSome *words* [1] and [a link](/u), see [^1].\n\n- [ ] one\n- [x] two\n  1. three\n\n     more\n\n| a | b |\n|---|---|\n| 1 | `2` |\n| 3 |\n\n```js\nconst a = `b`\n```\n> quote\n> > deeper\nlazy\n\n***\n\n<details>\n<summary>x</summary>\n</details>\n\n[a]: /u "title"\n[^1]: Note\n\n    with *more*\n\n![image](/i)\n\n2024 was a year.\n--flag is an option\n-1 is a number\n+1 too\n#1 is a place\n'
    expect(changesOfKind(answer)).toEqual([])
  })
})
