import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of `JobCard`. */
export const jobCardAttributes = {
  root: {
    selector: '.cs-job',
    attributes: {
      'data-state': {
        values: ['accepted', 'queued', 'running', 'blocked', 'paused', 'completed', 'failed', 'cancelled', 'stale'],
        meaning: 'Where the job is; `stale` when it has given no sign of life for too long',
      },
    },
  },
} as const satisfies PartAttributes
