import type { ChatOptions } from '../../state/chat-options.ts'
import { answerCall, createCallRouter } from './call-router.ts'
import type { ChatStorage } from './chat-storage.ts'
import type { ChatView } from './chat-view.ts'
import type { LeadingChat } from './leading-chat.ts'
import { createLeadingChat } from './leading-chat.ts'
import type { PendingCall, PendingCalls } from './pending-calls.ts'
import { createReclaim } from './reclaim.ts'
import type { CreateError } from '../records/stored-message.ts'
import { isNewer } from '../records/stored-state.ts'
import type { TabGroup } from './tab-group.ts'
import { joinTabGroup } from './tab-group.ts'
import type { MembershipInput, MembershipPhase } from './tab-membership.ts'
import { TRANSITIONS } from './tab-membership.ts'
import type { StateMessage, TabMessage } from './tab-message.ts'
import { unpackConnection } from './tab-message.ts'
import { createUnsavedMessages } from './unsaved-messages.ts'
import type { WriteBehindClaim } from '../disk/write-behind.ts'

/** One tab among those that show a conversation, from the moment it joins them until it leaves. */
export interface TabMember {
  /** The chat itself, while this tab leads. */
  readonly leading: LeadingChat | undefined
  /** The disk is open now: joins the tabs that have it, if it was among those that have none. */
  diskOpened(): void
  /** Gives a call that was made here to whoever leads; itself, if that is this tab. */
  send(pending: PendingCall): void
  /** The conversation was deleted or put back at that time, epoch milliseconds: leads or follows from what is on the disk now. */
  reset(at: number): void
  /** The disk refused a write of that term. True when what was refused is not lost. */
  overtaken(term: number | undefined): boolean
  /** Leaves as soon as every call that was made here is in a leader's hands; `stay` takes that back. */
  leaveLater(): void
  stay(): void
  /** Writes what is not written, then gives the lead to the next tab. */
  leave(): void
}

export interface TabMemberOptions {
  readonly options: ChatOptions
  readonly home: ChatStorage
  readonly view: ChatView
  readonly calls: PendingCalls
  readonly createError: CreateError
  /** The term heard last, also by members of this tab before this one. */
  readonly heard: { term: number }
  onLeft(): void
}

