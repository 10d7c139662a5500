/** What tabs say to each other under one name, as a port. What cannot be cloned is not said. */
export interface TabChannel {
  post(message: unknown): void
  /** Hears what others say, never itself. */
  onMessage(listener: (message: unknown) => void): void
  close(): void
}

/** The part of the platform's LockManager that is used here. A lock that is stolen rejects its holder's promise. */
export interface TabLocks {
  request(name: string, options: { readonly signal?: AbortSignal; readonly steal?: boolean }, held: () => Promise<void> | undefined): Promise<unknown>
}

/** A place in the line of tabs that want to lead. */
export interface Seat {
  /** Leads now, whoever led before: they did not answer. */
  claim(): void
  /** Leaves the line, or leads no more once `after` has settled. */
  leave(after?: Promise<void>): void
}

export interface SeatOptions {
  /** Absent: there are no other tabs to agree with, so everyone leads. */
  readonly locks: TabLocks | undefined
  readonly name: string
  onLead(): void
  /** Another tab has claimed the lead. The place in the line is kept. */
  onLost(): void
}

/** Waits for its turn to lead. A tab that is closed, or crashes, gives its lead back by itself: the browser sees to that. */
export function createSeat({ locks, name, onLead, onLost }: SeatOptions): Seat {
  const leaving = new AbortController()
  let resign = noop
  let waits = false

  async function ask(options: { readonly signal?: AbortSignal; readonly steal?: boolean }, onGranted = noop): Promise<void> {
    let held = false
    try {
      await locks?.request(name, options, () => {
        onGranted()
        if (leaving.signal.aborted) return undefined
        held = true
        return new Promise<void>((resolve) => {
          resign = resolve
          onLead()
        })
      })
    } catch {
      if (leaving.signal.aborted) return
      // Never granted: the platform gives no locks here, so there is nobody to agree with.
      if (!held) return onLead()
      onLost()
      if (!waits) waitInLine()
    }
  }

  function waitInLine(): void {
    waits = true
    void ask({ signal: leaving.signal }, () => {
      waits = false
    })
  }

  if (locks === undefined) onLead()
  else waitInLine()
  return {
    claim: () => void ask({ steal: true }),
    leave(after = Promise.resolve()) {
      leaving.abort()
      const leave = (): void => resign()
      after.then(leave, leave)
    },
  }
}

function noop(): void {}
