import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of `Skeleton`. */
export const skeletonAttributes = {
  root: {
    selector: '.cs-skeleton',
    attributes: {
      'data-shown': { values: 'present', meaning: 'After 300 ms' },
    },
  },
} as const satisfies PartAttributes
