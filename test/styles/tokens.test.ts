import { describe, expect, it } from 'vitest'
import type { Scheme } from '../theming/tokens.ts'
import { colourOf, contrastOf, moreContrast, ROOT_SELECTOR, tokens, tokensOf, toRgb } from '../theming/tokens.ts'

// Which inks may be on which grounds, and how well they can be read there: 4.5 is WCAG 2 for text, 3 for
// the edges and shapes of controls, 7 its enhanced level.

const EVERY_GROUND = 'page sunken raised fill code fill-strong accent-soft danger-soft caution-soft positive-soft'
const PLAIN_GROUNDS = 'page raised sunken code'

type Pair = readonly [ink: string, least: number, ...grounds: string[]]

const PAIRS: readonly Pair[] = [
  ['ink', 4.5, EVERY_GROUND, 'selection'],
  ['ink-2', 4.5, EVERY_GROUND],
  ['ink-3', 4.5, 'page sunken raised fill code accent-soft'],
  ['ink-3', 3, 'fill-strong selection'],
  ['on-primary', 4.5, 'primary'],
  ['page', 4.5, 'accent'],
  ['accent', 4.5, PLAIN_GROUNDS, 'accent-soft'],
  ['danger', 4.5, PLAIN_GROUNDS, 'danger-soft'],
  ['caution', 4.5, PLAIN_GROUNDS, 'caution-soft'],
  ['positive', 4.5, PLAIN_GROUNDS, 'positive-soft'],
  ['border-strong', 3, 'page raised sunken'],
  ['focus', 3, 'page raised sunken'],
  ['accent', 3, 'fill-strong'],
  ['raised', 3, 'border-strong accent'],
  ['danger', 3, 'fill-strong'],
]

const PAIRS_OF_MORE: readonly Pair[] = [
  ['ink', 7, EVERY_GROUND, 'selection'],
  ['ink-2', 7, EVERY_GROUND, 'selection'],
  ['ink-3', 7, EVERY_GROUND],
  ['ink-3', 4.5, 'selection'],
  ['on-primary', 7, 'primary'],
  ['page', 7, 'accent'],
  ...['accent', 'danger', 'caution', 'positive'].map((ink): Pair => [
    ink,
    7,
    PLAIN_GROUNDS,
    `${ink}-soft`,
    'fill-strong',
  ]),
  ...['accent', 'danger', 'caution', 'positive'].map((ink): Pair => [
    `${ink}-border`,
    4.5,
    PLAIN_GROUNDS,
    `${ink}-soft`,
  ]),
  ['border', 4.5, 'page raised sunken code fill'],
  ['border-strong', 4.5, 'page raised sunken fill'],
  ['focus', 7, 'page raised sunken fill-strong'],
  ['raised', 4.5, 'border-strong accent'],
]

const SCHEMES: readonly Scheme[] = ['light', 'dark']

/** Every pair that is harder to read than it may be. */
function faintPairs(pairs: readonly Pair[], scheme: Scheme, set: Readonly<Record<string, string>>): string[] {
  return pairs.flatMap(([ink, least, ...grounds]) =>
    grounds
      .flatMap((names) => names.split(' '))
      .flatMap((ground) => {
        const contrast = contrastOf(toRgb(colourOf(ink, scheme, set)), toRgb(colourOf(ground, scheme, set)))
        return contrast < least ? [`${ink} on ${ground} is ${contrast.toFixed(2)}, less than ${least}`] : []
      }),
  )
}

describe.each(SCHEMES)('the colours in %s', (scheme) => {
  it('can be read wherever they may be', () => {
    expect(faintPairs(PAIRS, scheme, tokens)).toEqual([])
  })

  it('can be read at the enhanced level with more contrast', () => {
    expect(faintPairs(PAIRS_OF_MORE, scheme, { ...tokens, ...moreContrast })).toEqual([])
  })
})

describe('this measure of contrast', () => {
  it('says what is known of black and white, and of two greys', () => {
    expect(contrastOf([0, 0, 0], [255, 255, 255])).toBeCloseTo(21)
    expect(contrastOf([0x76, 0x76, 0x76], [255, 255, 255])).toBeCloseTo(4.54, 2)
    expect(toRgb([0.49, 0.096, 238])).toEqual([0x1d, 0x67, 0x90])
  })

  it('notices ink that is too faint', () => {
    expect(faintPairs([['border', 3, 'page']], 'light', tokens)).toHaveLength(1)
  })

  it('knows every colour there is: each token with a light and a dark side is in a pair, or never carries meaning alone', () => {
    const paired = new Set(
      [...PAIRS, ...PAIRS_OF_MORE].flatMap(([ink, , ...grounds]) => [
        ink,
        ...grounds.flatMap((names) => names.split(' ')),
      ]),
    )
    const colours = Object.entries(tokens)
      .filter(([, value]) => value.startsWith('light-dark('))
      .map(([name]) => name.replace('--cs-', ''))
    expect(colours.filter((name) => !paired.has(name))).toEqual(['scrim'])
  })
})

describe('more contrast', () => {
  it('is the same whether the system asks for it or the host does', () => {
    expect(Object.keys(moreContrast).length).toBeGreaterThan(5)
    expect(tokensOf(ROOT_SELECTOR, '(prefers-contrast: more)')).toEqual(moreContrast)
  })

  it('only changes tokens there are', () => {
    expect(Object.keys(moreContrast).filter((name) => !(name in tokens))).toEqual([])
  })
})
