import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of `HealthBadge`. */
export const healthBadgeAttributes = {
  root: {
    selector: '.cs-pill',
    attributes: {
      'data-state': { values: ['ok', 'degraded', 'maintenance', 'unknown'], meaning: 'The health of the agent' },
      'data-stale': { values: 'present', meaning: 'While the answer is too old to rely on' },
    },
  },
} as const satisfies PartAttributes
