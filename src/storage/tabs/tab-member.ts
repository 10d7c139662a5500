/*
The state machine of this file. A test holds the diagram to the table.

stateDiagram-v2
    [*] --> joining
    state member {
        joining --> following: joined
        state named {
            following --> acquiring: elected
            acquiring --> leading: acquired
            acquiring --> following: overtaken
            leading --> following: overtaken
            leading --> acquiring: reset
        }
        named --> joining: opened
    }
    member --> left: leave
*/

import type { ChatOptions } from '../../state/chat-options.ts'
import { createCallRouter, type PendingCall, type PendingCalls, createUnsavedMessages } from './call-router.ts'
import type { ChatStorage } from './chat-storage.ts'
import type { ChatView, LearnedState } from './chat-view.ts'
import { type LeadingChat, createLeadingChat } from './leading-chat.ts'
import type { CreateError } from '../records/stored-message.ts'
import { isNewer } from '../records/stored-state.ts'
import { type StateMessage, type TabMessage, unpackConnection, isTabMessage, type TabChannel } from './tab-message.ts'
import type { WriteBehindTerm } from '../disk/write-behind.ts'
import { noop } from '../../base/noop.ts'
import type { Clock } from '../../base/ports/clock.ts'
import { type LeaderElection, createLeaderElection } from './leader-election.ts'
import { transitionTable, type TransitionTable } from '../../base/transition-table.ts'

/** Until a disk that gave no term out is asked again; doubled each time. */
const FIRST_MS = 5000

const LONGEST_MS = 300_000

/** Asks the disk for a later term, again with backoff while it gives none out. */
interface Reacquire {
  now(): void
  later(): void
  cancel(): void
}

interface ReacquireOptions {
  readonly clock: Clock
  acquireTerm(): Promise<WriteBehindTerm>
  onAcquired(acquired: WriteBehindTerm): void
}

export function createReacquire({ clock, acquireTerm, onAcquired }: ReacquireOptions): Reacquire {
  let cancelTimer = noop
  /** Counts what was begun: an answer that comes after `cancel` is of no use. */
  let asked = 0

  async function ask(nextMs: number): Promise<void> {
    cancel()
    const own = asked
    const acquired = await acquireTerm()
    if (own !== asked) return
    if (acquired.isFenced) onAcquired(acquired)
    else wait(nextMs)
  }

  function wait(ms: number): void {
    cancelTimer = clock.after(ms, () => void ask(Math.min(LONGEST_MS, 2 * ms)))
  }

  function cancel(): void {
    asked += 1
    cancelTimer()
    cancelTimer = noop
  }

  return { now: () => void ask(FIRST_MS), later: () => wait(FIRST_MS), cancel }
}

/** One tab among those that show a conversation, from the moment it joins them until it leaves. */
export interface TabMember {
  /** The chat itself, while this tab leads. */
  readonly leading: LeadingChat | undefined
  /** The disk is open now: joins the tabs that use it, if it was in the group of the tabs without a disk. */
  diskOpened(): void
  /** Sends a call of this tab to the leader; performs it if that is this tab. */
  send(pending: PendingCall): void
  /** The conversation was deleted or put back at that time, epoch milliseconds: leads or follows from what is on the disk now. */
  reset(at: number): void
  /** The disk refused a write of that term. True when what was refused is not lost. */
  overtaken(term: number | undefined): boolean
  /** Leaves as soon as a leader has acknowledged every call of this tab, and this tab performs no answer; `stay` cancels this. */
  leaveLater(): void
  stay(): void
  /** Writes what is not written, then gives the lead to the next tab. */
  leave(): void
}

export interface TabMemberOptions {
  readonly options: ChatOptions
  readonly storage: ChatStorage
  readonly view: ChatView
  readonly calls: PendingCalls
  readonly createError: CreateError
  /** The term heard last, also by members of this tab before this one. */
  readonly heard: HeardTerm
  onLeft(): void
}

