import { isString, isTime, isListOf, isOptional, shape, variant } from '../../base/guards.ts'
import { isThread } from './stored-fields.ts'
import type { StoredThread } from './thread-disk.ts'

/** A message from a store to those in other tabs. */
export type StoreNews =
  | { readonly type: 'threads'; readonly threads: readonly StoredThread[] }
  /** The conversation was deleted; `at`: epoch milliseconds. Later messages are kept. */
  | { readonly type: 'removed'; readonly id: string; readonly at: number }
  /** `restored`: its chat begins again with what was put back. `outdated`: its row came from a tab that no longer leads, the disk has the right one. */
  | { readonly type: 'restored' | 'outdated'; readonly id: string }
  | { readonly type: 'wiped' }

/** Received by stores with the same generation, and by stores that do not know their generation. */
export type StoreMessage = StoreNews & { readonly generation: string | undefined }

const generation = isOptional(isString)

/** Whatever else speaks on the channel, such as another version of the app, is not listened to. */
export const isStoreMessage = variant<StoreMessage, 'type'>('type', {
  threads: shape({ threads: isListOf(isThread), generation }),
  removed: shape({ id: isString, at: isTime, generation }),
  restored: shape({ id: isString, generation }),
  outdated: shape({ id: isString, generation }),
  wiped: shape({ generation }),
})
