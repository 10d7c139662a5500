import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of `Chat`. */
export const chatAttributes = {
  root: {
    selector: '.cs-chat',
    attributes: {
      'data-sources': {
        values: 'present',
        meaning: 'While a `SourcesPanel` in it is open, which is beside the text of a wide chat',
      },
    },
  },
} as const satisfies PartAttributes
