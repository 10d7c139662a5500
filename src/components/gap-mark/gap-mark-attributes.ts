import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of `GapMark`. */
export const gapMarkAttributes = {
  root: {
    selector: '.cs-gap',
    attributes: {
      'data-open': { values: 'present', meaning: 'While it shows the numbers' },
    },
  },
} as const satisfies PartAttributes
