import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of `ThreadList`. */
export const threadListAttributes = {
  root: {
    selector: '.cs-threads',
    attributes: {
      'data-status': { values: ['loading', 'ready'], meaning: 'Whether it is known what there is' },
    },
  },
  rows: {
    selector: '.cs-thread',
    internal: true,
    attributes: {
      'data-status': { values: ['idle', 'running', 'awaiting-input', 'failed'], meaning: 'What the conversation does' },
      'data-unread': { values: 'present', meaning: 'When something came since it was open' },
      'data-current': { values: 'present', meaning: 'For the conversation that is shown' },
    },
  },
  notes: {
    selector: '.cs-threads-note',
    internal: true,
    attributes: {
      'data-tone': { values: ['caution'], meaning: 'How serious the note is' },
    },
  },
  'buttons that open': {
    selector: '.cs-thread-open',
    internal: true,
    attributes: {
      'data-thread': { values: 'any', meaning: 'The id of the conversation' },
    },
  },
} as const satisfies PartAttributes
