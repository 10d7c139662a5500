import type { Scope } from '../session/scope.ts'
import { createFairMemory } from '../session/fair-memory.ts'
import { ownerKey, ownerKeys } from '../session/scope.ts'

/** What a command was answered with, so that it can be answered again. */
export interface Remembered<Reply> {
  readonly replies: Reply[]
  /** Resolves when the command has been carried out. */
  readonly done: Promise<void>
}

/** A command as it is found again. */
export interface CommandKey {
  readonly type: string
  readonly id: string
  /** Number of the connection, for a command that concerns only that one. Absent: it concerns all connections of its principal. */
  readonly connection: number | undefined
}

/** Commands that were carried out, by the id of their message: each is carried out once (RFC section 6.4). In bounded memory. */
export interface CommandMemory<Reply> {
  find(scope: Scope, command: CommandKey): Remembered<Reply> | undefined
  add(scope: Scope, command: CommandKey, remembered: Remembered<Reply>): void
}

/** Commands that are remembered. */
const KEPT = 50_000

export function createCommandMemory<Reply>(kept = KEPT): CommandMemory<Reply> {
  const all = new Map<string, Remembered<Reply>>()
  const memory = createFairMemory(kept)
  const keyOf = (owner: string, { type, id, connection }: CommandKey): string =>
    JSON.stringify([owner, type, id, connection])
  return {
    find: (scope, command) =>
      ownerKeys(scope)
        .map((owner) => all.get(keyOf(owner, command)))
        .find((each) => each !== undefined),
    add(scope, command, remembered) {
      const owner = ownerKey(scope)
      const key = keyOf(owner, command)
      all.set(key, remembered)
      const forgotten = memory.add(owner, key)
      if (forgotten !== undefined) all.delete(forgotten)
    },
  }
}
