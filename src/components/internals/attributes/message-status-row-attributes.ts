import type { PartAttributes } from './part-attributes.ts'

/** The `data-*` attributes of the row that shows the status of a message. */
export const messageStatusRowAttributes = {
  root: {
    selector: '.cs-status-row',
    internal: true,
    attributes: {
      'data-tone': { values: ['plain', 'caution', 'error'], meaning: 'How serious it is' },
    },
  },
} as const satisfies PartAttributes