/** Follows `MEMBERSHIP_TRANSITIONS`: leader election over Web Locks, fenced by a term on the disk. docs/internals/tabs.md has the protocol. */
export function createTabMember(memberOptions: TabMemberOptions): TabMember {
  const { options, storage, view, calls, createError, heard, onLeft } = memberOptions
  const { conversationId } = options
  const { clock } = storage.ports
  const post = (message: TabMessage): void => group?.channel?.post(message)
  const leader = createHeardLeader(heard)
  const unsaved = createUnsavedMessages(options.client().protocol)
  const reacquire = createReacquire({
    clock,
    acquireTerm: () => storage.disk.acquireTerm(conversationId, heard.term),
    onAcquired: leadOn,
  })
  const router = createCallRouter({
    calls,
    clock,
    createError,
    leader: () => leadingHere() ?? (membership.phase === 'following' ? heard : undefined),
    post,
    onStalled: () => group?.steal(),
  })
  let membership: Membership = { phase: 'joining' }
  let group: TabGroup | undefined
  /** Whether the earlier writes of this tab as a leader are written again, or passed to the next leader. */
  let isPassedOn = false

  /** Every change of phase, and the effects of entering it. */
  function apply(action: MembershipAction): void {
    const before = membership
    membership = reduceMembership(before, action)
    if (membership === before) return
    if (before.phase === 'leading') stopLeading(before.leading, action.type)
    if (action.type === 'acquired') beginLeading(action.leading)
    // A callback of the chat may have left or lost the lead again.
    if (membership.phase === 'left' || (action.type === 'acquired' && leadingHere() !== action.leading)) return
    router.leaderChanged()
    if (membership.phase === 'joining') rejoin()
    if (membership.phase === 'following') post({ type: 'hello' })
    if (membership.phase === 'acquiring') void acquireTerm()
    if (action.type === 'overtaken') group?.requeue()
  }

  const leadingHere = (): LeadingChat | undefined => (membership.phase === 'leading' ? membership.leading : undefined)

  async function connect(): Promise<void> {
    const generation = await storage.disk.generation()
    if (membership.phase !== 'joining') return
    group = joinTabGroup({
      storage,
      conversationId,
      generation,
      onMessage: hear,
      onElected: () => apply({ type: 'elected' }),
      onLost: () => apply({ type: 'overtaken' }),
    })
    apply({ type: 'joined' })
    void refresh()
    group.queue()
  }

  /** Forgets the leader: terms of tabs without a disk are not comparable with those of the other tabs. */
  function rejoin(): void {
    leader.forget()
    group?.leave()
    void connect()
  }

  async function refresh(): Promise<void> {
    const record = await storage.disk.read(conversationId)
    if (leadingHere() !== undefined || membership.phase === 'left' || !view.adopt(record)) return
    view.show(view.snapshotOf(view.newest.state))
  }

  async function acquireTerm(): Promise<void> {
    const own = membership
    const acquired = await storage.disk.acquireTerm(conversationId, Math.max(heard.term, view.newest.term))
    if (membership !== own) return
    // A later leader was heard meanwhile: its term was acquired after this one.
    if (acquired.term <= heard.term) apply({ type: 'overtaken' })
    else lead(acquired)
  }

  function lead({ term, removed, removedAt, record, stored, isFenced, isRead }: WriteBehindTerm): void {
    if (view.newest.term > 0 && removed > view.newest.term) forget(removedAt)
    // Newer state in this tab came from the last leader and may not be on the disk yet, so all of it is written.
    const isSaved = view.adopt(record) || (record.state !== undefined && !isNewer(view.newest, record.state))
    heard.term = term
    leader.forgetUnsaved()
    const before = view.getSnapshot()
    const own: LeadingChat = createLeadingChat({
      options,
      storage,
      channel: group?.channel,
      term,
      isFenced,
      isRead,
      from: view.newest,
      saved: isSaved && isFenced ? view.newest.state : undefined,
      stored,
      createError,
      onPublished: () => (leadingHere() === own ? view.show(own.chat.getSnapshot()) : undefined),
    })
    apply({ type: 'acquired', leading: own })
    if (leadingHere() !== own) return
    view.show(own.chat.getSnapshot())
    own.replicator.note(before, view.getSnapshot())
    if (!isFenced && !storage.isOver()) reacquire.later()
  }

  function beginLeading(own: LeadingChat): void {
    post({ type: 'leads', term: own.term })
    addUnsaved()
    if (own.chat.capture().run?.ended === false) void own.chat.resume()
  }

  /** For a leader that had no term of the disk, or no leader election. */
  function leadOn(acquired: WriteBehindTerm): void {
    const leading = leadingHere()
    if (leading === undefined) return
    const { term } = leading.capture()
    if (term > 0 && acquired.removed > term) {
      // It was deleted meanwhile: begins again, with the later messages.
      view.newest = leading.capture()
      stopLeading(leading, 'reset')
      membership = reduceMembership(membership, { type: 'reset' })
      return lead(acquired)
    }
    heard.term = acquired.term
    isPassedOn = true
    leading.renew(acquired.term, view.read(acquired.record))
    post({ type: 'leads', term: acquired.term })
  }

  function stopLeading(own: LeadingChat, input: MembershipInput): void {
    reacquire.cancel()
    void own.chat.disconnect()
    if (input === 'leave') return
    if (input === 'overtaken' || input === 'opened') {
      view.newest = own.capture()
      isPassedOn = true
      unsaved.keepOwn(view.newest, own)
    }
    own.stop()
  }

  /** Drops the calls made before the conversation was deleted. A tab that did not know of it keeps its later calls. */
  function forget(at: number): void {
    view.forget(at)
    for (const { id, madeAt } of calls.all()) if (madeAt <= at) calls.settle(id)
    unsaved.forget(at)
  }

  function hear(message: TabMessage): void {
    if (membership.phase === 'left') return
    const leading = leadingHere()
    switch (message.type) {
      case 'hello':
        return leading?.replicator.tell(true)
      case 'leads':
        return follow(message.term) ? post({ type: 'hello' }) : undefined
      case 'state':
        return learn(message)
      case 'call':
        return leading?.term === message.term ? void router.perform(leading, message) : undefined
      case 'acknowledged':
      case 'done':
        // Ignores answers of an earlier leader: the call was passed to the next one.
        return message.term === heard.term ? router.answered(message) : undefined
    }
  }

  /** Takes the leader of a term for the leader, unless a later one is known. */
  function follow(term: number): boolean {
    if (term < heard.term || (term === heard.term && membership.phase === 'leading')) return false
    if (!leader.begin(term)) return true
    if (membership.phase === 'leading') apply({ type: 'overtaken' })
    else router.leaderChanged()
    return true
  }

  function learn(message: StateMessage): void {
    if (!follow(message.term)) return
    const { isNew } = leader
    if (isNew) unsaved.keepHeard(view.newest, leader.unsaved)
    const learned = leader.canApply(message) ? view.learn(message) : undefined
    if (learned === undefined) return post({ type: 'hello' })
    leader.applied(message)
    const connection = unpackConnection(message.connection, clock, createError, view.getSnapshot().connection)
    view.show({ ...learned.snapshot, connection })
    storage.onShown(conversationId)
    for (const pending of addUnsaved(isNew ? learned.outcomes : [])) router.send(pending)
  }

  function addUnsaved(ends: LearnedState['outcomes'] = []): readonly PendingCall[] {
    return unsaved.take(view.newest, calls.all(), ends).map(({ call, id }) => calls.add(call, clock.date(), id).pending)
  }

  function leave(): void {
    const own = leadingHere()
    apply({ type: 'leave' })
    router.stop()
    group?.leave(own === undefined ? Promise.resolve() : close(own))
    onLeft()
  }

  async function close(own: LeadingChat): Promise<void> {
    // Later in this turn: in the middle of a batch the cursors are ahead of the text.
    await Promise.resolve()
    const saved = own.replicator.save()
    own.replicator.tell(false)
    view.newest = own.capture()
    view.show(own.chat.getSnapshot())
    own.stop()
    await saved
  }

  void connect()
  return {
    get leading() {
      return leadingHere()
    },
    send: router.send,
    reset(at) {
      view.newest = leadingHere()?.capture() ?? view.newest
      forget(at)
      leader.miss()
      apply({ type: 'reset' })
      void refresh()
    },
    overtaken(term) {
      const leading = leadingHere()
      // Of an earlier leader: this one has read the saved state.
      if (leading === undefined || (leading.isFenced && term !== leading.term)) return isPassedOn
      // Tabs without locks all lead: the last write wins.
      if (group?.channel !== undefined && leading.isFenced) apply({ type: 'overtaken' })
      else {
        leading.replicator.refused()
        reacquire.now()
      }
      return true
    },
    diskOpened() {
      if (group !== undefined && group.generation === undefined) apply({ type: 'opened' })
    },
    leaveLater: () => router.whenAllAcknowledged(leave),
    stay: () => router.whenAllAcknowledged(undefined),
    leave,
  }
}

