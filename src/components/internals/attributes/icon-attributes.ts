import type { PartAttributes } from './part-attributes.ts'

/** The `data-*` attributes of `Icon`. */
export const iconAttributes = {
  root: {
    selector: '.cs-icon',
    attributes: {
      'data-name': { values: 'any', meaning: 'The name of the glyph; absent with a drawing of your own' },
      'data-size': { values: [14, 16, 20], meaning: 'Pixels of its box' },
      'data-turns': { values: 'present', meaning: 'For glyphs that turn with the direction of text' },
    },
  },
} as const satisfies PartAttributes
