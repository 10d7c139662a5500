import type { Scope } from '../session/scope.ts'
import { scopeName } from '../session/scope.ts'

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
  const keyOf = (name: string, id: string): string => JSON.stringify([name, id])
  return {
    find: ({ names }, id) => names.map((name) => all.get(keyOf(name, id))).find((each) => each !== undefined),
    add(scope, id, remembered) {
      all.set(keyOf(scopeName(scope), id), remembered)
      const [oldest] = all.size > kept ? all.keys() : []
      if (oldest !== undefined) all.delete(oldest)
    },
  }
}
