import type { ChatMaker } from '../state/chat-options.ts'
import type { Keeping, Threads, ThreadsSnapshot } from '../state/thread.ts'
import type { ChatHome, StoragePorts } from './chat-home.ts'
import type { StoredChat } from './stored-chat.ts'
import { createStoredChat } from './stored-chat.ts'
import { systemPorts } from './system-ports.ts'
import type { TabChannel } from './tabs.ts'
import type { StoredThread, ThreadRecord } from './thread-disk.ts'
import { threadOf, titleOf } from './thread-of.ts'
import { createWriteBehind } from './write-behind.ts'

export interface ThreadStoreOptions {
  /** The app's name: stores of other names, on the same origin, are left alone. */
  readonly name: string
  /** Whose threads they are, by an id that is no secret: it becomes part of the database's name. Each user has a database of their own. */
  readonly user?: string | undefined
  /** How long after a page was left its run is taken up without being asked to, in milliseconds (default ten minutes, as long as CAP servers keep an answer). */
  readonly resumeWithinMs?: number | undefined
  /** Other ways to keep things and to talk to other tabs: replaced in tests. */
  readonly ports?: Partial<StoragePorts> | undefined
}

/** Conversations that outlive the page, the same in all tabs. Give it to `AgentProvider` or `useCapChat` as `store`. */
export interface ThreadStore extends Threads, ChatMaker {
  /**
   * The person signs out: ends every run, deletes everything this store kept and tells the other tabs, where the same
   * happens. Resolves when it is gone. From then on it keeps nothing; another sign-in makes another store.
   */
  wipe(): Promise<void>
  /** Writes what is not written yet and lets go of the database. */
  close(): void
}

/** What stores in other tabs are told. */
type StoreMessage =
  | { readonly type: 'threads'; readonly threads: readonly StoredThread[] }
  /** Its chat begins anew, with nothing or with what was put back. */
  | { readonly type: 'removed' | 'restored'; readonly id: string }
  | { readonly type: 'wiped' }

/** Of what is written and said. Other versions of it are other worlds. */
const VERSION = 1
const TEN_MINUTES_MS = 600_000
const DRAFT_MS = 400