/** The highest term of a conversation that was received; 0 before the first. Shared by all members that this tab has had. */
interface HeardTerm {
  term: number
}

/** Messages that a follower received from the current leader. They are counted, so that a missing one is detected. */
interface HeardLeader {
  /** No message of the current leader has arrived yet. */
  readonly isNew: boolean
  /** Ids of messages that the leader sent last and had not saved. */
  readonly unsaved: readonly string[]
  /** Makes the leader of this term the current leader; returns false when it already is. */
  begin(term: number): boolean
  /** Whether the message follows the last one, or needs none before it. */
  canApply(message: StateMessage): boolean
  applied(message: StateMessage): void
  /** Invalidates the messages received so far: only a message with the full state can be applied next. */
  miss(): void
  forgetUnsaved(): void
  /** Forgets the leader and its term, which says nothing about the leaders of other tabs. */
  forget(): void
}

function createHeardLeader(heard: HeardTerm): HeardLeader {
  let count = 0
  let unsaved: readonly string[] = []
  return {
    get isNew() {
      return count === 0
    },
    get unsaved() {
      return unsaved
    },
    begin(term) {
      if (term === heard.term) return false
      heard.term = term
      count = 0
      return true
    },
    canApply: (message) => message.whole || (count > 0 && message.count === count + 1),
    applied(message) {
      count = message.count
      unsaved = message.unsaved
    },
    miss() {
      count = 0
    },
    forgetUnsaved() {
      unsaved = []
    },
    forget() {
      heard.term = 0
      count = 0
    },
  }
}

