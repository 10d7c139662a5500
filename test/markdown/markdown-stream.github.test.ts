import { describe, expect, it } from 'vitest'
import { parseMarkdown } from '../../src/markdown/parse-markdown.ts'
import { pieces } from './line-grammar.ts'
import { streamFault } from './stream-check.ts'
import { toHtml } from './to-html.ts'

interface Example {
  readonly name: string
  readonly markdown: string
  readonly html: string
}

const head = (...cells: string[]): string =>
  `<table>\n<thead>\n<tr>\n${cells.map((cell) => `<th>${cell}</th>\n`).join('')}</tr>\n</thead>\n`
const row = (...cells: string[]): string => `<tr>\n${cells.map((cell) => `<td>${cell}</td>\n`).join('')}</tr>\n`
const table = (cells: string[], ...rows: string[]): string =>
  `${head(...cells)}${rows.length === 0 ? '' : `<tbody>\n${rows.join('')}</tbody>\n`}</table>\n`
const box = (done: boolean): string => `<input type="checkbox" disabled=""${done ? ' checked=""' : ''} /> `

const TABLES: Example[] = [
  { name: 'a head and rows', markdown: '| a | b |\n| - | - |\n| 1 | 2 |', html: table(['a', 'b'], row('1', '2')) },
  { name: 'no pipes around', markdown: 'a | b\n-|-\n1 | 2', html: table(['a', 'b'], row('1', '2')) },
  { name: 'no rows', markdown: '|a|\n|-|', html: table(['a']) },
  {
    name: 'alignment',
    markdown: '| a | b | c | d |\n|:-|:-:|-:|-|',
    html: '<table>\n<thead>\n<tr>\n<th align="left">a</th>\n<th align="center">b</th>\n<th align="right">c</th>\n<th>d</th>\n</tr>\n</thead>\n</table>\n',
  },
  {
    name: 'one column with nothing but a colon',
    markdown: 'a\n:-',
    html: '<table>\n<thead>\n<tr>\n<th align="left">a</th>\n</tr>\n</thead>\n</table>\n',
  },
  {
    name: 'fewer cells are filled, more are ignored',
    markdown: '|a|b|\n|-|-|\n|1|\n|1|2|3|',
    html: table(['a', 'b'], row('1', ''), row('1', '2')),
  },
  {
    name: 'escaped pipes, in code too',
    markdown: '|a|\n|-|\n| `\\|` \\| *b* |',
    html: table(['a'], row('<code>|</code> | <em>b</em>')),
  },
  {
    name: 'a backslash that is escaped itself',
    markdown: '|a|b|\n|-|-|\n| \\\\| c |',
    html: table(['a', 'b'], row('\\', 'c')),
  },
  { name: 'a head that does not fit is text', markdown: '| a | b |\n|-|', html: '<p>| a | b |\n|-|</p>\n' },
  {
    name: 'only the last line of a paragraph is its head',
    markdown: 'text\n|a|\n|-|',
    html: `<p>text</p>\n${table(['a'])}`,
  },
  { name: 'a blank line ends it', markdown: '|a|\n|-|\n|1|\n\n|2|', html: `${table(['a'], row('1'))}<p>|2|</p>\n` },
  {
    name: 'a quote ends it',
    markdown: '|a|\n|-|\n|1|\n> b',
    html: `${table(['a'], row('1'))}<blockquote>\n<p>b</p>\n</blockquote>\n`,
  },
  { name: 'a list ends it', markdown: '|a|\n|-|\n- b', html: `${table(['a'])}<ul>\n<li>b</li>\n</ul>\n` },
  { name: 'text without pipes is a row', markdown: '|a|b|\n|-|-|\ntext', html: table(['a', 'b'], row('text', '')) },
  {
    name: 'no lazy rows',
    markdown: '> |a|\n> |-|\n|1|',
    html: `<blockquote>\n${table(['a'])}</blockquote>\n<p>|1|</p>\n`,
  },
  {
    name: 'no delimiter row on a lazy line',
    markdown: '> |a|\n|-|',
    html: '<blockquote>\n<p>|a|\n|-|</p>\n</blockquote>\n',
  },
  { name: 'in an item', markdown: '- |a|\n  |-|\n  |1|', html: `<ul>\n<li>\n${table(['a'], row('1'))}</li>\n</ul>\n` },
  { name: 'an underline is a heading, not a table', markdown: 'a\n---', html: '<h2>a</h2>\n' },
  { name: 'below a definition', markdown: '[a]: /u\n|[a]|\n|-|', html: table(['<a href="/u">a</a>']) },
]

