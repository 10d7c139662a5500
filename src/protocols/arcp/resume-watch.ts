import { noop } from '../../base/noop.ts'

/** Waits until what was resumed has come. */
export interface ResumeWatch {
  /** Resolves when each resume was answered, or when it has been quiet for a while: one of the published runtimes does not answer. */
  readonly done: Promise<void>
  /** A resume was sent with this id. */
  expect(id: string): void
  /** Something came. */
  heard(): void
  /** A message with this id was answered. */
  answered(id: string | undefined): void
  /** Begins to wait, once all were sent. */
  watch(wait: (ms: number) => Promise<void>, ended: AbortSignal): Promise<void>
}

const QUIET_MS = 250

export function createResumeWatch(): ResumeWatch {
  const open = new Set<string>()
  let settle = noop
  let isHeard = false
  const done = new Promise<void>((resolve) => {
    settle = resolve
  })
  return {
    done,
    expect: (id) => void open.add(id),
    heard() {
      isHeard = true
    },
    answered(id) {
      if (id !== undefined && open.delete(id) && open.size === 0) settle()
    },
    async watch(wait, ended) {
      while (open.size > 0 && !ended.aborted) {
        isHeard = false
        await wait(QUIET_MS)
        if (!isHeard) break
      }
      settle()
    },
  }
}
