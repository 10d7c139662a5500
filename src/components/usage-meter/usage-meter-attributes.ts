import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of `TokenMeter` and `CostMeter`. */
export const usageMeterAttributes = {
  root: {
    selector: '.cs-meter',
    attributes: { 'data-over': { values: 'present', meaning: 'More was taken than the limit' } },
  },
} as const satisfies PartAttributes
