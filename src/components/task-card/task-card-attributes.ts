import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of `TaskCard`. */
export const taskCardAttributes = {
  root: {
    selector: '.cs-task',
    attributes: {
      'data-status': {
        values: [
          'submitted',
          'working',
          'input-required',
          'auth-required',
          'completed',
          'canceled',
          'failed',
          'rejected',
          'unknown',
          'unfinished',
        ],
        meaning: 'The state of the task; `unfinished` when nothing more comes of one that had not ended',
      },
      'data-compact': { values: 'present', meaning: 'It is one row, as in an answer' },
    },
  },
} as const satisfies PartAttributes
