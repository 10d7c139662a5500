import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of `PromptCard`. */
export const promptCardAttributes = {
  root: {
    selector: '.cs-prompt',
    attributes: {
      'data-kind': {
        values: ['approval', 'choice', 'form', 'sign-in', 'permission', 'other'],
        meaning: 'What the agent asks for',
      },
      'data-state': {
        values: ['open', 'staged', 'sending', 'unconfirmed'],
        meaning: 'State of the answer',
      },
      'data-ready': { values: 'present', meaning: 'When it takes an answer: it has not moved for 600 ms' },
    },
  },
} as const satisfies PartAttributes
