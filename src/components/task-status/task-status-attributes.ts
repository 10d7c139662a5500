import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of `TaskStatusBadge`. */
export const taskStatusAttributes = {
  root: {
    selector: '.cs-task-status',
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
    },
  },
} as const satisfies PartAttributes
