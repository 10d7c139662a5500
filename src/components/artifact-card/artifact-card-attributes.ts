import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of `ArtifactCard`. */
export const artifactCardAttributes = {
  root: {
    selector: '.cs-artifact',
    attributes: {
      'data-state': { values: ['writing', 'ready', 'failed'], meaning: 'How far the agent is with it' },
    },
  },
} as const satisfies PartAttributes
