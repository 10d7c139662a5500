import type { Scope } from '../session/scope.ts'
import { createFairMemory } from '../session/fair-memory.ts'
import { ownerKey, ownerKeys } from '../session/scope.ts'

/** What a command was answered with, so that it can be answered again. */
export interface Remembered<Reply> {
  readonly replies: Reply[]
  /** Resolves when the command has been carried out. */
  readonly done: Promise<void>
}

/** Commands that were carried out, by the id of their message: each is carried out once (RFC section 6.4). In bounded memory. */
export interface CommandMemory<Reply> {
  find(scope: Scope, id: string): Remembered<Reply> | undefined
  add(scope: Scope, id: string, remembered: Remembered<Reply>): void
}

/** Commands that are remembered. */
const KEPT = 50_000

export function createCommandMemory<Reply>(kept = KEPT): CommandMemory<Reply> {
  const all = new Map<string, Remembered<Reply>>()
  const memory = createFairMemory(kept)
  const keyOf = (owner: string, id: string): string => JSON.stringify([owner, id])
  return {
    find: (scope, id) =>
      ownerKeys(scope)
        .map((owner) => all.get(keyOf(owner, id)))
        .find((each) => each !== undefined),
    add(scope, id, remembered) {
      const owner = ownerKey(scope)
      const key = keyOf(owner, id)
      all.set(key, remembered)
      const forgotten = memory.add(owner, key)
      if (forgotten !== undefined) all.delete(forgotten)
    },
  }
}
