import { createHash } from 'node:crypto'

/** Digests at once: those of the platform come from another thread, and so not in virtual time. Gives the function that undoes it. */
export function digestAtOnce(): () => void {
  const { subtle } = crypto
  Object.defineProperty(subtle, 'digest', {
    configurable: true,
    value: async (_algorithm: string, bytes: Uint8Array) =>
      new Uint8Array(createHash('sha256').update(bytes).digest()).buffer,
  })
  // The prototype has the platform's own.
  return () => void Reflect.deleteProperty(subtle, 'digest')
}
