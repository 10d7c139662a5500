import { onTestFinished } from 'vitest'
import type { AgentClient } from '../../src/session/agent-client.ts'
import { backoff } from '../../src/session/retry-policy.ts'
import type { ChatCallbacks } from '../../src/state/chat-options.ts'
import type { Chat } from '../../src/state/chat-snapshot.ts'
import { textOf } from '../../src/state/message.ts'
import type { TabLocks } from '../../src/storage/tabs.ts'
import type { ThreadChange, ThreadDisk, ThreadRecord } from '../../src/storage/thread-disk.ts'
import { NO_RECORD, withChange } from '../../src/storage/thread-disk.ts'
import type { ThreadStore, ThreadStoreOptions } from '../../src/storage/thread-store.ts'
import { createThreadStore } from '../../src/storage/thread-store.ts'
import { settle } from '../support/manual-clock.ts'
import type { ManualEnvironment } from '../support/manual-environment.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'
import type { ScriptedPeer } from '../support/scripted-peer.ts'
import { createScriptedPeer } from '../support/scripted-peer.ts'

/** A disk in memory that several tabs share, with a record of what was written to it. */
export interface FakeDisk extends ThreadDisk {
  readonly records: Map<string, ThreadRecord>
  readonly writes: ReadonlyMap<string, ThreadChange>[]
  /** What the next writes reject with. */
  refusal: Error | undefined
}

export function createFakeDisk(): FakeDisk {
  const records = new Map<string, ThreadRecord>()
  const writes: ReadonlyMap<string, ThreadChange>[] = []
  const disk: FakeDisk = {
    records,
    writes,
    refusal: undefined,
    threads: async () => structuredClone([...records.values()].flatMap(({ thread }) => thread ?? [])),
    read: async (id) => structuredClone(records.get(id) ?? NO_RECORD),
    async write(changes) {
      // As a disk does it: what cannot be cloned is refused.
      const cloned = structuredClone(changes)
      if (disk.refusal !== undefined) throw disk.refusal
      writes.push(cloned)
      for (const [id, change] of cloned) records.set(id, withChange(records.get(id) ?? NO_RECORD, change))
      for (const [id, { thread, draft }] of [...records]) if (thread === undefined && draft === '') records.delete(id)
    },
    async wipe() {
      records.clear()
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
}

export interface FakeTab {
  readonly store: ThreadStore
  /** The conversation of the test. */
  readonly chat: Chat
  /** Each message in a line: who, how it stands, what it says. */
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

export function createFakeBrowser({ peer = createScriptedPeer({ canAct: true }), client, hasLocks = true }: FakeBrowserOptions = {}): FakeBrowser {
  const environment = createManualEnvironment()
  const disk = createFakeDisk()
  const said: string[] = []
  const ears = new Map<string, Set<{ readonly tab: number; readonly owner: object; hear(message: unknown): void }>>()
  const holders = new Map<string, Holder>()
  const lines = new Map<string, { readonly tab: number; grant(): Promise<void> }[]>()
  let tabs = 0

  function pass(name: string): void {
    holders.delete(name)
    void lines.get(name)?.shift()?.grant()
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
            const line = lines.get(name) ?? []
            const place = { tab, grant }
            lines.set(name, line)
            line.push(place)
            signal?.addEventListener('abort', () => {
              if (line.includes(place)) line.splice(line.indexOf(place), 1)
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
    openTab(options, callbacks = {}) {
      const tab = (tabs += 1)
      const leaving = new Set<() => void>()
      let isAwake = true
      let isGone = false
      const missed: (() => void)[] = []
      const when = (action: () => void): void => {
        if (isGone) return
        if (isAwake) action()
        else missed.push(action)
      }
      const locks = locksOf(tab)
      const store = createThreadStore({
        name: 'test',
        ...options,
        ports: {
          clock: { ...environment.clock, now: environment.clock.now, after: (ms, callback) => environment.clock.after(ms, () => when(callback)) },
          visibility: environment.visibility,
          openDisk: async () => disk,
          locks: hasLocks ? { request: (name, asked, held) => locks.request(name, asked, () => (isGone ? undefined : held())) } : undefined,
          openChannel: (name) => {
            const own = { tab, owner: {}, hear: (_message: unknown): void => {} }
            ears.set(name, (ears.get(name) ?? new Set()).add(own))
            return {
              post(message) {
                if (!isAwake || isGone) return
                const copy = structuredClone(message)
                said.push(JSON.stringify(copy, (_key, value: unknown) => (value instanceof Map ? [...(value as Map<unknown, unknown>)] : value)))
                for (const other of ears.get(name) ?? []) if (other !== own) queueMicrotask(() => other.hear(structuredClone(copy)))
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
      const agent: AgentClient<string> = { protocol: peer.protocol, retry: backoff({ maxAttempts: 1 }), timeoutMs: 3_600_000, environment, createRequest: ({ text }) => text, ...client }
      const chat = store.open({ conversationId: CONVERSATION, client: () => agent, callbacks: () => callbacks })
      const gone = (): void => {
        isGone = true
        for (const channel of ears.values()) for (const ear of [...channel]) if (ear.tab === tab) channel.delete(ear)
        for (const line of lines.values()) line.splice(0, line.length, ...line.filter((place) => place.tab !== tab))
        for (const [name, holder] of [...holders]) {
          if (holder.tab !== tab) continue
          holder.lose(false)
          pass(name)
        }
      }
      onTestFinished(async () => {
        await chat.dispose()
        store.close()
      })
      return {
        store,
        chat,
        shown: () => chat.getSnapshot().messages.map((message) => `${message.role} ${message.status}: ${textOf(message)}`),
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
