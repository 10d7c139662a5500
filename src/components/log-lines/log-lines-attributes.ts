import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of `LogLines`. */
export const logLinesAttributes = {
  entry: {
    selector: '.cs-log-entry',
    attributes: {
      'data-level': {
        values: ['trace', 'debug', 'info', 'warn', 'error', 'critical'],
        meaning: 'How grave the entry is',
      },
    },
  },
} as const satisfies PartAttributes
