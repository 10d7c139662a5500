import type { StoragePorts } from '../../../src/storage/tabs/chat-storage.ts'
import type { TabLocks } from '../../../src/storage/tabs/leader-election.ts'
import type { ThreadChange, ThreadDisk } from '../../../src/storage/records/thread-disk.ts'
import { createFakeDisk } from '../fake-tabs.ts'
import type { Source, Thread, VirtualTime } from './virtual-time.ts'

/** What tabs of one browser share: locks, channels and a disk, each with its own latencies. */
export interface VirtualBrowser {
  portsOf(thread: Thread): StoragePorts
  /** The data there is now, and the data a thread has opened: another one after each sign-out. */
  readonly generation: string
  generationOf(thread: Thread): string | undefined
  /** What the disk answers from now on: an error, or as it should. */
  breakDisk(error: Error | undefined): void
  /** The page of a thread goes, told before or not. */
  leave(thread: Thread, isTold: boolean): void
}

interface Request {
  readonly thread: Thread
  grant(): void
  /** Its promise rejects: the lock was stolen. */
  lose(): void
}

interface Endpoint {
  readonly thread: Thread
  listener: (message: unknown) => void
  /** Messages arrive in the order they were sent in. */
  lastAt: number
}

/** @param onStored learns of every change that reached the disk */
export function createVirtualBrowser(
  time: VirtualTime,
  random: () => number,
  onStored: (changes: ReadonlyMap<string, ThreadChange>) => void,
): VirtualBrowser {
  const disk = createFakeDisk()
  const holders = new Map<string, Request>()
  const queues = new Map<string, Request[]>()
  const channels = new Map<string, Set<Endpoint>>()
  const opened = new Map<Thread, { readonly generation: string; tell(): void }>()
  const leaving = new Map<Thread, Set<() => void>>()
  /** Tabs that have a deleted database open: until they have let go of it, none can be opened. */
  const holdingUp = new Set<Thread>()
  const waitingToOpen: (() => void)[] = []
  /** Transactions follow each other. */
  let diskFreeAt = 0

  function passOn(name: string): void {
    holders.delete(name)
    const next = queues.get(name)?.shift()
    if (next === undefined) return
    holders.set(name, next)
    next.grant()
  }

  function locksOf(thread: Thread): TabLocks {
    return {
      request: (name, { signal, steal }, held) =>
        new Promise((resolve, reject) => {
          const request: Request = {
            thread,
            grant: () =>
              void thread.post('lock', random() * 5, () => {
                if (signal?.aborted === true) return release()
                void Promise.resolve(held()).then(release)
              }),
            lose: () => void thread.post('lock', random() * 5, () => reject(new DOMException('stolen', 'AbortError'))),
          }
          const release = (): void => {
            if (holders.get(name) !== request) return
            passOn(name)
            resolve(undefined)
          }
          const holder = holders.get(name)
          if (steal === true) {
            holders.set(name, request)
            holder?.lose()
            request.grant()
          } else if (holder === undefined) {
            holders.set(name, request)
            request.grant()
          } else {
            const queue = queues.get(name) ?? []
            queues.set(name, queue)
            queue.push(request)
            signal?.addEventListener('abort', () => {
              if (!queue.includes(request)) return
              queue.splice(queue.indexOf(request), 1)
              reject(new DOMException('left', 'AbortError'))
            })
          }
        }),
    }
  }

  /** One transaction: takes its turn on the disk, and its outcome reaches the tab as a task. */
  function transact<Value>(thread: Thread, act: () => Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      const due = Math.max(diskFreeAt, time.now + random() * (random() < 0.02 ? 3000 : 20))
      diskFreeAt = due
      time.after(due - time.now, () => {
        // A page that has gone may, or may not, have finished what it began.
        if (!thread.isAlive && random() < 0.5) return
        const post = (task: () => void): void => void thread.post('disk', random() * 5, task)
        act().then(
          (value) => post(() => resolve(value)),
          (error: Error) => post(() => reject(error)),
        )
      })
    })
  }

  function letGo(thread: Thread): void {
    if (!holdingUp.delete(thread) || holdingUp.size > 0) return
    for (const open of waitingToOpen.splice(0)) open()
  }

  async function openDisk(thread: Thread, onDeleted: () => void): Promise<ThreadDisk> {
    if (holdingUp.size > 0) await new Promise<void>((resolve) => waitingToOpen.push(resolve))
    return transact(thread, async () => {
      const handle = disk.open({ onDeleted: () => void thread.post('disk', random() * 5, onDeleted) })
      const tell = (): void => {
        holdingUp.add(thread)
        thread.post('disk', random() * 5, () => {
          onDeleted()
          letGo(thread)
        })
      }
      opened.set(thread, { generation: handle.generation, tell })
      return {
        generation: handle.generation,
        threads: () => transact(thread, () => handle.threads()),
        read: (id) => transact(thread, () => handle.read(id)),
        acquireTerm: (id, atLeast) => transact(thread, () => handle.acquireTerm(id, atLeast)),
        write(changes) {
          const cloned = structuredClone(changes)
          return transact(thread, async () => {
            const refused = await handle.write(cloned)
            onStored(new Map([...cloned].filter(([id]) => !refused.includes(id))))
            return refused
          })
        },
        wipe: () =>
          transact(thread, async () => {
            await handle.wipe()
            for (const [other, { tell: told }] of opened) if (other !== thread && other.isAlive) told()
          }),
        close() {},
      }
    })
  }

  return {
    portsOf: (thread) => ({
      clock: thread.clock,
      visibility: { isVisible: () => true, subscribe: () => () => {} },
      openDisk: (_name, { onDeleted }) => openDisk(thread, onDeleted),
      locks: locksOf(thread),
      openChannel(name) {
        const own: Endpoint = { thread, listener: () => {}, lastAt: 0 }
        const all = channels.get(name) ?? new Set()
        channels.set(name, all.add(own))
        return {
          post(message) {
            const copy = structuredClone(message)
            for (const other of all) {
              if (other === own) continue
              other.lastAt = Math.max(other.lastAt, time.now + random() * 5)
              other.thread.post('message', other.lastAt - time.now, () =>
                all.has(other) ? other.listener(structuredClone(copy)) : undefined,
              )
            }
          },
          onMessage: (listener) => {
            own.listener = listener
          },
          close: () => void all.delete(own),
        }
      },
      onLeave(listener) {
        const own = leaving.get(thread) ?? new Set()
        leaving.set(thread, own.add(listener))
        return () => own.delete(listener)
      },
    }),
    get generation() {
      return disk.generation
    },
    generationOf: (thread) => opened.get(thread)?.generation,
    breakDisk(error) {
      disk.refusal = error
    },
    leave(thread, isTold) {
      if (isTold) for (const listener of leaving.get(thread) ?? []) listener()
      thread.end()
      letGo(thread)
      for (const all of channels.values())
        for (const endpoint of [...all]) if (endpoint.thread === thread) all.delete(endpoint)
      for (const queue of queues.values())
        queue.splice(0, queue.length, ...queue.filter((request) => request.thread !== thread))
      for (const [name, holder] of [...holders]) if (holder.thread === thread) passOn(name)
    },
  }
}

export type { Source }
