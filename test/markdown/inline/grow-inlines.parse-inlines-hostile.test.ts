import { addAllSyntax } from '../../../src/markdown/all-syntax.ts'
import { characterEntities } from 'character-entities'
import { describe, expect, it } from 'vitest'
import { decodeEntity, unescapeText } from '../../../src/markdown/inline/rare-syntax.ts'
import { encodeUrl } from '../../../src/markdown/inline/link-parts.ts'
import { parseInlines } from '../../../src/markdown/inline/grow-inlines.ts'
import { normalizeLabel, type Inline } from '../../../src/markdown/inline/tree.ts'
import { randomTexts } from '../inline-random.ts'
import { NO_REFERENCES } from '../inline-references.ts'

addAllSyntax()

function depthOf(nodes: readonly Inline[]): number {
  return Math.max(0, ...nodes.map((node) => ('children' in node ? 1 + depthOf(node.children) : 0)))
}

function textOf(nodes: readonly Inline[]): string {
  return nodes
    .map((node) =>
      'children' in node ? textOf(node.children) : node.type === 'image' ? node.alt : 'text' in node ? node.text : '',
    )
    .join('')
}

describe('a text written to break the reader', () => {
  it.each([
    ['emphasis', `${'*a '.repeat(5000)}x${' b*'.repeat(5000)}`],
    ['strong in emphasis', `${'**a _b '.repeat(5000)}x${' c_ d**'.repeat(5000)}`],
    ['one run', `${'*'.repeat(10_000)}x${'*'.repeat(10_000)}`],
    ['a link in emphasis', `${'*a _b '.repeat(200)}[x](/u)${' c_ d*'.repeat(200)}`],
  ])('nests %s no deeper than 100 and keeps the rest as text', (_, text) => {
    const nodes = parseInlines(text, NO_REFERENCES)
    expect(depthOf(nodes)).toBe(100)
    const marks = (content: string): number => content.match(/[*_]/g)?.length ?? 0
    expect(textOf(nodes).replace(/[*_]/g, '').replace('[x](/u)', 'x')).toBe(
      text.replace(/[*_]/g, '').replace('[x](/u)', 'x'),
    )
    expect(marks(textOf(nodes))).toBeGreaterThan(0)
    expect(marks(textOf(nodes))).toBeLessThan(marks(text))
  })

  it('takes the text of images in images in images', () => {
    expect(parseInlines(`${'!['.repeat(10_000)}x${'](/u)'.repeat(10_000)}`, NO_REFERENCES)).toEqual([
      { type: 'image', url: '/u', alt: 'x' },
    ])
  })

  it.each(['[', '![', '*a_', '`', '<a ', '<!--', '\\', '&', '](', '[a](b', 'a@', 'www.', '~', '<a b="\' c=\'" '])(
    'reads 100,000 letters of "%s"',
    (unit) => {
      const text = unit.repeat(100_000 / unit.length)
      expect(textOf(parseInlines(text, NO_REFERENCES)).length).toBeGreaterThan(text.length / 3)
    },
  )

  it('never loses a letter of what is not an address', () => {
    const snippets = [
      '*',
      '**',
      '_',
      '~',
      '~~',
      '`',
      '``',
      '[',
      ']',
      '![',
      '](',
      '<',
      '>',
      '<a>',
      '<!--',
      '&',
      '\\',
      '\n',
      ' ',
      'foo',
      'bar',
      '😀',
      'www.a.b',
      'https://',
      'a@b.cd',
      '!',
    ]
    const letters = (text: string): string => text.replace(/[^a-z😀]/gu, '')
    for (const text of randomTexts(5, 3000, 20, snippets)) {
      if (/\]\([^\n]*\)/.test(text)) continue
      expect(letters(textOf(parseInlines(text, NO_REFERENCES)))).toBe(letters(text))
    }
  })
})

describe('the names of characters', () => {
  it('are those of HTML, all of them', () => {
    const names = Object.entries(characterEntities)
    expect(names.length).toBe(2125)
    expect(names.filter(([name, text]) => decodeEntity(`&${name};`) !== text)).toEqual([])
    const near = names.flatMap(([name]) => [
      name.toLowerCase(),
      name.toUpperCase(),
      name.charAt(0).toLowerCase() + name.slice(1),
      name.charAt(0).toUpperCase() + name.slice(1),
    ])
    expect(
      near.filter((name) => !Object.hasOwn(characterEntities, name) && decodeEntity(`&${name};`) !== undefined),
    ).toEqual([])
    expect(decodeEntity('&nope;')).toBeUndefined()
    expect(decodeEntity('&constructor;')).toBeUndefined()
  })

  it.each([
    ['&#35;', '#'],
    ['&#x22;', '"'],
    ['&#XcAb;', 'ಫ'],
    ['&#0;', '\uFFFD'],
    ['&#xD800;', '\uFFFD'],
    ['&#1114112;', '\uFFFD'],
    ['&#128512;', '😀'],
  ])('%s is a number', (entity, text) => expect(decodeEntity(entity)).toBe(text))

  it('are read in addresses and info strings, with backslashes', () => {
    expect(unescapeText('f\\&ouml; &ouml;\\* \\a &#35 &nope;')).toBe('f&ouml; ö* \\a &#35 &nope;')
  })
})

describe('addresses and labels', () => {
  it.each([
    ['/a b', '/a%20b'],
    ['/ä', '/%C3%A4'],
    ['/%20%zz', '/%20%25zz'],
    ['/[a]\\', '/%5Ba%5D%5C'],
    ['/\uD800', '/%EF%BF%BD'],
    ['/😀', '/%F0%9F%98%80'],
    ['?a=1&b=(2)#c', '?a=1&b=(2)#c'],
  ])('%s is encoded', (url, encoded) => expect(encodeUrl(url)).toBe(encoded))

  it('are the same whatever their case and blanks', () => {
    expect(normalizeLabel(' Foo\n  bar ')).toBe(normalizeLabel('FOO BAR'))
    expect(normalizeLabel('ẞ')).toBe(normalizeLabel('SS'))
    expect(normalizeLabel('a\u00A0b')).not.toBe(normalizeLabel('a b'))
  })
})
