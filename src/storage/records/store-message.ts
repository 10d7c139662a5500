import { isString, isTime, listOf, optional, shape, variant } from '../../base/guards.ts'
import { isThread } from './stored-fields.ts'
import type { StoredThread } from './thread-disk.ts'

/** What a store tells those in other tabs. */
export type StoreNews =
  | { readonly type: 'threads'; readonly threads: readonly StoredThread[] }
  /** What was said until then is gone, epoch milliseconds. */
  | { readonly type: 'removed'; readonly id: string; readonly at: number }
  /** `restored`: its chat begins anew with what was put back. `outdated`: its row was told by a tab that no longer leads, the disk has the right one. */
  | { readonly type: 'restored' | 'outdated'; readonly id: string }
  | { readonly type: 'wiped' }

/** For stores with the same data, and those that cannot know. */
export type StoreMessage = StoreNews & { readonly generation: string | undefined }

const generation = optional(isString)

/** Whatever else speaks on the channel, such as another version of the app, is not listened to. */
export const isStoreMessage = variant<StoreMessage, 'type'>('type', {
  threads: shape({ threads: listOf(isThread), generation }),
  removed: shape({ id: isString, at: isTime, generation }),
  restored: shape({ id: isString, generation }),
  outdated: shape({ id: isString, generation }),
  wiped: shape({ generation }),
})
