import { expect, onTestFinished } from 'vitest'
import type { AgentClient } from '../../src/session/agent-client.ts'
import { backoff } from '../../src/base/backoff.ts'
import type { ChatCallbacks } from '../../src/state/chat-options.ts'
import type { ChatInstance } from '../../src/state/chat.ts'
import { textOf } from '../../src/state/turn.ts'
import type { TabLocks } from '../../src/storage/tabs/leader-election.ts'
import { versionOf } from '../../src/storage/records/read-record.ts'
import { isNewer } from '../../src/storage/records/stored-state.ts'
import type {
  AcquiredTerm,
  DamagedRecord,
  DiskEvents,
  ThreadChange,
  ThreadDisk,
  ThreadRecord,
} from '../../src/storage/records/thread-disk.ts'
import { NO_RECORD, withChange, withoutState } from '../../src/storage/records/thread-disk.ts'
import { type ThreadStore, type ThreadStoreOptions, createThreadStore } from '../../src/storage/thread-store.ts'
import { settle } from '../support/manual-clock.ts'
import type { ManualEnvironment } from '../support/manual-environment.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'
import type { ScriptedPeer } from '../support/scripted-peer.ts'
import { createScriptedPeer } from '../support/scripted-peer.ts'

/** A disk in memory that several tabs share, with a record of what was written to it. */
export interface FakeDisk extends ThreadDisk {
  readonly records: Map<string, ThreadRecord>
  readonly writes: ReadonlyMap<string, ThreadChange>[]
  /** How often a write was tried, those that were refused included. */
  readonly attempts: number
  /** What the next writes reject with. */
  refusal: Error | undefined
  /** What the next reads reject with. */
  readRefusal: Error | undefined
  /** Threads that are refused, whatever else is written with them. */
  readonly refusedThreads: Map<string, Error>
  /** The disk as one tab opens it: it belongs to the data there is now, and breaks with it. */
  open(events: DiskEvents): ThreadDisk
}

export function createFakeDisk(): FakeDisk {
  const records = new Map<string, ThreadRecord>()
  const fences = new Map<string, Omit<AcquiredTerm, 'record'>>()
  const writes: ReadonlyMap<string, ThreadChange>[] = []
  const refusedThreads = new Map<string, Error>()
  let attempts = 0
  let wipes = 0

  const fenceOf = (id: string): Omit<AcquiredTerm, 'record'> =>
    fences.get(id) ?? { term: versionOf(records.get(id)?.state).term, removed: 0, removedAt: 0 }

  /** Writes one change; false when it was refused. */
  function put(id: string, change: ThreadChange): boolean {
    const fence = fenceOf(id)
    const isAllowed =
      change.term === undefined ||
      (change.term === 0 ? records.get(id)?.state === undefined && fence.term === 0 : change.term >= fence.term)
    const removed = change.removed ? (change.term ?? fence.term + 1) : fence.removed
    if (isAllowed)
      fences.set(id, {
        term: Math.max(fence.term, change.term ?? 0, removed),
        removed,
        removedAt: change.removed ?? fence.removedAt,
      })
    const { state, ...rest } = records.get(id) ?? NO_RECORD
    // As a database does it, a state that is damaged counts as older than any.
    const isReplaced =
      state === undefined || (isAllowed && change.state !== undefined && !isNewer(versionOf(state), change.state))
    const record = isReplaced ? rest : { ...rest, state }
    records.set(id, withChange(record, isAllowed ? change : withoutState(change)))
    return isAllowed
  }

  const disk: FakeDisk = {
    get generation() {
      return `generation ${wipes}`
    },
    records,
    writes,
    refusedThreads,
    get attempts() {
      return attempts
    },
    refusal: undefined,
    readRefusal: undefined,
    open({ onDeleted }) {
      const { generation } = disk
      const whileItLasts =
        <Arguments extends unknown[], Value>(act: (...given: Arguments) => Promise<Value>) =>
        async (...given: Arguments): Promise<Value> => {
          if (generation === disk.generation) return act(...given)
          onDeleted()
          throw new DOMException('gone', 'AbortError')
        }
      return {
        ...disk,
        generation,
        threads: async () => disk.threads(),
        read: async (id) => disk.read(id),
        acquireTerm: whileItLasts(async (id, atLeast) => disk.acquireTerm(id, atLeast)),
        write: whileItLasts(async (changes) => disk.write(changes)),
      }
    },
    async threads() {
      if (disk.readRefusal !== undefined) throw disk.readRefusal
      // The key says whose row it is, as in a database; the row may be damaged.
      return structuredClone(
        [...records].flatMap(([id, { thread }]) => (thread === undefined ? [] : { ...thread, id })),
      )
    },
    async read(id) {
      if (disk.readRefusal !== undefined) throw disk.readRefusal
      return structuredClone(records.get(id) ?? NO_RECORD)
    },
    async acquireTerm(id, atLeast) {
      const refusal = disk.refusal ?? disk.readRefusal
      if (refusal !== undefined) throw refusal
      const acquired = { ...fenceOf(id), term: Math.max(fenceOf(id).term, atLeast) + 1 }
      fences.set(id, acquired)
      return { ...acquired, record: structuredClone(records.get(id) ?? NO_RECORD) }
    },
    async write(changes) {
      attempts += 1
      // As a disk does it: what cannot be cloned is refused.
      const cloned = structuredClone(changes)
      const refusal =
        disk.refusal ?? [...cloned.keys()].map((id) => refusedThreads.get(id)).find((error) => error !== undefined)
      if (refusal !== undefined) throw refusal
      writes.push(cloned)
      const refused = [...cloned].flatMap(([id, change]) => (put(id, change) ? [] : [id]))
      for (const [id, { thread, state, draft }] of [...records])
        if (thread === undefined && state === undefined && draft === '') records.delete(id)
      return refused
    },
    async wipe() {
      records.clear()
      fences.clear()
      wipes += 1
    },
    close() {},
  }
  return disk
}

