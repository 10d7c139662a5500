import { describe, expect, it } from 'vitest'
import { parseInlines } from '../../../src/markdown/inline/grow-inlines.ts'
import { inlineHtml } from '../inline-html.ts'
import { referencesOf } from '../inline-references.ts'

const REFERENCES = referencesOf(
  new Map([
    ['REF', { url: '/ref' }],
    ['^TWO WORDS', { url: '/two' }],
  ]),
  ['1', 'NOTE'],
)

function html(text: string): string {
  return inlineHtml(parseInlines(text, REFERENCES), true)
}

function link(text: string, scheme = ''): string {
  return `<a href="${scheme}${text}">${text}</a>`
}

describe('strikethrough', () => {
  it.each([
    ['~~Hi~~ Hello, ~there~ world!', '<del>Hi</del> Hello, <del>there</del> world!'],
    ['This ~~has a\nnew line~~.', 'This <del>has a\nnew line</del>.'],
    ['This will ~~~not~~~ strike.', 'This will ~~~not~~~ strike.'],
    ['~~one~', '~~one~'],
    ['~~about ~5~~', '<del>about ~5</del>'],
    ['about ~5 to ~10 dollars', 'about ~5 to ~10 dollars'],
    ['~~**bold**~~ and **~~gone~~**', '<del><strong>bold</strong></del> and <strong><del>gone</del></strong>'],
    ['a**~~b~~**c', 'a<strong><del>b</del></strong>c'],
    ['~~ no ~~', '~~ no ~~'],
    ['\\~~no~~', '~~no~~'],
    ['*a ~~b* c~~', '<em>a ~~b</em> c~~'],
  ])('%s', (text, expected) => expect(html(text)).toBe(expected))
})

describe('links without brackets', () => {
  it.each([
    ['www.commonmark.org', link('www.commonmark.org', 'http://')],
    ['Visit www.commonmark.org/help for more.', `Visit ${link('www.commonmark.org/help', 'http://')} for more.`],
    ['Visit www.commonmark.org.', `Visit ${link('www.commonmark.org', 'http://')}.`],
    ['Visit www.commonmark.org/a.b.', `Visit ${link('www.commonmark.org/a.b', 'http://')}.`],
    ['www.google.com/search?q=Markup+(business)', link('www.google.com/search?q=Markup+(business)', 'http://')],
    [
      'www.google.com/search?q=Markup+(business)))',
      `${link('www.google.com/search?q=Markup+(business)', 'http://')}))`,
    ],
    [
      '(www.google.com/search?q=Markup+(business))',
      `(${link('www.google.com/search?q=Markup+(business)', 'http://')})`,
    ],
    ['www.google.com/search?q=(business))+ok', link('www.google.com/search?q=(business))+ok', 'http://')],
    [
      'www.google.com/search?q=commonmark&hl=en',
      '<a href="http://www.google.com/search?q=commonmark&amp;hl=en">www.google.com/search?q=commonmark&amp;hl=en</a>',
    ],
    ['www.google.com/search?q=commonmark&hl;', `${link('www.google.com/search?q=commonmark', 'http://')}&amp;hl;`],
    ['www.commonmark.org/he<lp', `${link('www.commonmark.org/he', 'http://')}&lt;lp`],
    ['http://commonmark.org', link('http://commonmark.org')],
    [
      '(Visit https://encrypted.google.com/search?q=Markup+(business))',
      `(Visit ${link('https://encrypted.google.com/search?q=Markup+(business)')})`,
    ],
    ['https://localhost:3000/x', link('https://localhost:3000/x')],
    ['HTTPS://EXAMPLE.COM', link('HTTPS://EXAMPLE.COM')],
    ['**https://example.com**', `<strong>${link('https://example.com')}</strong>`],
    ['*www.example.com*', `<em>${link('www.example.com', 'http://')}</em>`],
    ['https://example.com/a_b_c', link('https://example.com/a_b_c')],
    ['"https://example.com"', `&quot;${link('https://example.com')}&quot;`],
    ['https://例え.jp/', '<a href="https://%E4%BE%8B%E3%81%88.jp/">https://例え.jp/</a>'],
    ['xwww.example.com', 'xwww.example.com'],
    ['xhttps://example.com', 'xhttps://example.com'],
    ['www.', 'www.'],
    ['https://', 'https://'],
    ['http://_a.b', 'http://_a.b'],
    ['www.a_b.c', 'www.a_b.c'],
    ['ftp://example.com', 'ftp://example.com'],
    ['[www.example.com](/u)', '<a href="/u">www.example.com</a>'],
    ['`https://example.com`', '<code>https://example.com</code>'],
    ['[1] https://example.com', `[1] ${link('https://example.com')}`],
  ])('%s', (text, expected) => expect(html(text)).toBe(expected))

  it.each([
    ['foo@bar.baz', link('foo@bar.baz', 'mailto:')],
    [
      "hello@mail+xyz.example isn't valid, but hello+xyz@mail.example is.",
      `hello@mail+xyz.example isn't valid, but ${link('hello+xyz@mail.example', 'mailto:')} is.`,
    ],
    ['a.b-c_d@a.b', link('a.b-c_d@a.b', 'mailto:')],
    ['a.b-c_d@a.b.', `${link('a.b-c_d@a.b', 'mailto:')}.`],
    ['a.b-c_d@a.b-', 'a.b-c_d@a.b-'],
    ['a.b-c_d@a.b_', 'a.b-c_d@a.b_'],
    ['mailto:foo@bar.baz', link('mailto:foo@bar.baz')],
    ['write to *me@example.com*', `write to <em>${link('me@example.com', 'mailto:')}</em>`],
    ['[me@example.com](/u)', '<a href="/u">me@example.com</a>'],
    ['@you', '@you'],
    ['a@b', 'a@b'],
  ])('%s', (text, expected) => expect(html(text)).toBe(expected))

  it('are distinguished from those with brackets', () => {
    expect(parseInlines('<https://a.b>', REFERENCES)).toEqual([
      { type: 'link', url: 'https://a.b', children: [{ type: 'text', text: 'https://a.b' }] },
    ])
    expect(parseInlines('https://a.b', REFERENCES)).toEqual([
      { type: 'link', url: 'https://a.b', bare: true, children: [{ type: 'text', text: 'https://a.b' }] },
    ])
  })
})

describe('references to footnotes', () => {
  it.each([
    ['Text[^1].', 'Text<sup>1</sup>.'],
    ['Text[^note] and [^NOTE]', 'Text<sup>NOTE</sup> and <sup>NOTE</sup>'],
    ['Text[^no].', 'Text[^no].'],
    ['Stop![^1]', 'Stop!<sup>1</sup>'],
    ['[^1](/u)', '<a href="/u">^1</a>'],
    ['[^1][ref]', '<a href="/ref">^1</a>'],
    ['[^1][no]', '<sup>1</sup>[no]'],
    ['[see [^1]](/u)', '<a href="/u">see <sup>1</sup></a>'],
    ['*a[^1]*', '<em>a<sup>1</sup></em>'],
    ['[^two words]', '<a href="/two">^two words</a>'],
    ['[^]', '[^]'],
    ['![a [^1] b](/u)', '<img src="/u" alt="a [^1] b" />'],
  ])('%s', (text, expected) => expect(html(text)).toBe(expected))
})