/** The tabs that share a conversation: one lock for the one that leads, and one channel. */
interface TabGroup {
  /** Undefined if {@link TabGroupOptions.generation} is: the group of the tabs without a disk. */
  readonly generation: string | undefined
  /** Undefined without locks or without channels: then the tabs do not communicate. */
  readonly channel: TabChannel | undefined
  /** Waits for the lock. */
  queue(): void
  /** Takes the lock from the tab that has it. */
  steal(): void
  /** Gives the lock back if it is held, and waits for it again behind the others. */
  requeue(): void
  /** Leaves the group: immediately, or once `after` has settled. */
  leave(after?: Promise<void>): void
}

interface TabGroupOptions {
  readonly storage: ChatStorage
  readonly conversationId: string
  /**
   * Generation of the data on the disk. It is part of the names, so that tabs that did not receive a sign-out form a
   * group of their own. Undefined: the disk could not be opened; these tabs form a group too.
   */
  readonly generation: string | undefined
  onMessage(message: TabMessage): void
  /** The lock is held here. */
  onElected(): void
  /** Another tab has taken the lock. */
  onLost(): void
}

function joinTabGroup({
  storage,
  conversationId,
  generation,
  onMessage,
  onElected,
  onLost,
}: TabGroupOptions): TabGroup {
  const name = `${storage.name} ${generation ?? ''} ${conversationId}`
  const { clock } = storage.ports
  const { locks, openChannel } = storage.isOver() ? {} : storage.ports
  let channel = locks && openChannel?.(name)
  channel?.onMessage((message) => (isTabMessage(message) ? onMessage(message) : undefined))
  let election: LeaderElection | undefined

  function closeChannel(): void {
    channel?.close()
    channel = undefined
  }

  return {
    generation,
    get channel() {
      return channel
    },
    queue() {
      election = createLeaderElection({
        locks: channel && locks,
        clock,
        name,
        onElected,
        onLost,
        onUnavailable: closeChannel,
      })
    },
    steal: () => election?.steal(),
    requeue: () => election?.requeue(),
    leave(after) {
      if (after === undefined) closeChannel()
      else void after.then(closeChannel, closeChannel)
      election?.leave(after)
    },
  }
}

