import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of `ArtifactView`. */
export const artifactViewAttributes = {
  root: {
    selector: '.cs-artifact-view',
    attributes: {
      'data-state': {
        values: ['writing', 'ready', 'failed', 'unfinished'],
        meaning: 'How far the agent is with it; `unfinished` when the answer ended before it was whole',
      },
    },
  },
  row: {
    selector: '.cs-artifact-row',
    internal: true,
    attributes: {
      'data-state': { values: ['writing', 'ready', 'failed', 'unfinished'], meaning: 'As that of the root' },
    },
  },
  window: {
    selector: '.cs-artifact-window',
    internal: true,
    attributes: { 'data-end': { values: 'present', meaning: 'It shows the end' } },
  },
} as const satisfies PartAttributes
