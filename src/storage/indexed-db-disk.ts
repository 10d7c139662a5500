import type { DBSchema, IDBPDatabase, IDBPTransaction } from 'idb'
import { deleteDB, openDB } from 'idb'
import type { StoredMessage } from './stored-message.ts'
import type { StoredState } from './stored-state.ts'
import type { DiskEvents, StoredThread, ThreadChange, ThreadDisk } from './thread-disk.ts'

interface Schema extends DBSchema {
  threads: { key: string; value: StoredThread }
  states: { key: string; value: StoredState }
  /** By thread and message. */
  messages: { key: [thread: string, message: string]; value: StoredMessage }
  drafts: { key: string; value: string }
}

type Stores = ('threads' | 'states' | 'messages' | 'drafts')[]
type Upgrade = (database: IDBPDatabase<Schema>) => void
type Write = IDBPTransaction<Schema, Stores, 'readwrite'>

/** One step for each version there has been, oldest first. A step that was published is never changed: another follows. */
const STEPS: readonly Upgrade[] = [
  (database) => {
    for (const name of ['threads', 'states', 'messages', 'drafts'] as const) database.createObjectStore(name)
  },
]

const STORES: Stores = ['threads', 'states', 'messages', 'drafts']


/**
 * Threads in IndexedDB, in a database of their own. Rejects with a `VersionError` where a newer version has been.
 * @param steps other than the published ones only in tests
 */
export async function openIndexedDbDisk(name: string, { onDeleted }: DiskEvents, steps: readonly Upgrade[] = STEPS): Promise<ThreadDisk> {
  const database = await openDB<Schema>(name, steps.length, {
    upgrade(upgraded, from) {
      for (const step of steps.slice(from)) step(upgraded)
    },
    blocking(_current, wanted) {
      // Another tab waits until we let go: to bring the data to its own version, or to delete it.
      database.close()
      if (wanted === null) onDeleted()
    },
  })

  return {
    threads: () => database.getAll('threads'),
    async read(id) {
      const reading = database.transaction(STORES)
      const range = messagesOf(id)
      const [thread, state, keys, messages, draft = ''] = await Promise.all([
        reading.objectStore('threads').get(id),
        reading.objectStore('states').get(id),
        reading.objectStore('messages').getAllKeys(range),
        reading.objectStore('messages').getAll(range),
        reading.objectStore('drafts').get(id),
      ])
      return { thread, state, draft, messages: new Map(messages.flatMap((message, index): [string, StoredMessage][] => (keys[index] === undefined ? [] : [[keys[index][1], message]]))) }
    },
    async write(changes) {
      const writing = database.transaction(STORES, 'readwrite')
      const done = heard(writing.done)
      try {
        await Promise.all([...changes].map(([id, change]) => put(writing, id, change)))
        // Without waiting for another turn of this page, which may be its last.
        writing.commit()
      } catch (error) {
        abort(writing)
        await done.catch(() => {})
        // Its own error says why, such as that there is no room; that of a request may only say that it was aborted.
        throw writing.error ?? error
      }
      await done
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

/** Of several promises that fail together one is waited for: the others must not count as unheard. */
function heard<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {})
  return promise
}

function abort(writing: Write): void {
  try {
    writing.abort()
  } catch {
    // It was over already.
  }
}

/** A key range as the arrays it lies between: an array sorts behind every string. */
function messagesOf(id: string): IDBKeyRange {
  return IDBKeyRange.bound([id], [id, []])
}

async function put(writing: Write, id: string, change: ThreadChange): Promise<void> {
  const threads = writing.objectStore('threads')
  const states = writing.objectStore('states')
  const messages = writing.objectStore('messages')
  const drafts = writing.objectStore('drafts')
  const asked: Promise<unknown>[] = []
  const ask = (...requests: Promise<unknown>[]): void => void asked.push(...requests.map(heard))
  if (change.removed) ask(threads.delete(id), states.delete(id), messages.delete(messagesOf(id)), drafts.delete(id))
  if (change.draft !== undefined) ask(change.draft === '' ? drafts.delete(id) : drafts.put(change.draft, id))
  const { state } = change
  const known = state && !change.removed ? await states.get(id) : undefined
  if (state !== undefined && (known === undefined || known.revision <= state.revision)) {
    ask(states.put(state, id))
    for (const [messageId, message] of change.messages ?? []) {
      ask(message === undefined ? messages.delete([id, messageId]) : messages.put(message, [id, messageId]))
    }
  }
  if (change.thread !== undefined) ask(threads.put(change.thread, id))
  await Promise.all(asked)
}
