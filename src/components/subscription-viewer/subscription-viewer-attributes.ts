import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of `SubscriptionViewer`. */
export const subscriptionViewerAttributes = {
  root: {
    selector: '.cs-feed',
    attributes: {
      'data-status': {
        values: ['opening', 'backfilling', 'open', 'closed', 'failed'],
        meaning: 'Where the subscription is; `backfilling` while what had been said before is coming',
      },
    },
  },
} as const satisfies PartAttributes
