import type { Clock } from '../base/ports/clock.ts'

const WRITE_AFTER_MS = 400

/** Write-behind buffer of drafts, by the id of their thread: a draft is written 400 ms after the first change, or by `write()`. */
export interface Drafts {
  /** Undefined when what was set last is written already. */
  get(id: string): string | undefined
  set(id: string, text: string): void
  /** Forgets what is not written. */
  delete(id: string): void
  /** Writes everything now. */
  write(): void
  /** Forgets everything that is not written. */
  clear(): void
}

export function createDrafts(clock: Clock, onWrite: (id: string, text: string) => void): Drafts {
  const drafts = new Map<string, string>()
  let cancel: (() => void) | undefined

  function clear(): void {
    cancel?.()
    cancel = undefined
    drafts.clear()
  }

  function write(): void {
    for (const [id, text] of drafts) onWrite(id, text)
    clear()
  }

  return {
    get: (id) => drafts.get(id),
    set(id, text) {
      drafts.set(id, text)
      cancel ??= clock.after(WRITE_AFTER_MS, write)
    },
    delete: (id) => void drafts.delete(id),
    write,
    clear,
  }
}
