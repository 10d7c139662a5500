import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of `LogViewer`. */
export const logViewerAttributes = {
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
