import { describe, expect, it } from 'vitest'
import { defaultAppearance, readAppearance } from '../../../../playground/src/appearance/appearance.ts'

describe('what was stored of the appearance', () => {
  it('is taken as far as it means something', () => {
    expect(readAppearance('{"theme":"dark","contrast":"loud","density":"compact","language":"tlh"}')).toEqual({
      ...defaultAppearance,
      theme: 'dark',
      density: 'compact',
    })
  })

  it.each([null, '', 'dark', '[]', 'null', '{"theme":{}}'])('is left aside when it is %s', (stored) => {
    expect(readAppearance(stored)).toEqual(defaultAppearance)
  })
})
