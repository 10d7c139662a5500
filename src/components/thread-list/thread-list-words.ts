import type { Keeping } from '../../state/thread.ts'

/** Why nothing is kept. */
export type NotKept = Extract<Keeping, { where: 'memory' }>['reason'] | 'signed-out'

/** Every word of {@link ThreadList}. Functions get what they speak of. */
export interface ThreadListWords {
  readonly label: string
  readonly search: string
  readonly none: string
  readonly empty: string
  readonly loading: string
  readonly untitled: string
  readonly running: string
  readonly failed: string
  readonly unread: string
  readonly create: string
  readonly rename: (title: string) => string
  readonly title: string
  readonly remove: (title: string) => string
  readonly removed: (title: string) => string
  readonly undo: string
  readonly dismiss: string
  readonly notKept: Readonly<Record<NotKept, string>>
}

export const englishThreads: ThreadListWords = {
  label: 'Conversations',
  search: 'Find a conversation',
  none: 'No conversation of that name',
  empty: 'No conversations yet',
  loading: 'Loading conversations',
  untitled: 'Untitled',
  running: 'Running',
  failed: 'Failed',
  unread: 'New',
  create: 'New conversation',
  rename: (title) => `Rename ${title}`,
  title: 'Title',
  remove: (title) => `Delete ${title}`,
  removed: (title) => `${title} deleted`,
  undo: 'Undo',
  dismiss: 'Dismiss',
  notKept: {
    unavailable: 'This browser keeps nothing here. Conversations are gone when the page is closed.',
    full: 'There is no room left on this device. What is new is gone when the page is closed.',
    newer: 'A newer version of this app is open. Reload the page to keep conversations.',
    failed: 'Conversations cannot be written to this device. What is new is gone when the page is closed.',
    'signed-out': 'You are signed out. Nothing is kept.',
  },
}
