import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of `WarningNote`. */
export const warningNoteAttributes = {
  root: {
    selector: '.cs-note',
    attributes: {
      'data-tone': { values: ['warning'], meaning: 'Always this' },
      'data-code': { values: 'any', meaning: 'The [code of the error](errors.md)' },
    },
  },
} as const satisfies PartAttributes
