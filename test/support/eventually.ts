import { vi } from 'vitest'

/** Waits until the callback throws nothing. How long a busy machine takes says nothing: only a hang is a failure. */
export function eventually<T>(callback: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(callback, { timeout: 20_000, interval: 10 })
}
