import { describe, expect, it } from 'vitest'
import { createWholeCharacters } from '../../src/base/text.ts'

describe('whole characters', () => {
  it('hold half a surrogate pair back until its other half', () => {
    const text = createWholeCharacters()
    expect(['a\ud83c', '\udf0a', '', 'b'].map((piece) => text.take(piece))).toEqual(['a', '🌊', '', 'b'])
    expect(text.rest()).toBe('')
  })

  it('give up half a pair at the end of the text, once', () => {
    const text = createWholeCharacters()
    expect(text.take('a\ud83c')).toBe('a')
    expect([text.rest(), text.rest()]).toEqual(['\ud83c', ''])
  })
})
