import type { Clock } from '../../../src/base/ports/clock.ts'

/** Where a task of a tab comes from: tasks of one source keep their order, those of several come in any order after a busy time. */
export type Source = 'timer' | 'message' | 'lock' | 'disk' | 'network' | 'user'

/** The main thread of one tab: everything that happens in it is a task, which waits while the thread is busy. */
export interface Thread {
  readonly isAlive: boolean
  readonly clock: Clock
  /** Runs `task` after `ms`, when the thread is free. The returned function cancels it. */
  post(source: Source, ms: number, task: () => void): () => void
  /** A task that takes so long. */
  block(ms: number): void
  end(): void
}

/** Time of all tabs and of the world around them, which only `run` moves. */
export interface VirtualTime {
  readonly now: number
  /** Runs `event` after `ms`, whatever the tabs do. */
  after(ms: number, event: () => void): void
  createThread(): Thread
  /** Runs everything that is due until `at`. */
  runUntil(at: number): Promise<void>
}

interface Entry {
  at: number
  /** Among those of the same time: by the order in which a thread that was busy takes its sources up. */
  rank: number
  readonly due: number
  readonly order: number
  run(): void
  isCancelled: boolean
}

const START = Date.parse('2026-03-01T08:15:00.000Z')

export function createVirtualTime(random: () => number): VirtualTime {
  const entries: Entry[] = []
  let now = 0
  let orders = 0

  function isBefore(left: Entry, right: Entry): boolean {
    if (left.at !== right.at) return left.at < right.at
    if (left.rank !== right.rank) return left.rank < right.rank
    return left.due === right.due ? left.order < right.order : left.due < right.due
  }

  function add(entry: Entry): void {
    let index = entries.length
    while (index > 0 && isBefore(entry, entries[index - 1] as Entry)) index -= 1
    entries.splice(index, 0, entry)
  }

  function after(ms: number, run: () => void): Entry {
    const at = now + Math.max(0, ms)
    const entry: Entry = { at, rank: 0, due: at, order: (orders += 1), run, isCancelled: false }
    add(entry)
    return entry
  }

  function createThread(): Thread {
    let busyUntil = 0
    let isAlive = true
    let ranks = new Map<Source, number>()

    const rankOf = (source: Source): number => {
      const rank = ranks.get(source) ?? random()
      ranks.set(source, rank)
      return rank
    }

    const thread: Thread = {
      get isAlive() {
        return isAlive
      },
      clock: {
        now: () => now,
        date: () => START + Math.floor(now),
        after: (ms, callback) => thread.post('timer', ms, callback),
      },
      post(source, ms, task) {
        const entry = after(ms, () => {
          if (!isAlive) return
          if (busyUntil <= now) return task()
          entry.at = busyUntil
          entry.rank = rankOf(source)
          add(entry)
        })
        return () => {
          entry.isCancelled = true
        }
      },
      block(ms) {
        if (busyUntil < now) ranks = new Map()
        busyUntil = Math.max(busyUntil, now + ms)
      },
      end() {
        isAlive = false
      },
    }
    return thread
  }

  return {
    get now() {
      return now
    },
    after: (ms, event) => void after(ms, event),
    createThread,
    async runUntil(at) {
      await settled()
      for (let next = entries[0]; next !== undefined && next.at <= at; next = entries[0]) {
        entries.shift()
        if (next.isCancelled) continue
        now = next.at
        next.run()
        await settled()
      }
      now = at
    },
  }
}

/** Lets every promise that is ready continue: this comes after all of them. */
async function settled(): Promise<void> {
  await new Promise<void>((resolve) => {
    process.nextTick(resolve)
  })
  await new Promise<void>((resolve) => {
    process.nextTick(resolve)
  })
}
