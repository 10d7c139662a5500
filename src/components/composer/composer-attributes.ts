import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of `Composer`. */
export const composerAttributes = {
  root: {
    selector: '.cs-composer',
    attributes: {
      'data-running': { values: 'present', meaning: 'While an answer runs' },
      'data-empty': { values: 'present', meaning: 'While there is nothing to send' },
      'data-over': { values: 'present', meaning: 'While a file is dragged over it' },
    },
  },
  files: {
    selector: '.cs-file',
    attributes: {
      'data-state': { values: ['uploading', 'ready', 'failed'], meaning: 'The state of the upload' },
    },
  },
  box: {
    selector: '.cs-composer-grow',
    internal: true,
    attributes: {
      'data-text': { values: 'any', meaning: 'The text again, which makes the box as high as it is' },
    },
  },
} as const satisfies PartAttributes
