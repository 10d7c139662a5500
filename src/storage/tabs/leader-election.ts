import { noop } from '../../base/noop.ts'
import type { Clock } from '../../base/ports/clock.ts'

/** The part of the platform's LockManager that is used here. A lock that is stolen rejects its holder's promise. */
export interface TabLocks {
  request(
    name: string,
    options: { readonly signal?: AbortSignal; readonly steal?: boolean },
    held: () => Promise<void> | undefined,
  ): Promise<unknown>
}

/** One tab's candidacy for the lead of a conversation. */
export interface LeaderElection {
  /** Steals the lock from a holder that did not answer. */
  steal(): void
  /** Gives the lock back if it is held, and waits for it again behind the others. */
  requeue(): void
  /** Leaves the queue; a lock that is held is released once `after` has settled. */
  leave(after?: Promise<void>): void
}

export interface LeaderElectionOptions {
  /** Absent: no leader election, so every tab leads immediately. */
  readonly locks: TabLocks | undefined
  readonly clock: Clock
  readonly name: string
  onElected(): void
  /** Another tab has stolen the lock. This one waits for it again. */
  onLost(): void
  /** The platform gives no locks here: every tab is elected, for good. */
  onUnavailable(): void
}

/**
 * Leader election over Web Locks. The browser releases the lock of a tab that is closed or crashes. Where the platform blocks locks (they
 * throw, reject or never settle), every tab leads.
 */
export function createLeaderElection({
  locks,
  clock,
  name,
  onElected,
  onLost,
  onUnavailable,
}: LeaderElectionOptions): LeaderElection {
  const leaving = new AbortController()
  let release = noop
  let isQueued = false
  let isAvailable = locks !== undefined
  // A lock that is stolen is granted immediately: where it is not, the platform never settles what is requested.
  const stealing = createLeaderStallDetector(clock, withdraw)

  function withdraw(): void {
    isAvailable = false
    onUnavailable()
    onElected()
  }

  async function request(
    options: { readonly signal?: AbortSignal; readonly steal?: boolean },
    onGranted = noop,
  ): Promise<void> {
    // Assigned inside of callbacks, which the compiler does not follow.
    let hold = 'waiting' as 'waiting' | 'held' | 'lost'
    try {
      await locks?.request(name, options, () => {
        onGranted()
        if (leaving.signal.aborted || !isAvailable || hold === 'lost') return undefined
        hold = 'held'
        return new Promise<void>((resolve) => {
          release = resolve
          onElected()
        })
      })
    } catch (error) {
      if (leaving.signal.aborted || !isAvailable) return
      if (hold === 'held') onLost()
      // Another tab may steal the lock before this one is notified of the grant: that is no fault of the platform.
      else if (error instanceof DOMException && error.name === 'AbortError') onGranted()
      else {
        stealing.stop()
        return withdraw()
      }
      hold = 'lost'
      queue()
    }
  }

  function queue(): void {
    if (isQueued || leaving.signal.aborted) return
    isQueued = true
    void request({ signal: leaving.signal }, () => {
      isQueued = false
    })
  }

  if (locks === undefined) onElected()
  else queue()
  return {
    steal() {
      stealing.start()
      void request({ steal: true }, stealing.stop)
    },
    requeue() {
      if (!isAvailable) return onElected()
      release()
      queue()
    },
    leave(after = Promise.resolve()) {
      leaving.abort()
      stealing.stop()
      const leave = (): void => release()
      after.then(leave, leave)
    },
  }
}

/** A leader that does not acknowledge a call within this time counts as frozen, in milliseconds. */
const WAIT_LIMIT_MS = 3000

/**
 * A timer that fires this late, in milliseconds, was delayed in this tab: the acknowledgement may already be in its
 * message queue.
 */
const LATE_MS = 500

/** Stall detector (watchdog) of the leader, while a call waits for it. */
interface LeaderStallDetector {
  /** Begins to count; continues if it does already. */
  start(): void
  stop(): void
}

export function createLeaderStallDetector(clock: Clock, onStalled: () => void): LeaderStallDetector {
  let cancel: (() => void) | undefined

  function wait(ms: number): void {
    const due = clock.now() + ms
    cancel = clock.after(ms, () => {
      if (clock.now() - due > LATE_MS) return wait(LATE_MS)
      cancel = undefined
      onStalled()
    })
  }

  return {
    start() {
      if (cancel === undefined) wait(WAIT_LIMIT_MS)
    },
    stop() {
      cancel?.()
      cancel = undefined
    },
  }
}