interface Holder {
  readonly tab: number
  /** The lock is no longer its own; if stolen, its promise rejects. */
  readonly lose: (isStolen: boolean) => void
}

/** Everything the tabs of one browser share. Time and network too, so that a test moves all of them together. */
export interface FakeBrowser {
  readonly environment: ManualEnvironment
  readonly peer: ScriptedPeer
  readonly disk: FakeDisk
  /** All that was said on any channel, as text. */
  readonly said: string[]
  openTab(options?: Partial<ThreadStoreOptions>, callbacks?: ChatCallbacks): FakeTab
  /** Says something on every channel, as a page that is none of these tabs. */
  say(message: unknown): void
}

export interface FakeTab {
  readonly store: ThreadStore
  /** The conversation of the test. */
  readonly chat: ChatInstance
  /** One line for each message: who, its state, what it says. */
  shown(): string[]
  /** The page is told that it goes, and does. */
  close(): Promise<void>
  /** It goes without a word. */
  crash(): void
  /** Hears and says nothing, though it holds what it holds, until thawed. */
  freeze(): void
  thaw(): void
}

export interface FakeBrowserOptions {
  readonly peer?: ScriptedPeer
  readonly client?: Partial<AgentClient<string>>
  readonly hasLocks?: boolean
}

export const CONVERSATION = 'c1'

