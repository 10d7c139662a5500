import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of `MessageList`. */
export const messageListAttributes = {
  root: {
    selector: '.cs-list',
    attributes: {
      'data-at-end': { values: 'present', meaning: 'While the reader is at the end' },
    },
  },
  'the button to the end': {
    selector: '.cs-jump',
    internal: true,
    attributes: {
      'data-new': { values: 'present', meaning: 'When something came since the reader left the end' },
    },
  },
  rows: {
    selector: '.cs-row',
    internal: true,
    attributes: {
      'data-index': { values: 'any', meaning: 'The place of the row, for measuring' },
    },
  },
  turns: {
    selector: '.cs-turn',
    internal: true,
    attributes: {
      'data-reserved': { values: 'present', meaning: 'Keeps space for an answer' },
    },
  },
} as const satisfies PartAttributes
