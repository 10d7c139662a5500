import { describe, expect, it } from 'vitest'
import { showHidden } from '../../src/base/text.ts'

describe('code that is not what it looks like', () => {
  it.each([
    ['turned around', 'if (a\u202E) \u2066b\u2069', 'if (a⟨U+202E⟩) ⟨U+2066⟩b⟨U+2069⟩'],
    ['with blanks nobody sees', 'is\u200BAdmin\u00AD is\u200CAdmin', 'is⟨U+200B⟩Admin⟨U+00AD⟩ is⟨U+200C⟩Admin'],
    [
      'that tells a terminal to run what is pasted',
      'ls\u001B[201~\nrm\u009B\u0008',
      'ls⟨U+001B⟩[201~\nrm⟨U+009B⟩⟨U+0008⟩',
    ],
    [
      'with a Cyrillic letter in a Latin name',
      'p\u0430ypal.pay() && say\u041Dello_1',
      'p⟨U+0430⟩ypal.pay() && say⟨U+041D⟩ello_1',
    ],
    [
      'with Latin letters in what looks like a name',
      '\u0440\u0430\u0443pal = \u039F1x',
      '⟨U+0440⟩⟨U+0430⟩⟨U+0443⟩pal = ⟨U+039F⟩1x',
    ],
  ])('%s says so', (_, code, shown) => {
    expect(showHidden(code)).toBe(shown)
  })

  it.each([
    ['words of one script', 'const сумма = цена * рост // как'],
    ['words that are seen to be of two', 'getИмя() + idКлиента + Cтраница'],
    ['letters of science', 'Δt = hν / kT₀ + dθ/dt + μm + σ2 + α_max'],
    ['one letter alone', "alphabet = ['а', 'б', 'в'] // с n"],
    ['languages that join', "const flag = '🏳️‍🌈' // می‌شود"],
    ['tabs and line ends', 'a\tb\n\tc'],
  ])('is left as it is where it is honest: %s', (_, code) => {
    expect(showHidden(code)).toBe(code)
  })

  it('is looked at once, however long its words are', () => {
    const long = 'a'.repeat(200_000)
    expect(showHidden(`${long}е${long}`)).toBe(`${long}⟨U+0435⟩${long}`)
    expect(showHidden(`${'е'.repeat(200_000)}л`)).toHaveLength(200_001)
  })
})
