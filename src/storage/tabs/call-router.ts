import type { Clock } from '../../base/clock.ts'
import type { SendResult } from '../../state/send-result.ts'
import { QUEUED } from '../../state/send-result.ts'
import type { LeadingChat } from './leading-chat.ts'
import type { PendingCall, PendingCalls } from './pending-calls.ts'
import { createStallDetector } from './stall-detector.ts'
import type { CreateError, StoredError } from '../records/stored-message.ts'
import type { TabMessage } from './tab-message.ts'
import { packRefusal, unpackRefusal } from './tab-message.ts'

/** Who performs calls now: this tab, a leader that is asked over the channel, or nobody yet. */
export type Leader = LeadingChat | { readonly term: number } | undefined

type CallAnswer = TabMessage & { readonly type: 'acknowledged' | 'done' }

/** Gives every call that was made in this tab to whoever leads, until one has acknowledged it. */
export interface CallRouter {
  send(call: PendingCall): void
  /** Another leader, or none: what was acknowledged by the last one is sent again. */
  leaderChanged(): void
  /** What the current leader says of a call. */
  answered(message: CallAnswer): void
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
  /** Every call is in a leader's hands. */
  onAllAcknowledged(): void
}

export function createCallRouter({ calls, clock, createError, leader, post, onStalled, onAllAcknowledged }: CallRouterOptions): CallRouter {
  const stallDetector = createStallDetector(clock, onStalled)

  function give({ id, call, isRepeated }: PendingCall): void {
    const current = leader()
    if (current === undefined) return
    if (!('perform' in current)) {
      if (current.term > 0) post({ type: 'call', term: current.term, id, call, isRepeated })
      return
    }
    calls.acknowledge(id)
    const settleHere = (outcome: SendResult | Error): void => (leader() === current ? settle(id, outcome) : undefined)
    current.perform(id, call, isRepeated).then(
      (result) => settleHere(result.status === 'refused' ? unpackRefusal(packRefusal(result.error), createError) : result),
      (error: unknown) => settleHere(unpackRefusal(packRefusal(error), createError)),
    )
  }

  function watch(): void {
    const isWaiting = calls.all().some(({ isAcknowledged }) => !isAcknowledged)
    const current = leader()
    if (isWaiting && current !== undefined && !('perform' in current)) stallDetector.start()
    else stallDetector.stop()
    if (!isWaiting) onAllAcknowledged()
  }

  function settle(id: string, outcome?: SendResult | Error): void {
    calls.settle(id, outcome)
    watch()
  }

  return {
    send(call) {
      give(call)
      watch()
    },
    leaderChanged() {
      calls.reset()
      stallDetector.stop()
      for (const pending of calls.all()) give(pending)
      watch()
    },
    answered(message) {
      if (message.type === 'done') return settle(message.id, message.error === undefined ? (message.isQueued === true ? QUEUED : undefined) : unpackRefusal(message.error, createError))
      calls.acknowledge(message.id)
      watch()
    },
    stop: stallDetector.stop,
  }
}

/** Performs a call of another tab, and says what came of it if this tab still leads by then. */
export async function answerCall(own: LeadingChat, { id, call, isRepeated }: TabMessage & { readonly type: 'call' }, post: (message: TabMessage) => void, leading: () => LeadingChat | undefined): Promise<void> {
  post({ type: 'acknowledged', term: own.term, id })
  let error: StoredError | string | undefined
  let isQueued: boolean | undefined
  try {
    const result = await own.perform(id, call, isRepeated)
    if (result.status === 'refused') error = packRefusal(result.error)
    isQueued = result.status === 'queued' || undefined
  } catch (cause) {
    error = packRefusal(cause)
  }
  if (leading() === own) post({ type: 'done', term: own.term, id, error, isQueued })
}
