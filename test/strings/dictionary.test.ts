import { describe, expect, it } from 'vitest'
import { defaultStrings } from '../../src/strings/dictionary.ts'

describe('a number of many figures', () => {
  it('has its thousands apart', () => {
    expect(defaultStrings.data.moreCharacters(30_010)).toBe('30,010 more characters')
    expect(defaultStrings.data.more(1_200)).toBe('1,200 more not shown')
    expect(defaultStrings.media.images(1_200)).toBe('1,200 images')
  })
})
