import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of `Message`. */
export const messageAttributes = {
  root: {
    selector: '.cs-message',
    attributes: {
      'data-role': { values: ['user', 'assistant', 'system'], meaning: 'Who says it' },
      'data-status': {
        values: ['sending', 'sent', 'not-sent', 'pending', 'streaming', 'complete', 'incomplete', 'stopped', 'failed'],
        meaning: 'The [status of the message](hooks.md#what-are-the-statuses-of-a-message)',
      },
    },
  },
  actions: {
    selector: '.cs-actions',
    attributes: { 'data-last': { values: [''], meaning: 'It is the last answer, whose actions stay in view' } },
  },
} as const satisfies PartAttributes
