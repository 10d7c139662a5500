import { isAgentError } from '../../base/agent-error.ts'
import { ACCEPTED } from '../../state/chat-options.ts'
import type { CreateError } from '../records/stored-message.ts'
import type { CallResult } from './call-result.ts'
import type { ChatCall } from './tab-message.ts'

/** A call of this tab that has not settled. Its id makes it idempotent: it is performed once, by any leader. */
export interface PendingCall {
  readonly id: string
  readonly call: ChatCall
  /** Epoch milliseconds. */
  readonly madeAt: number
  /** Whether the leader of the current term has received it. */
  readonly isAcknowledged: boolean
  /** Whether any leader has received it, so that it may have been performed already. */
  readonly isRepeated: boolean
}

/** The calls made in this tab, in order, until they have settled. */
export interface PendingCalls {
  /** @param id of a message that was queued under it before */
  add(call: ChatCall, at: number, id?: string): { readonly pending: PendingCall; readonly settled: Promise<CallResult> }
  all(): readonly PendingCall[]
  /** The leader has received the call. */
  acknowledge(id: string): void
  /** @param outcome an {@link AgentError} is a refusal, with which the call resolves; with any other error it rejects. Absent: no outcome follows, and of an answer or a stop nothing is known */
  settle(id: string, outcome?: CallResult | Error): void
  /** The leader changed: no call counts as acknowledged any more. */
  reset(): void
  /** Settles all calls: no outcome follows. The outcome of an answer or a stop is then unknown. */
  dispose(): void
}

interface Entry extends PendingCall {
  resolve(result: CallResult): void
  reject(error: Error): void
}

/** What is known of an answer whose chat was disposed of before the agent confirmed it. */
const LEFT = {
  kind: 'runtime',
  code: 'app_error',
  severity: 'TRANSIENT',
  message: 'The chat was disposed of before the agent confirmed this, so it is not known whether it arrived.',
} as const

export function createPendingCalls(newId: () => string, createError: CreateError): PendingCalls {
  const calls = new Map<string, Entry>()

  function unknownResult({ action }: ChatCall): CallResult {
    if (action === 'answer') return { status: 'unconfirmed', error: createError(LEFT) }
    return action === 'stop' ? { status: 'left' } : ACCEPTED
  }

  function take(id: string): Entry | undefined {
    const known = calls.get(id)
    calls.delete(id)
    return known
  }

  return {
    add(call, at, id = newId()) {
      const pending: PendingCall = { id, call, madeAt: at, isAcknowledged: false, isRepeated: false }
      const settled = new Promise<CallResult>((resolve, reject) => {
        calls.set(pending.id, { ...pending, resolve, reject })
      })
      return { pending, settled }
    },
    all: () => [...calls.values()],
    acknowledge(id) {
      const known = calls.get(id)
      if (known !== undefined) calls.set(id, { ...known, isAcknowledged: true, isRepeated: true })
    },
    settle(id, outcome) {
      const known = take(id)
      if (isAgentError(outcome)) known?.resolve({ status: 'refused', error: outcome })
      else if (outcome instanceof Error) known?.reject(outcome)
      else known?.resolve(outcome ?? unknownResult(known.call))
    },
    reset() {
      for (const [id, known] of calls) calls.set(id, { ...known, isAcknowledged: false })
    },
    dispose() {
      for (const { id, resolve, call } of calls.values()) {
        calls.delete(id)
        resolve(unknownResult(call))
      }
    },
  }
}
