import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of `UserNotice`. */
export const userNoticeAttributes = {
  root: {
    selector: '.cs-banner',
    attributes: {
      'data-severity': { values: ['NOTICE'], meaning: 'Always this: it is no error' },
      'data-domain': { values: 'any', meaning: 'Where the agent says it comes from, such as `tool`' },
    },
  },
} as const satisfies PartAttributes
