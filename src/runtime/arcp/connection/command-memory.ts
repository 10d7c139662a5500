/** What a command was answered with, so that it can be answered again. */
export interface Remembered<Reply> {
  readonly replies: Reply[]
  /** Resolves when the command has been carried out. */
  readonly done: Promise<void>
}

/** Commands that were carried out, by the id of their message: each is carried out once (RFC section 6.4). In bounded memory. */
export interface CommandMemory<Reply> {
  find(scope: string, id: string): Remembered<Reply> | undefined
  add(scope: string, id: string, remembered: Remembered<Reply>): void
}

/** Commands that are remembered. */
const KEPT = 50_000

export function createCommandMemory<Reply>(kept = KEPT): CommandMemory<Reply> {
  const all = new Map<string, Remembered<Reply>>()
  const keyOf = (scope: string, id: string): string => JSON.stringify([scope, id])
  return {
    find: (scope, id) => all.get(keyOf(scope, id)),
    add(scope, id, remembered) {
      all.set(keyOf(scope, id), remembered)
      const [oldest] = all.size > kept ? all.keys() : []
      if (oldest !== undefined) all.delete(oldest)
    },
  }
}