/** Makes a store. Nothing is opened before it is used, so that a server can make one too. */
export function createThreadStore({ name, user = '', resumeWithinMs = TEN_MINUTES_MS, ports: replaced }: ThreadStoreOptions): ThreadStore {
  const ports: StoragePorts = { ...systemPorts(), ...replaced }
  const { clock, visibility } = ports
  const fullName = `capstan ${name} ${user}`
  const listeners = new Set<() => void>()
  const threads = new Map<string, StoredThread>()
  const chats = new Map<string, Set<StoredChat>>()
  const drafts = new Map<string, string>()
  let cancelDrafts: (() => void) | undefined
  let channel: TabChannel | undefined
  let opening: Promise<void> | undefined
  let isLoaded = false
  let isOver = false
  let snapshot: ThreadsSnapshot = { status: 'loading', threads: [], keeping: { where: 'opening' } }
  const stops: (() => void)[] = []

  const disk = createWriteBehind({ open: () => ports.openDisk(fullName, { onDeleted: signedOut }), onKeeping: publish })
  const home: ChatHome = { name: `${fullName} ${VERSION}`, ports, disk, resumeWithinMs, keep, onShown }

  function publish(): void {
    const sorted = [...threads.values()].toSorted((left, right) => right.updatedAt - left.updatedAt)
    const isSame = sorted.length === snapshot.threads.length && sorted.every((thread, index) => thread === snapshot.threads[index])
    const keeping: Keeping = disk.keeping
    const status = isLoaded ? 'ready' : 'loading'
    if (isSame && keeping === snapshot.keeping && status === snapshot.status) return
    snapshot = { status, keeping, threads: isSame ? snapshot.threads : sorted }
    for (const listener of [...listeners]) listener()
  }

  /** Opens the disk and the line to other tabs, once. */
  function open(): Promise<void> {
    opening ??= (async () => {
      channel = ports.openChannel?.(home.name)
      channel?.onMessage((message) => (isOver ? undefined : hear(message)))
      stops.push(ports.onLeave(saveAll), visibility.subscribe(lookAround))
      const kept = await Promise.all((await disk.threads()).map(settled))
      for (const thread of kept) if (!threads.has(thread.id) && !isOver) threads.set(thread.id, thread)
      isLoaded = true
      publish()
    })()
    return opening
  }

  /** A run that was left long ago does not go on by itself, so its thread is not running. */
  async function settled(thread: StoredThread): Promise<StoredThread> {
    if (thread.status !== 'running') return thread
    const { state } = await disk.read(thread.id)
    return clock.date() - (state?.revision ?? 0) > resumeWithinMs ? { ...thread, status: 'failed' } : thread
  }

  function lookAround(): void {
    if (visibility.isVisible()) for (const id of chats.keys()) onShown(id)
    else saveAll()
  }

  function saveAll(): void {
    for (const chat of each()) void chat.save()
    writeDrafts()
  }

  function each(id?: string): readonly StoredChat[] {
    return [...chats].flatMap(([known, open]) => (id === undefined || known === id ? [...open] : []))
  }

  /** Puts threads on the list, here and in other tabs. */
  function list(changed: readonly StoredThread[], isOurs: boolean): void {
    for (const thread of changed) threads.set(thread.id, thread)
    if (isOurs) say({ type: 'threads', threads: changed })
    publish()
  }

  function say(message: StoreMessage): void {
    channel?.post(message)
  }

  function hear(value: unknown): void {
    // Only stores of this version, on our own origin, speak here.
    const message = value as StoreMessage
    if (message.type === 'threads') list(message.threads, false)
    if (message.type === 'removed') void drop(message.id, false)
    if (message.type === 'restored') void bringBack(message.id)
    if (message.type === 'wiped') signedOut()
  }

  async function keep(...[id, state, status, change]: Parameters<ChatHome['keep']>): Promise<void> {
    await open()
    const before = threads.get(id)
    if (state.messages.length === 0 && state.queued.length === 0) {
      if (before !== undefined) await takeOff(id)
      return
    }
    const thread = threadOf({ id, before, state, status, isVisible: visibility.isVisible(), now: clock.date() })
    const isSame = JSON.stringify(thread) === JSON.stringify(before)
    if (!isSame && !isOver) list([thread], true)
    await disk.write(id, isSame ? change : { ...change, thread })
  }

  function change(id: string, fields: Partial<StoredThread>): void {
    const before = threads.get(id)
    if (before === undefined || isOver) return
    const thread = { ...before, ...fields }
    list([thread], true)
    void disk.write(id, { thread })
  }

  function onShown(id: string): void {
    const known = threads.get(id)
    if (known?.unread && known.status !== 'running' && visibility.isVisible()) markRead(id)
  }

  function markRead(id: string): void {
    if (threads.get(id)?.unread) change(id, { unread: false })
  }

  /** Off the list and the disk; also where another tab said so, as what this one wrote meanwhile must not stay. */
  async function takeOff(id: string, isOurs = true): Promise<void> {
    threads.delete(id)
    drafts.delete(id)
    if (isOurs) say({ type: 'removed', id })
    publish()
    await disk.write(id, { removed: true })
  }

  async function drop(id: string, isOurs: boolean): Promise<void> {
    await Promise.all([takeOff(id, isOurs), ...each(id).map((chat) => chat.reload())])
  }

  async function bringBack(id: string): Promise<void> {
    const { thread } = await disk.read(id)
    if (thread !== undefined) list([thread], false)
    await Promise.all(each(id).map((chat) => chat.reload()))
  }

  function writeDrafts(): void {
    cancelDrafts?.()
    cancelDrafts = undefined
    for (const [id, draft] of drafts) void disk.write(id, { draft })
    drafts.clear()
  }

  /** Everything is gone, and so is whoever it belonged to. */
  function signedOut(): void {
    if (isOver) return
    isOver = true
    cancelDrafts?.()
    drafts.clear()
    threads.clear()
    disk.forget()
    for (const chat of each()) void chat.reload()
    publish()
  }

  return {
    getSnapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener)
      void open()
      return () => listeners.delete(listener)
    },
    open(options) {
      const chat = createStoredChat(options, home)
      const { conversationId } = options
      // What is open here is told of deletions, and written when the page goes.
      const known = chats.get(conversationId) ?? new Set()
      chats.set(conversationId, known.add(chat))
      return {
        ...chat,
        async resume() {
          void open().then(() => onShown(conversationId))
          return chat.resume()
        },
        async dispose() {
          known.delete(chat)
          return chat.dispose()
        },
      }
    },
    rename(id, title) {
      const own = title.trim()
      if (own !== '') return change(id, { title: own, named: true })
      void disk.read(id).then((record) => change(id, { title: firstWords(record), named: false }))
    },
    async remove(id) {
      await open()
      await Promise.all(each(id).map((chat) => chat.save()))
      const { thread, state, messages, draft } = await disk.read(id)
      await drop(id, true)
      return async () => {
        if (thread === undefined || isOver) return
        list([thread], true)
        await disk.write(id, { thread, state, messages, draft })
        say({ type: 'restored', id })
        await Promise.all(each(id).map((chat) => chat.reload()))
      }
    },
    markRead,
    async readDraft(id) {
      return drafts.get(id) ?? (await disk.read(id)).draft
    },
    writeDraft(id, text) {
      if (isOver) return
      drafts.set(id, text)
      cancelDrafts ??= clock.after(DRAFT_MS, writeDrafts)
      void open()
    },
    async wipe() {
      say({ type: 'wiped' })
      const wiped = disk.wipe()
      signedOut()
      await wiped
    },
    close() {
      saveAll()
      for (const stop of stops.splice(0)) stop()
      channel?.close()
      disk.close()
    },
  }
}

function firstWords({ state, messages }: ThreadRecord): string {
  return titleOf((state?.order ?? []).flatMap((id) => messages.get(id) ?? []))
}
