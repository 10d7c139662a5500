import { describe, expect, it } from 'vitest'
import { english } from '../../../src/components/dictionary/dictionary.ts'

describe('a number of many figures', () => {
  it('has its thousands apart', () => {
    expect(english.data.moreCharacters(30_010)).toBe('30,010 more characters')
    expect(english.data.more(1_200)).toBe('1,200 more not shown')
    expect(english.media.images(1_200)).toBe('1,200 images')
  })
})
