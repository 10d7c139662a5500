import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of `PromptTrace`. */
export const promptTraceAttributes = {
  root: {
    selector: '.cs-prompt-trace',
    attributes: {
      'data-state': {
        values: [
          'open',
          'staged',
          'sending',
          'unconfirmed',
          'answered',
          'declined',
          'cancelled',
          'expired',
          'answered-elsewhere',
          'withdrawn',
        ],
        meaning: 'What became of the prompt',
      },
    },
  },
} as const satisfies PartAttributes
