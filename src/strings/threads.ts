import type { Persistence } from '../state/thread.ts'

/** Why nothing is kept. */
export type NotSaved = Extract<Persistence, { where: 'memory' }>['reason'] | 'signed-out'

/** Every string of {@link ThreadList}. Functions get the values they mention. */
export interface ThreadListStrings {
  /** BCP 47 tag of the language, which the list has as `lang`, and its times. @default none, and times of the dictionary's language or the browser's */
  readonly lang?: string | undefined
  readonly label: string
  readonly search: string
  readonly none: string
  readonly empty: string
  readonly loading: string
  readonly untitled: string
  readonly running: string
  /** The agent has asked something. */
  readonly awaitingInput: string
  readonly failed: string
  readonly unread: string
  readonly create: string
  readonly rename: (title: string) => string
  readonly title: string
  readonly remove: (title: string) => string
  readonly removed: (title: string) => string
  readonly undo: string
  readonly dismiss: string
  readonly notSaved: Readonly<Record<NotSaved, string>>
}

export const englishThreads: ThreadListStrings = {
  label: 'Conversations',
  search: 'Search conversations',
  none: 'No matching conversations',
  empty: 'No conversations yet',
  loading: 'Loading conversations',
  untitled: 'Untitled',
  running: 'Responding…',
  awaitingInput: 'Waiting for you',
  failed: 'Failed',
  unread: 'New',
  create: 'New conversation',
  rename: (title) => `Rename ${title}`,
  title: 'Title',
  remove: (title) => `Delete ${title}`,
  removed: (title) => `${title} deleted`,
  undo: 'Undo',
  dismiss: 'Dismiss',
  notSaved: {
    unavailable: 'Your browser is blocking storage. Conversations will be lost when you close this page.',
    full: 'Storage is full. New messages will be lost when you close this page.',
    newer: 'This app was updated in another tab. Reload to keep saving conversations.',
    failed: 'Conversations can’t be saved on this device. New messages will be lost when you close this page.',
    'signed-out': 'You’re signed out. Conversations aren’t being saved.',
  },
}
