import type { Locks } from '../../src/base/ports/connection-slots.ts'

/** Web Locks as the standard describes them, for one name at a time, in order of asking. */
export function createFakeLocks(): Locks & { readonly held: ReadonlySet<string> } {
  const held = new Set<string>()
  const queues = new Map<string, (() => void)[]>()

  function grant(name: string, callback: (lock: object | null) => unknown): Promise<unknown> {
    held.add(name)
    return Promise.resolve(callback({ name })).finally(() => {
      held.delete(name)
      queues.get(name)?.shift()?.()
    })
  }

  return {
    held,
    async request(name, { ifAvailable, signal }, callback) {
      await Promise.resolve()
      signal?.throwIfAborted()
      if (!held.has(name)) return grant(name, callback)
      if (ifAvailable === true) return callback(null)
      return new Promise((resolve, reject) => {
        const turn = (): void => resolve(grant(name, callback))
        const queue = queues.get(name) ?? []
        queues.set(name, [...queue, turn])
        signal?.addEventListener('abort', () => {
          queues.set(
            name,
            (queues.get(name) ?? []).filter((waiting) => waiting !== turn),
          )
          reject(new Error('aborted'))
        })
      })
    },
  }
}
