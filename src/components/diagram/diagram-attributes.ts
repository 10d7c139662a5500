import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of what `createDiagram` makes. */
export const diagramAttributes = {
  root: {
    selector: '.cs-diagram',
    attributes: {
      'data-state': {
        values: ['source', 'drawing', 'complete', 'failed'],
        meaning: 'No picture yet, a picture of what has come, of all of it, or none that could be drawn',
      },
    },
  },
  picture: {
    selector: '.cs-diagram-picture',
    internal: true,
    attributes: {
      'data-hidden': { values: 'present', meaning: 'Not shown: nothing is drawn yet, or the source is shown' },
    },
  },
} as const satisfies PartAttributes
