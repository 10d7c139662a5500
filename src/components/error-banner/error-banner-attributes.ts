import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of `ErrorBanner`. */
export const errorBannerAttributes = {
  root: {
    selector: '.cs-banner',
    attributes: {
      'data-severity': {
        values: ['FATAL', 'TRANSIENT'],
        meaning: 'The severity of the error; one of WARNING is a `WarningNote`',
      },
      'data-code': { values: 'any', meaning: 'The [code of the error](errors.md)' },
    },
  },
} as const satisfies PartAttributes
