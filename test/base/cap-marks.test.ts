import { describe, expect, it } from 'vitest'
import { capMarks } from '../../src/base/cap-marks.ts'

const TALL = 'Z' + '\u0301\u0302\u0303'.repeat(40)

describe('capMarks', () => {
  it('shows the first eight of a row of combining marks', () => {
    expect(capMarks(`a ${TALL} tall`)).toBe('a Z\u0301\u0302\u0303\u0301\u0302\u0303\u0301\u0302 tall')
  })

  it('counts on over invisible characters', () => {
    for (const unseen of ['\u200d', '\u200b', '\u2060', '\u034f', '\u00ad', '\ufeff', '\ufe0f']) {
      const shown = capMarks(`Z${`\u0301${unseen}`.repeat(100)}`)
      expect(shown.split('\u0301').length - 1).toBeLessThanOrEqual(8)
    }
  })

  it.each([
    ['Vietnamese, decomposed', 'Tiếng Việt: nghiêng ngả, thuở ấy, đường về'.normalize('NFD')],
    ['Hebrew with points and accents', 'בְּרֵאשִׁ֖ית בָּרָ֣א אֱלֹהִ֑ים אֵ֥ת הַשָּׁמַ֖יִם וְאֵ֥ת הָאָֽרֶץ'],
    ['Arabic with all its vowels', 'بِسْمِ ٱللَّهِ ٱلرَّحْمَـٰنِ ٱلرَّحِيمِ ۝ وَٱلضُّحَىٰ'],
    ['Thai', 'ที่นี่ น้ำแข็ง เก๊กฮวย กิ๋วเตี๋ยว'],
    ['Devanagari', 'क्षत्रियाँ श्रृंगार र्‍य'],
    ['Tibetan, a stack of eight', '\u0f67\u0f90\u0fb5\u0fa8\u0fb3\u0fba\u0fbc\u0fbb\u0f82'],
    ['Myanmar', 'မြန်မာ ကျွန်ုပ် ရွှေ့'],
    ['Khmer', 'ភាសាខ្មែរ ស្ត្រី'],
    ['Hangul, as jamo', '한국어 글자'.normalize('NFD')],
    ['emoji with joiners, variations and tags', '👩‍❤️‍💋‍👨 👨🏽‍👩🏽‍👧🏽‍👦🏽 🏴󠁧󠁢󠁳󠁣󠁴󠁿 1️⃣ ❤️‍🔥'],
    ['phonetic letters', 'ɔ̃̀ː ẽ̞̤̊ n̪̊ t͡ʃʼ'],
  ])('leaves %s as it is', (_, text) => {
    expect(capMarks(text)).toBe(text)
  })

  it('shows text that grows as a beginning of what is shown later', () => {
    const whole = `a${TALL}b${TALL}`
    for (let length = 0; length <= whole.length; length += 1)
      expect(capMarks(whole).startsWith(capMarks(whole.slice(0, length)))).toBe(true)
  })
})
