import type { ChatSnapshot, ChatState } from '../../state/chat-snapshot.ts'
import type { CapturableChat } from '../../state/chat-options.ts'
import type { ChatMessage } from '../../state/turn.ts'
import type { ChatStorage } from './chat-storage.ts'
import type { MessageChanges } from '../records/stored-state.ts'
import { changesBetween, createOrderReader, packState } from '../records/stored-state.ts'
import { type TabChannel, type TabMessage, packConnection } from './tab-message.ts'
import type { VersionedState } from '../records/versioned-state.ts'

/** Between two writes, and two messages to other tabs, while an answer streams or the user changes the shared state. */
const SAVE_MS = 1000
const TELL_MS = 100
/** Interval of writes while a run is silent, so that it does not count as left. */
const BEAT_MS = 60_000

/** Write-behind and broadcast of what a chat says: the work of the tab that leads. */
export interface Replicator {
  /** The chat published something. */
  note(before: ChatSnapshot, after: ChatSnapshot): void
  /** Writes what is not written yet. Resolves when that, and every write before it, was tried. */
  save(): Promise<void>
  /** Sends the followers what changed; with `whole`, the full state, because a tab joined. */
  tell(whole: boolean): void
  /** What was written was refused: the next write has everything. */
  refused(): void
  /** Whether the disk has, or had, a message, or one that is queued. */
  isStored(id: string): boolean
  /** Cancels what it would have done later. */
  stop(): void
}

export interface ReplicatorOptions {
  readonly chat: CapturableChat
  readonly storage: ChatStorage
  readonly channel: TabChannel | undefined
  /** What the disk has already. */
  readonly saved: ChatState | undefined
  /** Ids of messages that are on the disk, queued ones too. */
  readonly stored: Iterable<string>
  /** The chat at this moment, under a number by which it is newer than any before. */
  capture(): VersionedState
  /** Of this leader, among the tabs. */
  term(): number
  /** Fencing token of its writes; 0 while it may only write where no state exists. */
  fence(): number
}

export function createReplicator({
  chat,
  storage,
  channel,
  saved: onDisk,
  stored: storedBefore,
  capture,
  term,
  fence,
}: ReplicatorOptions): Replicator {
  const { clock } = storage.ports
  const orderOf = createOrderReader()
  const stored = new Set(storedBefore)
  let saved = onDisk
  let writing: Promise<void> = Promise.resolve()
  let told: readonly ChatMessage[] = []
  let count = 0
  let isWatched = false
  let isDue = false
  let isOver = false
  let cancelSave: (() => void) | undefined
  let cancelBeat: (() => void) | undefined
  let cancelTell: (() => void) | undefined

  function save(): Promise<void> {
    if (isOver) return writing
    cancelSave?.()
    cancelBeat?.()
    cancelSave = undefined
    const captured = capture()
    const { state } = captured
    const before = saved
    const isLive = state.run?.ended === false
    if (isLive) cancelBeat = clock.after(BEAT_MS, () => void save())
    if (before === undefined ? isEmpty(state) : !isLive && before.run === undefined && isSameState(before, state))
      return writing
    saved = state
    const messages = changesBetween(before?.messages ?? [], state.messages)
    writing = both(writing, keep(captured, messages))
    return writing
  }

  async function keep(captured: VersionedState, messages: MessageChanges): Promise<void> {
    const { state } = captured
    const fencedBy = fence()
    const order = orderOf(state.messages)
    const isStored = await storage.keep(chat.conversationId, state, chat.getSnapshot().status, {
      term: fencedBy,
      state: packState({ ...captured, term: fencedBy }, order),
      messages,
    })
    if (isStored) for (const id of [...order, ...state.queued.map((waiting) => waiting.id)]) stored.add(id)
  }

  function tell(whole: boolean): void {
    isWatched ||= whole
    cancelTell?.()
    cancelTell = undefined
    if (!isWatched) return
    const captured = capture()
    const { state } = captured
    const { status, connection } = chat.getSnapshot()
    const messages = changesBetween(whole ? [] : told, state.messages)
    const order = orderOf(state.messages)
    const unsaved = [...order, ...state.queued.map(({ id }) => id)].filter((id) => !stored.has(id))
    told = state.messages
    count += 1
    channel?.post({
      type: 'state',
      term: term(),
      count,
      whole,
      state: packState(captured, order),
      messages,
      unsaved,
      status,
      connection: packConnection(connection, clock),
    } satisfies TabMessage)
  }

  /** Later in this turn: in the middle of a batch the cursors are ahead of the text. */
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
      const isNews =
        before.status !== after.status ||
        before.messages.length !== after.messages.length ||
        before.queued !== after.queued ||
        before.error !== after.error ||
        before.connection.nextRetryAt !== after.connection.nextRetryAt
      if (isNews) return void writeSoon()
      if (before.messages !== after.messages || before.stateEdit !== after.stateEdit)
        cancelSave ??= clock.after(SAVE_MS, () => void save())
      if (isWatched) cancelTell ??= clock.after(TELL_MS, () => tell(false))
    },
    save,
    tell,
    isStored: (id) => stored.has(id),
    refused() {
      saved = undefined
    },
    stop() {
      isOver = true
      cancelSave?.()
      cancelBeat?.()
      cancelTell?.()
    },
  }
}

async function both(first: Promise<void>, second: Promise<void>): Promise<void> {
  await Promise.all([first, second])
}

function isEmpty({ messages, queued }: ChatState): boolean {
  return messages.length === 0 && queued.length === 0
}

function isSameState(before: ChatState, after: ChatState): boolean {
  return (
    before.messages === after.messages &&
    before.queued === after.queued &&
    before.error === after.error &&
    before.stateEdit === after.stateEdit
  )
}