/**
 * One tab's part in one conversation. `joining`: the database says which generation of data this is. `following`: waits for
 * the lock, shows what the leader tells and sends it the calls made here. `acquiring`: has the lock and takes the next term
 * on the disk, so that no earlier leader can write any more. `leading`: has the chat and its only connection. `left`: over.
 */
export type MembershipPhase = 'joining' | 'following' | 'acquiring' | 'leading' | 'left'

/** All that can happen to a membership. */
export type MembershipInput =
  /** The names of lock and channel are known. */
  | 'joined'
  /** The lock is held here. */
  | 'elected'
  /** The disk has given out a new term, and what it holds has been read. */
  | 'acquired'
  /** The lock was stolen, a higher term was heard, or the disk refused a write of this term. */
  | 'overtaken'
  /** The database, which could not be opened before, is open: other tabs have it. */
  | 'opened'
  /** The conversation was deleted or put back: what is known here counts no more. */
  | 'reset'
  /** Nothing shows the conversation here any more. */
  | 'leave'

/** State machine of a membership: every phase against every input, a dot where nothing changes. docs/internals/tabs.md explains it. */
// oxfmt-ignore
export const MEMBERSHIP_TRANSITIONS: TransitionTable<MembershipPhase, MembershipInput> = /* @__PURE__ */ transitionTable(
               ['joining',   'following', 'acquiring', 'leading',   'left'],
  {
    joined:    ['following', '.',         '.',         '.',         '.'],
    elected:   ['.',         'acquiring', '.',         '.',         '.'],
    acquired:  ['.',         '.',         'leading',   '.',         '.'],
    overtaken: ['.',         '.',         'following', 'following', '.'],
    opened:    ['.',         'joining',   'joining',   'joining',   '.'],
    reset:     ['.',         '.',         '.',         'acquiring', '.'],
    leave:     ['left',      'left',      'left',      'left',      '.'],
  },
)

/** A membership: a record per phase, with only what that phase has. A phase that is entered again is another record. */
export type Membership =
  | { readonly phase: 'joining' | 'following' | 'acquiring' | 'left' }
  | { readonly phase: 'leading'; /** The chat itself. */ readonly leading: LeadingChat }

/** An input with its data. */
export type MembershipAction =
  | { readonly type: Exclude<MembershipInput, 'acquired'> }
  | { readonly type: 'acquired'; readonly leading: LeadingChat }

/** Reducer of a membership. Pure; the same record where {@link MEMBERSHIP_TRANSITIONS} has a dot, except that `reset` enters the phase again. */
export function reduceMembership(membership: Membership, action: MembershipAction): Membership {
  const phase = MEMBERSHIP_TRANSITIONS[membership.phase][action.type]
  if (phase === 'leading') {
    const isElected = membership.phase !== phase && action.type === 'acquired'
    return isElected ? { phase, leading: action.leading } : membership
  }
  return phase === membership.phase && (action.type !== 'reset' || phase === 'left') ? membership : { phase }
}
