import { isAgentError } from '../../base/agent-error.ts'
import type { SendResult } from '../../state/send-result.ts'
import { ACCEPTED } from '../../state/send-result.ts'
import type { ChatCall } from './tab-message.ts'

/** A call of this tab that has not settled. Its id makes it idempotent: whoever leads performs it once. */
export interface PendingCall {
  readonly id: string
  readonly call: ChatCall
  /** Epoch milliseconds. */
  readonly madeAt: number
  /** The leader of the current term has it. */
  readonly isAcknowledged: boolean
  /** Some leader had it, so it may have been performed already. */
  readonly isRepeated: boolean
}

/** The calls made in this tab, in order, until they have settled. */
export interface PendingCalls {
  /** @param id of a message that was queued under it before */
  add(call: ChatCall, at: number, id?: string): { readonly pending: PendingCall; readonly settled: Promise<SendResult> }
  all(): readonly PendingCall[]
  /** The leader has it: it needs no other tab for now. */
  acknowledge(id: string): void
  /** @param outcome an {@link AgentError} is a refusal, with which the call resolves; with any other error it rejects. Default: accepted */
  settle(id: string, outcome?: SendResult | Error): void
  /** Another tab leads, or this one does: nothing is acknowledged any more. */
  reset(): void
  /** Settles everything: nobody waits for an outcome any more. */
  dispose(): void
}

interface Entry extends PendingCall {
  resolve(result: SendResult): void
  reject(error: Error): void
}

export function createPendingCalls(newId: () => string): PendingCalls {
  const calls = new Map<string, Entry>()

  function take(id: string): Entry | undefined {
    const known = calls.get(id)
    calls.delete(id)
    return known
  }

  return {
    add(call, at, id = newId()) {
      const pending: PendingCall = { id, call, madeAt: at, isAcknowledged: false, isRepeated: false }
      const settled = new Promise<SendResult>((resolve, reject) => {
        calls.set(pending.id, { ...pending, resolve, reject })
      })
      return { pending, settled }
    },
    all: () => [...calls.values()],
    acknowledge(id) {
      const known = calls.get(id)
      if (known !== undefined) calls.set(id, { ...known, isAcknowledged: true, isRepeated: true })
    },
    settle(id, outcome = ACCEPTED) {
      const known = take(id)
      if (isAgentError(outcome)) known?.resolve({ status: 'refused', error: outcome })
      else if (outcome instanceof Error) known?.reject(outcome)
      else known?.resolve(outcome)
    },
    reset() {
      for (const [id, known] of calls) calls.set(id, { ...known, isAcknowledged: false })
    },
    dispose() {
      for (const id of [...calls.keys()]) take(id)?.resolve(ACCEPTED)
    },
  }
}
