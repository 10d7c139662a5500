import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of `SessionStatus`. */
export const sessionStatusAttributes = {
  root: {
    selector: '.cs-session',
    attributes: {
      'data-phase': {
        values: [
          'idle',
          'opening',
          'challenged',
          'authenticating',
          'accepted',
          'refreshing',
          'reconnecting',
          'closing',
          'evicted',
          'rejected',
        ],
        meaning: 'Where the session is; `reconnecting` while its connection is lost',
      },
    },
  },
} as const satisfies PartAttributes
