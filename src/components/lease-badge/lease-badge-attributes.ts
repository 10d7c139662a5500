import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of `LeaseBadge`. */
export const leaseBadgeAttributes = {
  root: {
    selector: '.cs-lease',
    attributes: {
      'data-tone': { values: ['caution'], meaning: 'When less than a minute is left' },
      'data-status': {
        values: ['changing', 'unconfirmed', 'refused'],
        meaning: 'State of the last change of the user; absent when there is nothing to say',
      },
    },
  },
} as const satisfies PartAttributes
