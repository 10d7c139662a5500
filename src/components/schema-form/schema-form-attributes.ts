import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of `SchemaForm`. */
export const schemaFormAttributes = {
  root: {
    selector: '.cs-form',
    attributes: {
      'data-status': {
        values: ['ready', 'checking', 'disabled'],
        meaning: 'Whether it can be filled in, the values are being checked, or it is disabled',
      },
    },
  },
  fields: {
    selector: '.cs-field',
    attributes: {
      'data-kind': {
        values: ['text', 'number', 'boolean', 'choice', 'choices', 'fixed', 'group', 'union', 'list', 'json'],
        meaning: 'What is entered',
      },
      'data-invalid': { values: 'present', meaning: 'The value was refused' },
    },
  },
  controls: {
    selector: '.cs-form [data-field]',
    internal: true,
    attributes: { 'data-field': { values: 'any', meaning: 'The place of the field in the form' } },
  },
} as const satisfies PartAttributes
