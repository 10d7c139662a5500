import { describe, expect, it } from 'vitest'
import { literalLabel, literalPieces } from '../../src/components/literal-value.tsx'

const shown = (text: string): string =>
  literalPieces(text)
    .map((piece) => (piece.isCode ? `<${piece.text}>` : piece.text))
    .join('')

describe('the text of an agent, literally', () => {
  it.each([
    ['an override of the direction', 'rm \u202Etxt.exe', 'rm <U+202E>txt.exe'],
    ['isolates', '\u2066a\u2069', '<U+2066>a<U+2069>'],
    ['a zero-width space', 'exam\u200Bple.org', 'exam<U+200B>ple.org'],
    ['joiners in a row', 'a\u200D\u200C\u200Db', 'a<U+200D U+200C ×3>b'],
    ['a joiner where a word ends, or between Latin letters', 'می\u200C a\u200Db', 'می<U+200C> a<U+200D>b'],
    ['a thousand of one kind', `a${'\u200B'.repeat(1000)}b`, 'a<U+200B ×1000>b'],
    ['a byte order mark', '\uFEFFrm', '<U+FEFF>rm'],
    ['a soft hyphen', 'del\u00ADete', 'del<U+00AD>ete'],
    ['an escape for terminals', '\u001B[2K', '<U+001B>[2K'],
    ['a bell of eight bits', '\u009Bm', '<U+009B>m'],
    ['a null', 'a\0b', 'a<U+0000>b'],
    ['a carriage return that overwrites the line', 'rm -rf /\recho', 'rm -rf /<U+000D>echo'],
    ['a filler that looks like a space', 'a\u3164b', 'a<U+3164>b'],
    ['tags', 'a\u{E0041}\u{E0042}', 'a<U+E0041 U+E0042>'],
    ['variation selectors that carry bytes', 'a\uFE00\u{E0101}', 'a<U+FE00 U+E0101>'],
    ['a separator of lines', 'a\u2028b', 'a<U+2028>b'],
  ])('shows %s as its code', (_, text, expected) => {
    expect(shown(text)).toBe(expected)
  })

  it.each([
    ['words of several scripts', 'Größe, 河流, نهر, ελιά'],
    ['tabs and ends of lines', 'a\tb\nc\r\nd'],
    ['a joiner that Persian is spelled with', 'می\u200Cخواهم'],
    ['joiners that Hindi and emoji are spelled with', 'क्\u200Dष 👩\u200D🚀 ❤\uFE0F\u200D🔥'],
    ['an emoji with its variant', 'a \u2764\uFE0F b'],
  ])('leaves %s alone', (_, text) => {
    expect(shown(text)).toBe(text)
  })

  it('counts the empty lines that would push what follows out of view', () => {
    expect(shown(`ls${'\n'.repeat(200)}rm`)).toBe('ls<⏎ ×200>\nrm')
    expect(shown(`ls${' \r\n \t'.repeat(9)}rm`)).toMatch(/^ls <⏎ ×9>\nrm$/)
    expect(shown('a\n\n\nb')).toBe('a\n\n\nb')
  })

  it('names at most four codes of a row', () => {
    expect(shown('\u200B\u200C\u200D\u200E\u200F\u2060')).toBe('<U+200B U+200C U+200D U+200E … ×6>')
  })

  it('lets no row of combining marks cover the lines around it', () => {
    expect(shown(`a${'\u0301'.repeat(500)}b`)).toBe(`a${'\u0301'.repeat(8)}b`)
  })

  it('takes a time that grows with the text, not with its square', () => {
    // Each is 200,000 characters of what the expressions look for; quadratic, it would not come to an end within the limit of a test.
    const rows = ['\u200B\u200C', '\n ', ' \n', 'a\u202E', '\r', '\uFE0E\uFE0F', '\u0301\u200D']
    for (const row of rows) expect(literalPieces(row.repeat(100_000)).length).toBeGreaterThan(0)
  })
})

describe('the text of an agent on one line', () => {
  it('has no ends of lines, its codes in brackets, and an end', () => {
    expect(literalLabel(' Allow\n\n\tthis\u202E ', 40)).toBe('Allow this[U+202E]')
    expect(literalLabel('x'.repeat(10_000_000), 5)).toBe('xxxxx…')
  })
})
