import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of `ArtifactCard`. */
export const artifactCardAttributes = {
  root: {
    selector: '.cs-artifact',
    attributes: {
      'data-state': {
        values: ['writing', 'ready', 'failed', 'unfinished'],
        meaning: 'How far the agent is with it; `unfinished` when the answer ended before it was whole',
      },
    },
  },
} as const satisfies PartAttributes
