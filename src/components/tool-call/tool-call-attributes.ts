import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of `ToolCall`. */
export const toolCallAttributes = {
  root: {
    selector: '.cs-fold',
    attributes: {
      'data-state': {
        values: ['preparing', 'running', 'waiting', 'complete', 'failed', 'denied', 'unfinished'],
        meaning: 'The status of the call; `unfinished` when the answer ended before the call did',
      },
    },
  },
} as const satisfies PartAttributes
