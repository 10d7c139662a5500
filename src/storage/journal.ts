import type { ChatSnapshot } from '../state/chat-snapshot.ts'
import type { CapturableChat } from '../state/chat-options.ts'
import type { ChatState } from '../state/chat-state.ts'
import type { Message } from '../state/message.ts'
import type { ChatHome } from './chat-home.ts'
import { changesBetween, packState } from './stored-state.ts'
import type { TabMessage } from './tab-message.ts'
import { packConnection } from './tab-message.ts'
import type { TabChannel } from './tabs.ts'

/** Between two writes, and two messages to other tabs, while an answer streams. */
const SAVE_MS = 1000
const TELL_MS = 100
/** A run that says nothing for long is not one that was left. */
const BEAT_MS = 60_000

/** Writes down what a chat says, and tells it to the other tabs: the work of the tab that leads. */
export interface Journal {
  /** The chat published something. */
  note(before: ChatSnapshot, after: ChatSnapshot): void
  /** Writes what is not written yet. */
  save(): Promise<void>
  /** Tells the others what is new; with `whole`, everything, because somebody joined them. */
  tell(whole: boolean): void
  /** Forgets what it would have done later. */
  stop(): void
}

export interface JournalOptions {
  readonly chat: CapturableChat
  readonly home: ChatHome
  readonly channel: TabChannel | undefined
  readonly term: number
  /** What the disk has already. */
  readonly saved: ChatState | undefined
  /** Gives a state the number by which it is newer than any before. */
  revise(state: ChatState): number
}

export function createJournal({ chat, home, channel, term, saved: onDisk, revise }: JournalOptions): Journal {
  const { clock } = home.ports
  let saved = onDisk
  let told: readonly Message[] = []
  let count = 0
  let isWatched = false
  let isDue = false
  let isOver = false
  let cancelSave: (() => void) | undefined
  let cancelBeat: (() => void) | undefined
  let cancelTell: (() => void) | undefined

  async function save(): Promise<void> {
    cancelSave?.()
    cancelBeat?.()
    cancelSave = undefined
    const state = chat.capture()
    const revision = revise(state)
    const before = saved
    const isLive = state.run?.ended === false
    if (isLive && !isOver) cancelBeat = clock.after(BEAT_MS, () => void save())
    if (before === undefined ? state.messages.length === 0 : !isLive && before.run === undefined && isSameState(before, state)) return
    saved = state
    const messages = changesBetween(before?.messages ?? [], state.messages)
    await home.keep(chat.conversationId, state, chat.getSnapshot().status, { state: packState(state, revision), messages })
  }

  function tell(whole: boolean): void {
    isWatched ||= whole
    cancelTell?.()
    cancelTell = undefined
    if (!isWatched) return
    const state = chat.capture()
    const { status, connection } = chat.getSnapshot()
    const messages = changesBetween(whole ? [] : told, state.messages)
    told = state.messages
    count += 1
    channel?.post({ type: 'state', term, count, whole, state: packState(state, revise(state)), messages, status, connection: packConnection(connection, clock) } satisfies TabMessage)
  }

  /** Later in this turn: in the midst of a batch the cursors are ahead of the text. */
  async function writeSoon(): Promise<void> {
    if (isDue) return
    isDue = true
    await Promise.resolve()
    isDue = false
    if (isOver) return
    tell(false)
    await save()
  }

  return {
    note(before, after) {
      const isNews = before.status !== after.status || before.messages.length !== after.messages.length || before.queued !== after.queued || before.error !== after.error
      if (isNews) return void writeSoon()
      if (before.messages !== after.messages) cancelSave ??= clock.after(SAVE_MS, () => void save())
      if (isWatched) cancelTell ??= clock.after(TELL_MS, () => tell(false))
    },
    save,
    tell,
    stop() {
      isOver = true
      cancelSave?.()
      cancelBeat?.()
      cancelTell?.()
    },
  }
}

function isSameState(before: ChatState, after: ChatState): boolean {
  return before.messages === after.messages && before.queued === after.queued && before.error === after.error
}
