import { noop } from '../../base/noop.ts'
import type { Clock } from '../../base/ports/clock.ts'
import type { WriteBehindTerm } from '../disk/write-behind.ts'

/** Until a disk that gave no term out is asked again; doubled each time. */
const FIRST_MS = 5000
const LONGEST_MS = 300_000

/** Asks the disk for a later term, again with backoff while it gives none out. */
export interface Reacquire {
  now(): void
  later(): void
  cancel(): void
}

export interface ReacquireOptions {
  readonly clock: Clock
  acquireTerm(): Promise<WriteBehindTerm>
  onAcquired(acquired: WriteBehindTerm): void
}

export function createReacquire({ clock, acquireTerm, onAcquired }: ReacquireOptions): Reacquire {
  let cancelTimer = noop
  /** Counts what was begun: an answer that comes after `cancel` is of no use. */
  let asked = 0

  async function ask(nextMs: number): Promise<void> {
    cancel()
    const own = asked
    const acquired = await acquireTerm()
    if (own !== asked) return
    if (acquired.isFenced) onAcquired(acquired)
    else wait(nextMs)
  }

  function wait(ms: number): void {
    cancelTimer = clock.after(ms, () => void ask(Math.min(LONGEST_MS, 2 * ms)))
  }

  function cancel(): void {
    asked += 1
    cancelTimer()
    cancelTimer = noop
  }

  return { now: () => void ask(FIRST_MS), later: () => wait(FIRST_MS), cancel }
}
