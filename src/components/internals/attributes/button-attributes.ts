import type { PartAttributes } from './part-attributes.ts'

/** The `data-*` attributes of the buttons in the parts. */
export const buttonAttributes = {
  buttons: {
    selector: '.cs-button, .cs-icon-button',
    internal: true,
    attributes: {
      'data-kind': { values: ['primary', 'plain', 'link'], meaning: 'The visual weight of a button' },
      'data-size': { values: ['small'], meaning: 'A small one' },
      'data-outcome': { values: ['copied', 'failed'], meaning: 'What became of copying' },
    },
  },
} as const satisfies PartAttributes
