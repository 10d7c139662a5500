import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of `CitationBlock`. */
export const citationBlockAttributes = {
  root: {
    selector: '.cs-sources',
    attributes: {
      'data-compact': { values: 'present', meaning: 'While it is a row of chips' },
    },
  },
  marks: {
    selector: '.cs-cite',
    internal: true,
    attributes: {
      'data-active': { values: 'present', meaning: 'While the reader is at the source of this mark' },
      'data-pending': { values: 'present', meaning: 'While the source of this mark may still come' },
    },
  },
  sources: {
    selector: '.cs-source-item',
    internal: true,
    attributes: {
      'data-active': { values: 'present', meaning: 'While the reader is at a mark of this source' },
    },
  },
  'targets of marks': {
    selector: '.cs-cite',
    internal: true,
    attributes: {
      'data-source': { values: 'any', meaning: 'Leads from a source back to its marks' },
    },
  },
} as const satisfies PartAttributes
