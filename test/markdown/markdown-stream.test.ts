import { describe, expect, it } from 'vitest'
import { createMarkdownStream, parseMarkdown } from '../../src/markdown/parse-markdown.ts'
import type { MarkdownStream } from '../../src/markdown/markdown-stream.ts'
import type { Block } from '../../src/markdown/inline/tree.ts'
import { streamFault } from './stream-check.ts'
import { itemsOf, toHtml } from './to-html.ts'

/** What a reader sees when so much of a message has come, letter by letter. */
function shown(text: string): string {
  return toHtml(streamed(text).root)
}

function streamed(text: string): MarkdownStream {
  const stream = createMarkdownStream()
  for (const letter of text) {
    stream.append(letter)
    void stream.root
  }
  return stream
}

function blocks(stream: MarkdownStream): readonly Block[] {
  return itemsOf(stream.root.children)
}

describe('the last line of a message that still comes', () => {
  it.each([
    ['a lone dash below a paragraph', 'text\n-', '<p>text</p>\n'],
    ['dashes that may underline', 'text\n---', '<p>text</p>\n'],
    ['equals signs that may underline', 'text\n==', '<p>text</p>\n'],
    ['a number that may begin a list', 'text\n\n1', '<p>text</p>\n'],
    ['a number with its point', 'text\n\n1.', '<p>text</p>\n'],
    ['an item without a word', '- a\n- ', '<ul>\n<li>a</li>\n</ul>\n'],
    ['stars that may be a break or begin something strong', '**', ''],
    ['marks of containers', '> - ', ''],
    ['a heading without a word', '## ', ''],
    ['a fence that is being written', 'a\n\n```typescr', '<p>a</p>\n'],
    ['the end of a fence that is being written', '```\ncode\n``', '<pre><code>code\n</code></pre>\n'],
    ['a tag that is being written', 'a\n\n<detai', '<p>a</p>\n'],
    ['a tag that may be alone on its line', 'a\n\n<del>', '<p>a</p>\n'],
    ['a head of a table', 'a\n| b |', '<p>a</p>\n'],
    ['a head of a table, its line complete', 'a\n\n| b |\n', '<p>a</p>\n'],
    ['a head and half of the row below', '| b |\n|-', ''],
    ['a definition', 'a\n\n[label]: https://exam', '<p>a</p>\n'],
    ['a label that may be defined', 'a\n\n[label', '<p>a</p>\n'],
    ['a footnote without a word', 'a\n\n[^1]: ', '<p>a</p>\n'],
    ['the box of a task', '- a\n- [ ]', '<ul>\n<li>a</li>\n</ul>\n'],
    ['a title that goes on over lines', '[a]: /u\n"title', ''],
  ])('is held back as long as it may become something else: %s', (_, text, html) => {
    expect(shown(text)).toBe(html)
  })

  it.each([
    ['a word behind the dash', 'text\n- b', '<p>text</p>\n<ul>\n<li>b</li>\n</ul>\n'],
    ['a dash that belongs to a word', 'text\n-b', '<p>text\n-b</p>\n'],
    ['a line below the dashes', 'text\n---\n', '<h2>text</h2>\n'],
    ['a number that begins a sentence', '1 apple', '<p>1 apple</p>\n'],
    ['the line of the fence', '```ts\n', '<pre><code class="language-ts"></code></pre>\n'],
    ['the row below a head', '| b |\n|-|\n', '<table>\n<thead>\n<tr>\n<th>b</th>\n</tr>\n</thead>\n</table>\n'],
    ['text below what is no head', '| b |\nc', '<p>| b |\nc</p>\n'],
    [
      'half a row',
      '|a|b|\n|-|-|\n| 1 | tw',
      '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td>tw</td>\n</tr>\n</tbody>\n</table>\n',
    ],
    ['a word behind the box', '- [x] d', '<ul>\n<li><input type="checkbox" disabled="" checked="" /> d</li>\n</ul>\n'],
    ['what a label is not followed by', '[label] t', '<p>[label] t</p>\n'],
    ['half of a code line', '```\nco', '<pre><code>co\n</code></pre>\n'],
    ['half of a word', 'some wo', '<p>some wo</p>\n'],
  ])('is shown when it is decided: %s', (_, text, html) => {
    expect(shown(text)).toBe(html)
  })

  it('appears whatever it is when the message has ended', () => {
    for (const text of [
      'text\n-',
      '1.',
      '| b |',
      '```ts',
      '[label',
      '- [ ]',
      '<detai',
      '| a |\n| b |\n',
      '#',
      '[^1]: ',
    ]) {
      const stream = streamed(text)
      stream.finish()
      expect(stream.root).toEqual(parseMarkdown(text))
    }
  })

  it('is held back no longer than a reader would wait', () => {
    expect(shown(`\`\`\`${'word '.repeat(60)}`)).not.toBe('')
    expect(shown(`| ${'word '.repeat(250)}`)).not.toBe('')
    expect(shown(`[${'word '.repeat(20)}`)).not.toBe('')
    expect(shown(`[a]: b "${'word '.repeat(60)}`)).not.toBe('')
  })

  it.each([
    '- [ ]\n  | a | b |\n \t| a\n',
    '   1) [ ]\n| a\n[foo]: <u> "multi\n  - \tcode',
    '2. |---\n>#hashtag\n-  [ ]\n|---\n  | \\| | `|` |\n        code\n>  -       - x\n',
  ])('loses no letter below a box that is all of a line: %j', (text) => {
    for (let size = 1; size <= text.length; size += 1) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
        text.slice(at * size, (at + 1) * size),
      )
      expect(streamFault(pieces)).toBeUndefined()
    }
  })

  it('grows without being read again from its beginning, and comes to the same', () => {
    const long = 'some *words* and `code` and more '.repeat(20)
    for (const begin of ['', '# ', '> - ', '```\n', '|a|b|\n|-|-|\n| x | ', '    ', '<div>\n', '- [ ] ']) {
      const stream = streamed(begin + long)
      expect(toHtml(stream.root)).toContain(/^[`<]|^ {4}/.test(begin) ? long : 'and more some <em>words')
      stream.append('\n')
      stream.finish()
      expect(toHtml(stream.root)).toBe(toHtml(parseMarkdown(begin + long)))
    }
  })
})

describe('a block that has ended', () => {
  it('stays the same object, and so does a full chunk of its siblings', () => {
    const stream = streamed('# one\n\ntwo *words*\n\n- a\n- b\n\nthree\n')
    const [heading, paragraph, list] = blocks(stream)
    stream.append(' goes on\n\n'.repeat(40))
    expect(blocks(stream)[0]).toBe(heading)
    expect(blocks(stream)[1]).toBe(paragraph)
    expect(blocks(stream)[2]).toBe(list)
    const first = stream.root.children[0]
    stream.append('more\n\n')
    expect(stream.root.children[0]).toBe(first)
    expect(stream.root.children.every(({ items }) => items.length <= 32)).toBe(true)
  })

  it('leaves the root alone when nothing new is to be seen', () => {
    const stream = streamed('text\n')
    const root = stream.root
    expect(stream.root).toBe(root)
    stream.append('--')
    expect(stream.root).toBe(root)
    stream.append('-')
    expect(stream.root).toBe(root)
  })

  it('lets its list be loose and tight again: nothing else of it changes', () => {
    const stream = streamed('- a\n\n- b')
    const loose = blocks(stream)[0]
    expect(loose).toMatchObject({ type: 'list', tight: false })
    const other = streamed('- a\n- b\n')
    const before = blocks(other)[0]
    other.append('\n- c')
    const after = blocks(other)[0]
    expect(before).toMatchObject({ tight: true })
    expect(after).toMatchObject({ tight: false })
    expect(before?.type === 'list' && itemsOf(before.items)[0]).toBe(after?.type === 'list' && itemsOf(after.items)[0])
  })
})

describe('a definition that comes late', () => {
  it('makes the links of the leaves that waited for it, and of no others', () => {
    const stream = streamed(
      'see [a]\n\nnothing\n\n> in a quote: [a]\n\n- [a]\n\n  x\n\n|[a]|b|\n|-|-|\n|[a]|c|\n\n# [a]\n\nsee [b]\n\n',
    )
    const before = blocks(stream)
    stream.append('[a]: /url\n')
    stream.append('\n')
    const after = blocks(stream)
    expect(toHtml(stream.root).split('<a href="/url">')).toHaveLength(7)
    expect(after.map((block, index) => block === before[index])).toEqual([
      false,
      true,
      false,
      false,
      false,
      false,
      true,
    ])
  })

  it('leaves alone what named it only while it was half', () => {
    const stream = streamed('![foo](/url) and [foo](/other)\n\n')
    const before = blocks(stream)[0]
    stream.append('[foo]: /u\n\n')
    expect(blocks(stream)[0]).toBe(before)
  })

  it('is the first of its label, and is known from its second line on when another follows', () => {
    expect(shown('[a]\n\n[a]: /one\n[b]: /two\n')).toContain('<a href="/one">a</a>')
    expect(shown('[a]\n\n[a]: /one\n\n[a]: /two\n\n')).toContain('<a href="/one">a</a>')
  })

  it('reaches a paragraph that was settled in pieces', () => {
    const text = `*a [foo* b] ${'words '.repeat(600)}`
    const stream = streamed(`${text}\n\n[foo* b]: /url\n\n`)
    expect(toHtml(stream.root)).toContain('<p>*a <a href="/url">foo* b</a>')
  })

  it('of a footnote makes marks of what was text, in the footnote itself and in others too', () => {
    const stream = streamed('a[^1]\n\n[^2]: see [^1]\n\n')
    expect(toHtml(stream.root)).toContain('<p>a[^1]</p>')
    const other = streamed('a[^1]\n\n[^2]: see [^1]\n\n[^1]: see [^1]\n')
    expect(toHtml(other.root)).toBe(
      '<p>a<sup>1</sup></p>\n<footnote label="2">\n<p>see <sup>1</sup></p>\n</footnote>\n<footnote label="1">\n<p>see <sup>1</sup></p>\n</footnote>\n',
    )
  })

  it('makes a leaf again a few times only, even if thousands of its labels are defined one by one', () => {
    const labels = Array.from({ length: 300 }, (_, index) => `l${index}`)
    const stream = streamed(`${labels.map((label) => `[${label}]`).join(' ')}\n\n`)
    const seen = new Set<Block | undefined>()
    for (const label of labels) {
      stream.append(`[${label}]: /u\n\n`)
      seen.add(blocks(stream)[0])
    }
    expect(seen.size).toBeLessThan(40)
    stream.finish()
    expect(toHtml(stream.root).split('<a ')).toHaveLength(301)
  })
})

describe('line ends', () => {
  it('are the same to it, also when one is cut in two', () => {
    const text = '- a\n- b\n\n```\nx\n\ny\n```\n\nc  \nd\n'
    for (const end of ['\n', '\r\n', '\r']) {
      const stream = streamed(text.replaceAll('\n', end))
      stream.finish()
      expect(stream.root).toEqual(parseMarkdown(text))
    }
  })

  it('may be the last thing that comes', () => {
    const stream = streamed('a\r')
    expect(toHtml(stream.root)).toBe('<p>a</p>\n')
    stream.finish()
    expect(toHtml(stream.root)).toBe('<p>a</p>\n')
  })

  it('are no place for a character that cannot be shown', () => {
    expect(toHtml(parseMarkdown('a\0b'))).toBe('<p>a\uFFFDb</p>\n')
  })
})

describe('a message that has ended', () => {
  it('takes no more text', () => {
    const stream = streamed('a')
    stream.finish()
    stream.finish()
    expect(() => {
      stream.append('b')
    }).toThrow('finished')
  })

  it('may be nothing', () => {
    expect(parseMarkdown('')).toEqual({ children: [], footnotes: [] })
    expect(parseMarkdown('\n \n\t\n')).toEqual({ children: [], footnotes: [] })
  })
})
