import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of `ConnectionStatus`. */
export const connectionStatusAttributes = {
  root: {
    selector: '.cs-pill',
    attributes: {
      'data-state': {
        values: [
          'ready',
          'connecting',
          'queued',
          'live',
          'silent',
          'awaiting-input',
          'reconnecting',
          'offline',
          'paused',
          'gave-up',
          'failed',
        ],
        meaning: 'The state of the connection',
      },
      'data-bare': { values: 'present', meaning: 'Without the edge of a pill' },
    },
  },
} as const satisfies PartAttributes
