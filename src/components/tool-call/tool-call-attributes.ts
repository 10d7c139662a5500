import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of `ToolCall`. */
export const toolCallAttributes = {
  root: {
    selector: '.cs-fold',
    attributes: {
      'data-state': {
        values: ['running', 'complete', 'failed', 'unfinished'],
        meaning: 'The status of the call; `unfinished` when it still ran as the answer ended',
      },
    },
  },
} as const satisfies PartAttributes