const TASKS: Example[] = [
  {
    name: 'open and done',
    markdown: '- [ ] a\n- [x] b\n- [X] c',
    html: `<ul>\n<li>${box(false)}a</li>\n<li>${box(true)}b</li>\n<li>${box(true)}c</li>\n</ul>\n`,
  },
  { name: 'numbered', markdown: '1. [ ] a', html: `<ol>\n<li>${box(false)}a</li>\n</ol>\n` },
  {
    name: 'nested',
    markdown: '- [x] a\n  - [ ] b',
    html: `<ul>\n<li>${box(true)}a\n<ul>\n<li>${box(false)}b</li>\n</ul>\n</li>\n</ul>\n`,
  },
  {
    name: 'loose',
    markdown: '- [x] a\n\n- b',
    html: `<ul>\n<li>\n<p>${box(true)}a</p>\n</li>\n<li>\n<p>b</p>\n</li>\n</ul>\n`,
  },
  { name: 'the text on the next line', markdown: '- [ ]\n  a', html: `<ul>\n<li>${box(false)}a</li>\n</ul>\n` },
  { name: 'no box without text', markdown: '- [ ]', html: '<ul>\n<li>[ ]</li>\n</ul>\n' },
  { name: 'no box without a blank behind it', markdown: '- [x]a', html: '<ul>\n<li>[x]a</li>\n</ul>\n' },
  {
    name: 'no box in the middle',
    markdown: '- a [x] b\n\n  [ ] c',
    html: '<ul>\n<li>\n<p>a [x] b</p>\n<p>[ ] c</p>\n</li>\n</ul>\n',
  },
  { name: 'no box outside of an item', markdown: '[ ] a', html: '<p>[ ] a</p>\n' },
  { name: 'a link is no box', markdown: '- [x](/u) a', html: '<ul>\n<li><a href="/u">x</a> a</li>\n</ul>\n' },
]

const FOOTNOTES: Example[] = [
  {
    name: 'a mark and what it says',
    markdown: 'a[^1]\n\n[^1]: note',
    html: '<p>a<sup>1</sup></p>\n<footnote label="1">\n<p>note</p>\n</footnote>\n',
  },
  {
    name: 'several blocks',
    markdown: '[^1]: one\n\n    two\n\n        code\n\nthree',
    html: '<p>three</p>\n<footnote label="1">\n<p>one</p>\n<p>two</p>\n<pre><code>code\n</code></pre>\n</footnote>\n',
  },
  { name: 'a lazy line', markdown: '[^1]: one\ntwo', html: '<footnote label="1">\n<p>one\ntwo</p>\n</footnote>\n' },
  {
    name: 'it interrupts a paragraph',
    markdown: 'a[^1]\n[^1]: note',
    html: '<p>a<sup>1</sup></p>\n<footnote label="1">\n<p>note</p>\n</footnote>\n',
  },
  {
    name: 'labels are equal whatever their case',
    markdown: 'a[^Äx]\n\n[^äX]: note',
    html: '<p>a<sup>ÄX</sup></p>\n<footnote label="ÄX">\n<p>note</p>\n</footnote>\n',
  },
  {
    name: 'of two with one label the first',
    markdown: '[^1]: one\n\n[^1]: two\n\na[^1]',
    html: '<p>a<sup>1</sup></p>\n<footnote label="1">\n<p>one</p>\n</footnote>\n',
  },
  { name: 'nobody has written it: text', markdown: 'a[^1]', html: '<p>a[^1]</p>\n' },
  { name: 'a label has no blanks', markdown: '[^a b]: note', html: '' },
  {
    name: 'in a quote and in an item',
    markdown: '> [^1]: one\n\n- [^2]: two\n\na[^1][^2]',
    html: '<blockquote>\n</blockquote>\n<ul>\n<li></li>\n</ul>\n<p>a<sup>1</sup><sup>2</sup></p>\n<footnote label="1">\n<p>one</p>\n</footnote>\n<footnote label="2">\n<p>two</p>\n</footnote>\n',
  },
  {
    name: 'a list inside',
    markdown: '[^1]: - a\n    - b',
    html: '<footnote label="1">\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n</footnote>\n',
  },
  {
    name: 'one inside the other, by where they begin',
    markdown: '[^1]: one\n\n    [^2]: two\n\n    more',
    html: '<footnote label="1">\n<p>one</p>\n<p>more</p>\n</footnote>\n<footnote label="2">\n<p>two</p>\n</footnote>\n',
  },
  { name: 'not indented by four', markdown: '    [^1]: code', html: '<pre><code>[^1]: code\n</code></pre>\n' },
]

describe.each([
  ['tables', TABLES],
  ['task lists', TASKS],
  ['footnotes', FOOTNOTES],
])('what GitHub adds: %s', (_, examples) => {
  it.each(examples)('$name', ({ markdown, html }) => {
    expect(toHtml(parseMarkdown(markdown))).toBe(html)
    expect(streamFault(pieces(markdown))).toBeUndefined()
    expect(streamFault(pieces(`${markdown}\n`))).toBeUndefined()
  })
})
