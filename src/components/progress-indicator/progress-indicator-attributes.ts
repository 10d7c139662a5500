import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of `ProgressIndicator`. */
export const progressIndicatorAttributes = {
  rows: {
    selector: '.cs-step',
    attributes: {
      'data-state': {
        values: [
          'pending',
          'running',
          'waiting',
          'complete',
          'failed',
          'cancelled',
          'rejected',
          'unknown',
          'unfinished',
        ],
        meaning: 'The status of the step; `unfinished` when it had not ended as the answer did',
      },
      'data-moving': { values: 'present', meaning: 'While the step runs' },
    },
  },
} as const satisfies PartAttributes