/** Follows {@link TRANSITIONS}: leader election over Web Locks, fenced by a term on the disk. docs/tabs.md has the protocol. */
export function createTabMember({ options, home, view, calls, createError, heard, onLeft }: TabMemberOptions): TabMember {
  const { conversationId } = options
  const { clock } = home.ports
  const post = (message: TabMessage): void => group?.channel?.post(message)
  const unsaved = createUnsavedMessages(options.client().protocol)
  const reclaim = createReclaim({ clock, claim: () => home.disk.claim(conversationId, heard.term), onClaimed: leadOn })
  const router = createCallRouter({
    calls,
    clock,
    createError,
    leader: () => leading ?? (phase === 'following' ? heard : undefined),
    post,
    onStalled: () => group?.steal(),
    onAllAcknowledged: () => (isLeaving && phase !== 'left' ? leave() : undefined),
  })
  let phase: MembershipPhase = 'joining'
  let group: TabGroup | undefined
  let leading: LeadingChat | undefined
  /** Messages of the current leader heard so far. */
  let count = 0
  /** Ids of messages that the leader told and had not saved. */
  let heardUnsaved: readonly string[] = []
  let claims = 0
  let isLeaving = false
  /** It joined before the disk could be opened, and so among tabs that have none. */
  let isNameless = false
  /** What a leader of this tab wrote before is written anew, or given to the next leader. */
  let isPassedOn = false

  /** Every change of phase, and what a phase stands for. */
  function apply(input: MembershipInput): void {
    const before = phase
    phase = TRANSITIONS[before][input]
    if (phase === before && input !== 'reset') return
    if (before === 'leading') stopLeading(input)
    if (phase === 'left') return
    router.leaderChanged()
    if (phase === 'joining') rejoin()
    if (phase === 'following') post({ type: 'hello' })
    if (phase === 'claiming') void claim()
    if (input === 'overtaken') group?.requeue()
  }

  async function connect(): Promise<void> {
    const generation = await home.disk.generation()
    isNameless = generation === undefined
    if (phase !== 'joining') return
    group = joinTabGroup({ home, conversationId, generation, onMessage: hear, onElected: () => apply('elected'), onLost: () => apply('overtaken') })
    apply('joined')
    void refresh()
    group.queue()
  }

  /** The terms of tabs that have no disk say nothing about the others. */
  function rejoin(): void {
    heard.term = 0
    count = 0
    group?.leave()
    void connect()
  }

  async function refresh(): Promise<void> {
    const record = await home.disk.read(conversationId)
    if (leading === undefined && phase !== 'left' && view.adopt(record)) view.show(view.snapshotOf(view.newest.state))
  }

  async function claim(): Promise<void> {
    claims += 1
    const own = claims
    const claimed = await home.disk.claim(conversationId, Math.max(heard.term, view.newest.term))
    if (phase !== 'claiming' || claims !== own) return
    // A later leader was heard meanwhile: its claim came after this one.
    if (claimed.term <= heard.term) apply('overtaken')
    else lead(claimed)
  }

  function lead({ term, removed, removedAt, record, stored, isFenced, isRead }: WriteBehindClaim): void {
    if (view.newest.term > 0 && removed > view.newest.term) forget(removedAt)
    // What is newer here was heard from the last leader, and may not be written yet: all of it will be.
    const isSaved = view.adopt(record) || (record.state !== undefined && !isNewer(view.newest, record.state))
    heard.term = term
    heardUnsaved = []
    const before = view.getSnapshot()
    const own: LeadingChat = createLeadingChat({
      options,
      home,
      channel: group?.channel,
      term,
      isFenced,
      isRead,
      from: view.newest,
      saved: isSaved && isFenced ? view.newest.state : undefined,
      stored,
      createError,
      onPublished: () => (leading === own ? view.show(own.chat.getSnapshot()) : undefined),
    })
    leading = own
    post({ type: 'leads', term })
    addUnsaved()
    if (own.chat.capture().run?.ended === false) void own.chat.resume()
    apply('claimed')
    view.show(own.chat.getSnapshot())
    own.replicator.note(before, view.getSnapshot())
    if (!isFenced && !home.isOver()) reclaim.later()
  }

  /** For a leader that had no term of the disk, or has nobody to agree with about who leads. */
  function leadOn(claimed: WriteBehindClaim): void {
    if (leading === undefined) return
    const { term } = leading.capture()
    if (term > 0 && claimed.removed > term) {
      // It was deleted meanwhile: begins anew, with what was said since.
      view.newest = leading.capture()
      stopLeading('reset')
      lead(claimed)
      return router.leaderChanged()
    }
    heard.term = claimed.term
    isPassedOn = true
    leading.renew(claimed.term, view.read(claimed.record))
    post({ type: 'leads', term: claimed.term })
  }

  function stopLeading(input: MembershipInput): void {
    const own = leading
    leading = undefined
    reclaim.cancel()
    if (own === undefined) return
    void own.chat.disconnect()
    if (input === 'leave') return
    if (input === 'overtaken' || input === 'opened') {
      view.newest = own.capture()
      isPassedOn = true
      unsaved.keepOwn(view.newest, own)
    }
    own.stop()
  }

  /** What was asked in a conversation that was deleted is gone with it; not what was asked after that, here where nobody knew. */
  function forget(at: number): void {
    view.forget(at)
    for (const { id, madeAt } of calls.all()) if (madeAt <= at) calls.settle(id)
    unsaved.forget(at)
  }

  function hear(message: TabMessage): void {
    if (phase === 'left') return
    switch (message.type) {
      case 'hello':
        return leading?.replicator.tell(true)
      case 'leads':
        return follow(message.term) ? post({ type: 'hello' }) : undefined
      case 'state':
        return learn(message)
      case 'call':
        return leading?.term === message.term ? void answerCall(leading, message, post, () => leading) : undefined
      case 'acknowledged':
      case 'done':
        // What a leader of before says of a call counts no more: the call was given to the next one.
        return message.term === heard.term ? router.answered(message) : undefined
    }
  }

  /** Takes the leader of a term for the leader, unless a later one is known. */
  function follow(term: number): boolean {
    if (term < heard.term || (term === heard.term && phase === 'leading')) return false
    if (term === heard.term) return true
    heard.term = term
    count = 0
    if (phase === 'leading') apply('overtaken')
    else router.leaderChanged()
    return true
  }

  function learn(message: StateMessage): void {
    if (!follow(message.term)) return
    const isNext = count > 0 && message.count === count + 1
    if (count === 0) unsaved.keepHeard(view.newest, heardUnsaved)
    const next = message.whole || isNext ? view.learn(message) : undefined
    if (next === undefined) return post({ type: 'hello' })
    count = message.count
    heardUnsaved = message.unsaved
    view.show({ ...next, connection: unpackConnection(message.connection, clock, createError, view.getSnapshot().connection) })
    home.onShown(conversationId)
    for (const pending of addUnsaved()) router.send(pending)
  }

  /** To the calls of this tab, for whoever leads. */
  function addUnsaved(): readonly PendingCall[] {
    return unsaved.take(view.newest, calls.all()).map(({ call, id }) => calls.add(call, clock.date(), id).pending)
  }

  function leave(): void {
    const own = leading
    apply('leave')
    router.stop()
    group?.leave(close(own))
    onLeft()
  }

  async function close(own: LeadingChat | undefined): Promise<void> {
    // Later in this turn: in the midst of a batch the cursors are ahead of the text.
    await Promise.resolve()
    const saved = own?.replicator.save()
    own?.replicator.tell(false)
    if (own !== undefined) {
      view.newest = own.capture()
      view.show(own.chat.getSnapshot())
    }
    own?.stop()
    await saved
  }

  void connect()
  return {
    get leading() {
      return leading
    },
    send: router.send,
    reset(at) {
      if (leading !== undefined) view.newest = leading.capture()
      forget(at)
      count = 0
      apply('reset')
      void refresh()
    },
    overtaken(term) {
      // Of a leader of before: this one has read what stands there.
      if (leading === undefined || (leading.isFenced && term !== leading.term)) return isPassedOn
      // Tabs without locks lead all at once: of what they write the last counts.
      if (group?.channel !== undefined && leading.isFenced) apply('overtaken')
      else {
        leading.replicator.refused()
        reclaim.now()
      }
      return true
    },
    diskOpened() {
      if (isNameless) apply('opened')
    },
    leaveLater() {
      isLeaving = true
      if (calls.all().every(({ isAcknowledged }) => isAcknowledged)) leave()
    },
    stay() {
      isLeaving = false
    },
    leave,
  }
}
