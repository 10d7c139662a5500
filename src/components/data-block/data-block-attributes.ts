import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of `DataBlock`. */
export const dataBlockAttributes = {
  root: {
    selector: '.cs-data',
    attributes: {
      'data-view': { values: ['table', 'list', 'pairs', 'json'], meaning: 'How the data is shown' },
    },
  },
  cells: {
    selector: '.cs-table-head, .cs-table-cell',
    internal: true,
    attributes: {
      'data-numeric': { values: 'present', meaning: 'In columns of numbers' },
    },
  },
} as const satisfies PartAttributes