export function createFakeBrowser({
  peer = createScriptedPeer({ canAct: true }),
  client,
  hasLocks = true,
}: FakeBrowserOptions = {}): FakeBrowser {
  const environment = createManualEnvironment()
  const disk = createFakeDisk()
  const said: string[] = []
  const ears = new Map<string, Set<{ readonly tab: number; readonly owner: object; hear(message: unknown): void }>>()
  const holders = new Map<string, Holder>()
  const queues = new Map<string, { readonly tab: number; grant(): Promise<void> }[]>()
  let tabs = 0

  function pass(name: string): void {
    holders.delete(name)
    void queues.get(name)?.shift()?.grant()
  }

  function locksOf(tab: number): TabLocks {
    return {
      request: (name, { signal, steal }, held) =>
        new Promise((resolve, reject) => {
          const grant = async (): Promise<void> => {
            let isHeld = true
            holders.set(name, {
              tab,
              lose: (isStolen) => {
                isHeld = false
                if (isStolen) reject(new DOMException('stolen', 'AbortError'))
              },
            })
            await held()
            if (!isHeld) return
            pass(name)
            resolve(undefined)
          }
          if (steal) {
            holders.get(name)?.lose(true)
            holders.delete(name)
            void grant()
          } else if (holders.has(name)) {
            const queue = queues.get(name) ?? []
            const place = { tab, grant }
            queues.set(name, queue)
            queue.push(place)
            signal?.addEventListener('abort', () => {
              if (queue.includes(place)) queue.splice(queue.indexOf(place), 1)
              reject(new DOMException('left', 'AbortError'))
            })
          } else void grant()
        }),
    }
  }

  const browser: FakeBrowser = {
    environment,
    peer,
    disk,
    said,
    say(message) {
      for (const channel of ears.values()) for (const { hear } of [...channel]) hear(structuredClone(message))
    },
    openTab(options, callbacks = {}) {
      const tab = (tabs += 1)
      const leaving = new Set<() => void>()
      let isAwake = true
      let isGone = false
      const missed: (() => void)[] = []
      const damaged: DamagedRecord[] = []
      const when = (action: () => void): void => {
        if (isGone) return
        if (isAwake) action()
        else missed.push(action)
      }
      // One that came due in a frozen page can still be cancelled.
      const after = (ms: number, callback: () => void): (() => void) => {
        let isCancelled = false
        const cancel = environment.clock.after(ms, () => when(() => (isCancelled ? undefined : callback())))
        return () => {
          isCancelled = true
          cancel()
        }
      }
      const locks = locksOf(tab)
      const store = createThreadStore({
        name: 'test',
        onDamaged: (found) => damaged.push(found),
        ...options,
        ports: {
          clock: { ...environment.clock, now: environment.clock.now, after },
          visibility: environment.visibility,
          openDisk: async (_name, events) => disk.open(events),
          locks: hasLocks
            ? { request: (name, asked, held) => locks.request(name, asked, () => (isGone ? undefined : held())) }
            : undefined,
          openChannel: (name) => {
            const own = { tab, owner: {}, hear: (_message: unknown): void => {} }
            ears.set(name, (ears.get(name) ?? new Set()).add(own))
            return {
              post(message) {
                if (!isAwake || isGone) return
                const copy = structuredClone(message)
                said.push(
                  JSON.stringify(copy, (_key, value: unknown) =>
                    value instanceof Map ? [...(value as Map<unknown, unknown>)] : value,
                  ),
                )
                for (const other of ears.get(name) ?? [])
                  if (other !== own) queueMicrotask(() => other.hear(structuredClone(copy)))
              },
              onMessage: (listener) => {
                own.hear = (message) => when(() => listener(message))
              },
              close: () => ears.get(name)?.delete(own),
            }
          },
          onLeave: (listener) => {
            leaving.add(listener)
            return () => leaving.delete(listener)
          },
          ...options?.ports,
        },
      })
      const agent: AgentClient<string> = {
        protocol: peer.protocol,
        retry: backoff({ maxAttempts: 1 }),
        timeoutMs: 3_600_000,
        environment,
        createRequest: ({ text }) => text,
        ...client,
      }
      const chat = store.open({ conversationId: CONVERSATION, client: () => agent, callbacks: () => callbacks })
      const gone = (): void => {
        isGone = true
        for (const channel of ears.values()) for (const ear of [...channel]) if (ear.tab === tab) channel.delete(ear)
        for (const queue of queues.values())
          queue.splice(0, queue.length, ...queue.filter((place) => place.tab !== tab))
        for (const [name, holder] of [...holders]) {
          if (holder.tab !== tab) continue
          holder.lose(false)
          pass(name)
        }
      }
      onTestFinished(async () => {
        await chat.dispose()
        store.close()
        // What the library has written itself is never damaged; a test that damages it listens itself.
        expect(damaged).toEqual([])
      })
      return {
        store,
        chat,
        shown: () =>
          chat.getSnapshot().messages.map((message) => `${message.role} ${message.status}: ${textOf(message)}`),
        async close() {
          for (const listener of leaving) listener()
          await settle()
          gone()
          // A page that goes takes its connections along.
          void chat.disconnect()
          await settle()
        },
        crash() {
          gone()
          void chat.disconnect()
        },
        freeze() {
          isAwake = false
        },
        thaw() {
          isAwake = true
          for (const action of missed.splice(0)) action()
        },
      }
    },
  }
  return browser
}

/** Lets everything that was set in motion in any tab come to rest. */
export async function rest(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await settle()
}
