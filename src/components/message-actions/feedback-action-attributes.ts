import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of `FeedbackAction`. */
export const feedbackActionAttributes = {
  root: {
    selector: '.cs-feedback',
    attributes: {
      'data-value': { values: ['up', 'down'], meaning: 'How the message is rated; absent while it is not' },
    },
  },
} as const satisfies PartAttributes
