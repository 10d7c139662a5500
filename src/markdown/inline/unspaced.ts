const SET =
  '\\p{scx=Hani}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{scx=Bopo}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}\\p{scx=Tibt}\\uFE10-\\uFE1F\\uFE30-\\uFE4F\\uFF00-\\uFFEF'

/** Letters of scripts that put no space between words, or none before a particle, and full-width punctuation. */
export const UNSPACED = new RegExp(`[${SET}]`, 'u')
/** A text that ends with one of them. */
export const ENDS_UNSPACED = new RegExp(`[${SET}]$`, 'u')
/** The same at `lastIndex` or behind it. */
export const NEXT_UNSPACED = new RegExp(`[${SET}]`, 'gu')
/** Any other letter or digit. */
export const SPACED_LETTER = `(?![${SET}])[\\p{L}\\p{N}]`
