/**
 * One tab's part in one conversation. `joining`: the database says which generation of data this is. `following`: waits for
 * the lock, shows what the leader tells and sends it the calls made here. `claiming`: has the lock and takes the next term
 * on the disk, so that no earlier leader can write any more. `leading`: has the chat and its only connection. `left`: over.
 *
 *     joining --joined--> following --elected--> claiming --claimed--> leading
 *                             ^                    |  ^                  |  |
 *                             +----overtaken-------+  +------reset-------+  |
 *                             +----overtaken--------------------------------+
 *     every phase but left --opened--> joining
 *     every phase --leave--> left
 */
export type MembershipPhase = 'joining' | 'following' | 'claiming' | 'leading' | 'left'

/** All that can happen to a membership. */
export type MembershipInput =
  /** The names of lock and channel are known. */
  | 'joined'
  /** The lock is held here. */
  | 'elected'
  /** The disk has given out a new term, and what it holds has been read. */
  | 'claimed'
  /** The lock was stolen, a higher term was heard, or the disk refused a write of this term. */
  | 'overtaken'
  /** The database, which could not be opened before, is open: other tabs have it. */
  | 'opened'
  /** The conversation was deleted or put back: what is known here counts no more. */
  | 'reset'
  /** Nothing shows the conversation here any more. */
  | 'leave'

/** Every phase against every input: the whole behaviour on one page. docs/tabs.md explains it. */
export const TRANSITIONS: Readonly<Record<MembershipPhase, Readonly<Record<MembershipInput, MembershipPhase>>>> = {
  joining: { joined: 'following', elected: 'joining', claimed: 'joining', overtaken: 'joining', opened: 'joining', reset: 'joining', leave: 'left' },
  following: { joined: 'following', elected: 'claiming', claimed: 'following', overtaken: 'following', opened: 'joining', reset: 'following', leave: 'left' },
  claiming: { joined: 'claiming', elected: 'claiming', claimed: 'leading', overtaken: 'following', opened: 'joining', reset: 'claiming', leave: 'left' },
  leading: { joined: 'leading', elected: 'leading', claimed: 'leading', overtaken: 'following', opened: 'joining', reset: 'claiming', leave: 'left' },
  left: { joined: 'left', elected: 'left', claimed: 'left', overtaken: 'left', opened: 'left', reset: 'left', leave: 'left' },
}
