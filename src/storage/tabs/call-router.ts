import type { Clock } from '../../base/ports/clock.ts'
import type { CallResult, PackedResult } from './call-result.ts'
import { packResult, packThrown, unpackResult } from './call-result.ts'
import type { LeadingChat } from './leading-chat.ts'
import type { PendingCall, PendingCalls } from './pending-calls.ts'
import { createLeaderStallDetector } from './leader-stall-detector.ts'
import type { CreateError } from '../records/stored-message.ts'
import type { TabMessage } from './tab-message.ts'

/** Where calls are performed now: this tab, a leader over the channel, or none yet. */
export type Leader = LeadingChat | { readonly term: number } | undefined

type CallMessage = TabMessage & { readonly type: 'call' }
type CallAnswer = TabMessage & { readonly type: 'acknowledged' | 'done' }

/** Sends every call of this tab to the current leader, until one has acknowledged it, and performs those of other tabs while this one leads. */
export interface CallRouter {
  send(call: PendingCall): void
  /** Performs a call of another tab, and tells it the outcome if this tab still leads by then. */
  perform(own: LeadingChat, message: CallMessage): Promise<void>
  /** The leader changed, or there is none: calls that the last leader acknowledged are sent again. */
  leaderChanged(): void
  /** Handles the answer of the current leader to a call. */
  answered(message: CallAnswer): void
  /**
   * Calls `done` once, as soon as a leader has acknowledged every call and this tab, if it leads, performs no answer any more, which
   * may be immediately; `undefined` cancels this.
   */
  whenAllAcknowledged(done: (() => void) | undefined): void
  stop(): void
}

export interface CallRouterOptions {
  readonly calls: PendingCalls
  readonly clock: Clock
  readonly createError: CreateError
  leader(): Leader
  post(message: TabMessage): void
  /** The leader does not answer. */
  onStalled(): void
}

export function createCallRouter({
  calls,
  clock,
  createError,
  leader,
  post,
  onStalled,
}: CallRouterOptions): CallRouter {
  const stallDetector = createLeaderStallDetector(clock, onStalled)
  let onAllAcknowledged: (() => void) | undefined

  function give({ id, call, isRepeated }: PendingCall): void {
    const current = leader()
    if (current === undefined) return
    if (!('perform' in current)) {
      if (current.term > 0) post({ type: 'call', term: current.term, id, call, isRepeated })
      return
    }
    calls.acknowledge(id)
    // As if it came from another tab, so that results are the same in all of them.
    const settleHere = (packed: PackedResult): void =>
      leader() === current ? settle(id, unpackResult(packed, createError)) : undefined
    current.perform(id, call, isRepeated).then(
      (result) => settleHere(packResult(result)),
      (error: unknown) => settleHere(packThrown(error)),
    )
  }

  function watch(): void {
    const isWaiting = calls.all().some(({ isAcknowledged }) => !isAcknowledged)
    const current = leader()
    const own = current !== undefined && 'perform' in current ? current : undefined
    if (isWaiting && current !== undefined && own === undefined) stallDetector.start()
    else stallDetector.stop()
    // What the agent replies to an answer would be lost with the chat that sent it.
    if (isWaiting || own?.isAnswering === true) return
    const done = onAllAcknowledged
    onAllAcknowledged = undefined
    done?.()
  }

  function settle(id: string, outcome: CallResult | Error): void {
    calls.settle(id, outcome)
    watch()
  }

  return {
    send(call) {
      give(call)
      watch()
    },
    async perform(own, { id, call, isRepeated }) {
      post({ type: 'acknowledged', term: own.term, id })
      const packed = await own.perform(id, call, isRepeated).then(packResult, packThrown)
      if (leader() === own) post({ type: 'done', term: own.term, id, ...packed })
      watch()
    },
    leaderChanged() {
      calls.reset()
      stallDetector.stop()
      for (const pending of calls.all()) give(pending)
      watch()
    },
    answered(message) {
      if (message.type === 'done') return settle(message.id, unpackResult(message, createError))
      calls.acknowledge(message.id)
      watch()
    },
    whenAllAcknowledged(done) {
      onAllAcknowledged = done
      if (done !== undefined) watch()
    },
    stop() {
      onAllAcknowledged = undefined
      stallDetector.stop()
    },
  }
}
