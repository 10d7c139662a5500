import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of `ThoughtTrace`. */
export const thoughtTraceAttributes = {
  root: {
    selector: '.cs-fold',
    attributes: {
      'data-state': { values: ['live', 'done', 'failed'], meaning: 'The state of the thinking' },
      'data-auto': { values: 'present', meaning: 'Until the reader opens or closes it' },
    },
  },
  'root of redacted thoughts': {
    selector: '.cs-note',
    attributes: {
      'data-state': { values: ['redacted'], meaning: 'Nothing is shown of them' },
    },
  },
  body: {
    selector: '.cs-thought-body',
    internal: true,
    attributes: {
      'data-window': { values: 'present', meaning: 'While it is a window that follows its end' },
    },
  },
} as const satisfies PartAttributes
