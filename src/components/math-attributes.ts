import type { PartAttributes } from './internals/attributes/part-attributes.ts'

/** The `data-*` attributes of what `createMath` makes. */
export const mathAttributes = {
  root: {
    selector: '.cs-math',
    attributes: {
      'data-display': { values: 'present', meaning: 'On a line of its own' },
      'data-failed': { values: 'present', meaning: 'It could not be shown: what is here is its source' },
    },
  },
  'cells of formulas': {
    selector: '.cs-math mtd',
    internal: true,
    attributes: {
      'data-align': { values: ['left', 'right'], meaning: 'How the column is aligned' },
      'data-close': { values: 'present', meaning: 'Without space between it and the next column' },
    },
  },
} as const satisfies PartAttributes
