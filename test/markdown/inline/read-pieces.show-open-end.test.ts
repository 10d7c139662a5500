import { describe, expect, it } from 'vitest'
import { addAllSyntax } from '../../../src/markdown/all-syntax.ts'
import { growInlines, shownInlines } from '../../../src/markdown/inline/grow-inlines.ts'
import { inlineHtml } from '../inline-html.ts'
import { referencesOf } from '../inline-references.ts'

addAllSyntax()

const REFERENCES = referencesOf(new Map([['REF', { url: '/ref' }]]), ['1'])

function shown(text: string): string {
  return inlineHtml(
    shownInlines(growInlines(undefined, text, REFERENCES)).flatMap(({ children }) => children),
    true,
  )
}

describe('the open end of an answer', () => {
  it.each([
    ['half a bold word', 'a **bo', 'a <strong>bo</strong>'],
    ['half an emphasis', 'a _bo', 'a <em>bo</em>'],
    ['half of both', '***bo', '<em><strong>bo</strong></em>'],
    ['half of one in the other', '**a *b', '<strong>a <em>b</em></strong>'],
    ['half a strikethrough', '~~bo', '<del>bo</del>'],
    ['half a code span', 'a `b c', 'a <code>b c</code>'],
    ['half a code span with backticks in it', '``a`b', '<code>a`b</code>'],
  ])('shows %s in its style', (_, text, html) => expect(shown(text)).toBe(html))

  it.each([
    '*',
    '**',
    '***',
    '_',
    '~',
    '~~',
    '`',
    '``',
    '[',
    '!',
    '![',
    '<',
    '&',
    '\\',
    '&am',
    '&#3',
    '&#x',
    '<ta',
    '<tag a="b',
    '</ta',
    '<!-',
    '<!-- no',
    '<?x',
    '<https://exa',
    '[^1',
    '[^',
  ])('holds back %s', (end) => {
    expect(shown(`a ${end}`)).toBe('a ')
  })

  it.each([
    ['**bold*', '<strong>bold</strong>'],
    ['**bold**', '<strong>bold</strong>'],
    ['``code`', '<code>code</code>'],
    ['*a **b*', '<em>a <strong>b</strong></em>'],
    ['~~gone~', '<del>gone</del>'],
  ])('closes %s without a flicker', (text, html) => expect(shown(text)).toBe(html))

  it.each([
    ['[te', 'te'],
    ['[*te*', '<em>te</em>'],
    ['[te]', 'te'],
    ['[te](', 'te'],
    ['[te](htt', 'te'],
    ['[te](<htt', 'te'],
    ['[te](/u "ti', 'te'],
    ['[te](/u "ti"', 'te'],
    ['[te][re', 'te'],
    ['![al', 'al'],
    ['![al](/u', 'al'],
    ['[![al](/u)](/v', '<img src="/u" alt="al" />'],
    ['[te](/u)', '<a href="/u">te</a>'],
    ['[te][ref]', '<a href="/ref">te</a>'],
    ['![al](/u)', '<img src="/u" alt="al" />'],
    [`[te](https://example.com/${'a'.repeat(1000)}`, 'te'],
  ])('of the link %s shows the text and not the address', (text, html) => expect(shown(text)).toBe(html))

  it.each([
    ['a [1', 'a [1'],
    ['a [1]', 'a [1]'],
    ['a [1, 2]', 'a [1, 2]'],
    ['a [1][2', 'a [1][2'],
    ['a [^1][^2', 'a <sup>1</sup>'],
    ['about ~5 dollars', 'about ~5 dollars'],
    ['a [te] x', 'a [te] x'],
    ['a [te](/u b', 'a [te](/u b'],
    ['1 < 2', '1 &lt; 2'],
    ['5 * 3', '5 * 3'],
    ['AT&T is', 'AT&amp;T is'],
    ['https://a.b?c=1&amp', '<a href="https://a.b?c=1">https://a.b?c=1</a>'],
    ['https://a.b?c=1&d=', '<a href="https://a.b?c=1&amp;d=">https://a.b?c=1&amp;d=</a>'],
    ['a ! b', 'a ! b'],
    ['a [^1] b', 'a <sup>1</sup> b'],
    ['a [^2] b', 'a [^2] b'],
    ['https://exa', '<a href="https://exa">https://exa</a>'],
  ])('shows %s as it is', (text, html) => expect(shown(text)).toBe(html))

  it.each([
    ['<a b="', '&lt;a b=&quot;'],
    ['<!-- ', '&lt;!-- '],
    ['`', '`'],
    ['[a](/u "', '[a](/u &quot;'],
    ['[', '['],
  ])('shows %s that nobody closes after 256 characters', (open, html) => {
    expect(shown(`${open}${'x '.repeat(150)}`)).toBe(`${html}${'x '.repeat(150).trimEnd()}`)
  })
})
