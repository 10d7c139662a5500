import type { ChatCall } from './tab-message.ts'

interface PendingCall {
  readonly call: ChatCall
  resolve(): void
  reject(error: Error): void
  cancelPatience(): void
  /** A leader has heard of it. */
  taken: boolean
}

/** Calls that another tab is to perform, or this one once it leads. A call is lost with neither. */
export interface PendingCalls {
  add(call: ChatCall): { readonly id: string; readonly settled: Promise<void> }
  took(id: string): void
  settle(id: string, error?: Error): void
  /** Another leads now: calls nobody has heard are given out again, and those the last one had taken end with its run. */
  pass(perform: (id: string, call: ChatCall) => void, whenIdle: () => Promise<void>): void
  dispose(): void
}

export interface PendingCallsOptions {
  readonly newId: () => string
  /** Nobody took a call for so long that nobody will. */
  readonly onUnheard: () => void
  after(callback: () => void): () => void
}

export function createPendingCalls({ newId, onUnheard, after }: PendingCallsOptions): PendingCalls {
  const calls = new Map<string, PendingCall>()

  function take(id: string): PendingCall | undefined {
    const known = calls.get(id)
    known?.cancelPatience()
    calls.delete(id)
    return known
  }

  return {
    add(call) {
      const id = newId()
      const settled = new Promise<void>((resolve, reject) => {
        calls.set(id, { call, resolve, reject, cancelPatience: after(onUnheard), taken: false })
      })
      return { id, settled }
    },
    took(id) {
      const known = calls.get(id)
      if (known === undefined) return
      known.cancelPatience()
      known.taken = true
    },
    settle(id, error) {
      const known = take(id)
      if (error === undefined) known?.resolve()
      else known?.reject(error)
    },
    pass(perform, whenIdle) {
      for (const [id, { call, taken, resolve }] of [...calls]) {
        if (!taken) perform(id, call)
        else {
          take(id)
          void whenIdle().then(resolve)
        }
      }
    },
    dispose() {
      for (const id of [...calls.keys()]) take(id)?.resolve()
    },
  }
}
