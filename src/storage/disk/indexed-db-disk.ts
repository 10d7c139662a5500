import type { DBSchema, IDBPDatabase, IDBPTransaction } from 'idb'
import { deleteDB, openDB } from 'idb'
import { isRecord, isString, isTime } from '../../base/guards.ts'
import type { StoredMessage } from '../records/stored-message.ts'
import type { StoredState } from '../records/stored-state.ts'
import { isNewer } from '../records/stored-state.ts'
import { versionOf } from '../records/read-record.ts'
import { isTerm } from '../records/stored-fields.ts'
import type {
  DamagedRecord,
  DiskEvents,
  StoredThread,
  ThreadChange,
  ThreadDisk,
  ThreadRecord,
} from '../records/thread-disk.ts'

interface Schema extends DBSchema {
  threads: { key: string; value: StoredThread }
  /** Beside the states, copies of damaged records under keys that are no thread's. */
  states: {
    key: string | [aside: 'damaged', thread: string, kind: string, message: string]
    value: StoredState | DamagedRecord
  }
  /** By thread and message. */
  messages: { key: [thread: string, message: string]; value: StoredMessage }
  drafts: { key: string; value: string }
  fences: { key: string; value: Fence }
  /** Under the key `generation`: which data this is, between two sign-outs. */
  meta: { key: string; value: string }
}

/** Who may write a conversation. It stays when the conversation is removed. */
interface Fence {
  /** Of the last leader. */
  readonly term: number
  /** Of the last removal. */
  readonly removed: number
  /** Epoch milliseconds of it. */
  readonly removedAt: number
}

type Stores = ('threads' | 'states' | 'messages' | 'drafts' | 'fences' | 'meta')[]
type Upgrade = (database: IDBPDatabase<Schema>) => void
type Write = IDBPTransaction<Schema, Stores, 'readwrite'>

/** One step for each version there has been, oldest first. A step that was published is never changed: another follows. */
const STEPS: readonly Upgrade[] = [
  (database) => {
    for (const name of ['threads', 'states', 'messages', 'drafts'] as const) database.createObjectStore(name)
  },
  (database) => {
    for (const name of ['fences', 'meta'] as const) database.createObjectStore(name)
  },
]

const STORES: Stores = ['threads', 'states', 'messages', 'drafts', 'fences', 'meta']

/**
 * Threads in IndexedDB, in their own database. Rejects with a `VersionError` where a newer version has been.
 * @param newGeneration makes a unique name for data that begins now
 * @param steps other than the published ones only in tests
 */
export async function openIndexedDbDisk(
  name: string,
  { onDeleted }: DiskEvents,
  newGeneration: () => string,
  steps: readonly Upgrade[] = STEPS,
): Promise<ThreadDisk> {
  const database = await openDB<Schema>(name, steps.length, {
    upgrade(upgraded, from) {
      for (const step of steps.slice(from)) step(upgraded)
    },
    blocking(_current, wanted) {
      // Another tab waits for this connection to close, in order to upgrade or delete the database.
      database.close()
      if (wanted === null) onDeleted()
    },
  })

  const generation = await generationOf(database, newGeneration)

  /**
   * Aborts a write of a tab that did not receive a sign-out: it must not restore deleted data or mix it with new data.
   */
  async function assertGeneration(writing: Write): Promise<void> {
    if ((await writing.objectStore('meta').get('generation')) === generation) return
    onDeleted()
    throw new DOMException('The user has signed out, so this data was deleted.', 'AbortError')
  }

  return {
    generation,
    async threads() {
      const reading = database.transaction('threads')
      const [keys, rows] = await Promise.all([reading.store.getAllKeys(), reading.store.getAll()])
      // What the row itself says its id is may be damaged, or missing.
      return rows.map(
        (row: unknown, index): StoredThread =>
          ({ ...(isRecord(row) ? row : { row }), id: keys[index] }) as StoredThread,
      )
    },
    async acquireTerm(id, atLeast) {
      const acquiring = database.transaction(STORES, 'readwrite')
      const done = heard(acquiring.done)
      await assertGeneration(acquiring)
      const [fence, state] = await Promise.all([
        acquiring.objectStore('fences').get(id),
        acquiring.objectStore('states').get(id),
      ])
      const { term, removed, removedAt } = readFence(fence, state)
      const acquired = Math.max(term, atLeast) + 1
      const [record] = await Promise.all([
        readRecord(acquiring, id),
        acquiring.objectStore('fences').put({ term: acquired, removed, removedAt }, id),
      ])
      await done
      return { term: acquired, removed, removedAt, record }
    },
    read: (id) => readRecord(database.transaction(STORES), id),
    async setAside(damaged) {
      const writing = database.transaction('states', 'readwrite')
      await Promise.all([
        ...damaged.map((copy) => writing.store.put(copy, ['damaged', copy.threadId, copy.kind, copy.messageId ?? ''])),
        writing.done,
      ])
    },
    async write(changes) {
      const writing = database.transaction(STORES, 'readwrite')
      const done = heard(writing.done)
      try {
        // Starts all reads in the same turn, because the page may be about to close.
        const checked = heard(assertGeneration(writing))
        const refused = await Promise.all(
          [...changes].map(async ([id, change]) => ((await put(writing, id, change)) ? [] : [id])),
        )
        await checked
        commitNow(writing)
        await done
        return refused.flat()
      } catch (error) {
        abort(writing)
        await done.catch(() => {})
        // Its own error says why, such as that there is no space; that of a request may only say that it was aborted.
        throw writing.error ?? error
      }
    },
    async wipe() {
      const wiping = database.transaction(STORES, 'readwrite')
      await Promise.all([...STORES.map((store) => wiping.objectStore(store).clear()), wiping.done])
      database.close()
      // Waits for tabs that still have it open; what was in it is gone already.
      void deleteDB(name).catch(() => {})
    },
    close: () => database.close(),
  }
}

/**
 * Marks a promise as handled. When several promises reject together, only one is awaited, and the others must not cause
 * `unhandledrejection`.
 */
function heard<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {})
  return promise
}

/** Commits immediately, because the page may close before the next turn of the event loop. */
function commitNow(writing: Write): void {
  try {
    writing.commit()
  } catch {
    // Browsers from before 2021 cannot, and commit automatically; other failures are reported on completion.
  }
}

function abort(writing: Write): void {
  try {
    writing.abort()
  } catch {
    // It had ended already.
  }
}

/** A key range as the arrays that bound it: an array sorts behind every string. */
function messagesOf(id: string): IDBKeyRange {
  return IDBKeyRange.bound([id], [id, []])
}

async function readRecord(
  reading: IDBPTransaction<Schema, Stores, 'readonly' | 'readwrite'>,
  id: string,
): Promise<ThreadRecord> {
  const range = messagesOf(id)
  const [thread, state, keys, messages, draft = ''] = await Promise.all([
    reading.objectStore('threads').get(id),
    reading.objectStore('states').get(id),
    reading.objectStore('messages').getAllKeys(range),
    reading.objectStore('messages').getAll(range),
    reading.objectStore('drafts').get(id),
  ])
  // The key of a thread holds its state; the copies of damaged records have their own keys.
  return {
    thread,
    state: state as StoredState | undefined,
    draft,
    messages: new Map(
      messages.flatMap((message, index): [string, StoredMessage][] =>
        keys[index] === undefined ? [] : [[keys[index][1], message]],
      ),
    ),
  }
}

/** The generation of the data, which the first tab after a sign-out begins. */
async function generationOf(database: IDBPDatabase<Schema>, newGeneration: () => string): Promise<string> {
  const beginning = database.transaction('meta', 'readwrite')
  const known = await beginning.store.get('generation')
  const generation = isString(known) ? known : newGeneration()
  if (generation !== known) await beginning.store.put(generation, 'generation')
  await beginning.done
  return generation
}

/** A damaged fence gets the term of the state that it protected. */
function readFence(fence: unknown, state: unknown): Fence {
  const { term, removed, removedAt } = isRecord(fence) ? fence : {}
  return {
    term: isTerm(term) ? term : versionOf(state).term,
    removed: isTerm(removed) ? removed : 0,
    removedAt: isTime(removedAt) ? removedAt : 0,
  }
}

function damagedOf(id: string): IDBKeyRange {
  return IDBKeyRange.bound(['damaged', id], ['damaged', id, []])
}

/** Writes one change. False when a later leader has acquired the conversation: then only the draft is written. */
async function put(writing: Write, id: string, change: ThreadChange): Promise<boolean> {
  const threads = writing.objectStore('threads')
  const states = writing.objectStore('states')
  const messages = writing.objectStore('messages')
  const drafts = writing.objectStore('drafts')
  const fences = writing.objectStore('fences')
  const asked: Promise<unknown>[] = []
  const ask = (...requests: Promise<unknown>[]): void => void asked.push(...requests.map(heard))
  const [stored, before] = await Promise.all([fences.get(id), states.get(id)])
  const fence = readFence(stored, before)
  const isAllowed =
    change.term === undefined ||
    (change.term === 0 ? before === undefined && fence.term === 0 : change.term >= fence.term)
  if (isAllowed && change.removed) {
    const term = change.term ?? fence.term + 1
    ask(
      threads.delete(id),
      states.delete(id),
      states.delete(damagedOf(id)),
      messages.delete(messagesOf(id)),
      drafts.delete(id),
      fences.put({ term, removed: term, removedAt: change.removed }, id),
    )
  }
  if (change.draft !== undefined) ask(change.draft === '' ? drafts.delete(id) : drafts.put(change.draft, id))
  if (isAllowed) {
    const { state } = change
    if (state !== undefined && (change.removed || !isNewer(versionOf(before), state))) {
      ask(states.put(state, id))
      for (const [messageId, message] of change.messages ?? []) {
        ask(message === undefined ? messages.delete([id, messageId]) : messages.put(message, [id, messageId]))
      }
    }
    if (change.thread !== undefined) ask(threads.put(change.thread, id))
    if (!change.removed && change.term !== undefined && change.term > fence.term)
      ask(fences.put({ ...fence, term: change.term }, id))
  }
  await Promise.all(asked)
  return isAllowed
}
