import type { Clock } from '../../base/ports/clock.ts'
import {
  type CallResult,
  type PackedResult,
  packResult,
  packThrown,
  unpackResult,
  type TabMessage,
  type ChatCall,
} from './tab-message.ts'
import type { LeadingChat } from './leading-chat.ts'
import { createLeaderStallDetector } from './leader-election.ts'
import { type CreateError, packMessage, packOutgoing } from '../records/stored-message.ts'
import { isAgentError } from '../../base/agent-error.ts'
import { ACCEPTED } from '../../state/chat-options.ts'
import type { PromptOutcome } from '../../seam/prompt.ts'
import type { AgentClient } from '../../session/agent-client.ts'
import type { ChatMessage, QueuedMessage } from '../../state/turn.ts'
import { movePrompt, changePrompts } from '../../state/prompts.ts'
import { restoreRun } from '../records/restore-run.ts'
import type { VersionedState } from '../records/versioned-state.ts'

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

/**
 * Messages of the last leader that are not on the disk, queued ones included. The next leader may not have them, so
 * they are sent to it.
 */
interface UnsavedMessages {
  /** This tab led, and has been overtaken in this state. */
  keepOwn(state: VersionedState, own: LeadingChat): void
  /** The last state of the followed leader, and which messages of it were not on the disk. */
  keepHeard(state: VersionedState, ids: readonly string[]): void
  /**
   * Removes the messages that a newer state lacks, and returns them as calls that restore them, with the id that a
   * queued message had. Messages of pending calls are left out.
   * @param outcomes how prompts have ended that the next leader does not know of
   */
  take(
    newest: VersionedState,
    calls: readonly PendingCall[],
    outcomes: readonly PromptOutcome[],
  ): readonly { readonly id?: string; readonly call: ChatCall }[]
  /** The conversation was deleted at that time, epoch milliseconds. */
  forget(at: number): void
}

export function createUnsavedMessages(protocol: AgentClient['protocol']): UnsavedMessages {
  let unsaved: readonly ChatMessage[] = []
  let queued: readonly QueuedMessage[] = []

  function keep({ state, revision }: VersionedState, isUnsaved: (id: string, requestId: string) => boolean): void {
    // Their run is not continued, so its prompts cannot be answered.
    const { messages } = restoreRun(state, { protocol, now: revision, isOld: true })
    unsaved = messages
      .filter(({ id, requestId = '' }) => isUnsaved(id, requestId))
      .map((message) =>
        changePrompts(message, (prompt) =>
          // An answer that was on its way may have arrived.
          prompt.state === 'unconfirmed' ? prompt : movePrompt(prompt, 'withdrawn'),
        ),
      )
    queued = state.queued.filter(({ id }) => isUnsaved(id, id))
  }

  return {
    keepOwn(state, { replicator, isPerforming }) {
      // A call that has not settled is made again by its own tab.
      keep(state, (id, requestId) => !replicator.isStored(id) && !isPerforming(requestId))
    },
    keepHeard(state, ids) {
      if (ids.length > 0) keep(state, (id) => ids.includes(id))
    },
    take({ state }, calls, outcomes) {
      const known = new Set(state.messages.map(({ id }) => id))
      const asked = new Set([...state.queued, ...calls].map(({ id }) => id))
      const messages = unsaved
        .filter(({ id, requestId = '' }) => !known.has(id) && !asked.has(requestId))
        .map(packMessage)
      const waiting = queued.filter(({ id }) => !asked.has(id))
      unsaved = []
      queued = []
      return [
        ...(messages.length === 0 ? [] : [{ call: { action: 'prepend' as const, messages } }]),
        ...(outcomes.length === 0 ? [] : [{ call: { action: 'settlePrompts' as const, outcomes } }]),
        ...waiting.map(({ id, message }) => ({
          id,
          call: {
            action: 'sendMessage' as const,
            message: packOutgoing(message),
            options: { whenBusy: 'queue' as const },
          },
        })),
      ]
    },
    forget(at) {
      unsaved = unsaved.filter(({ createdAt = 0 }) => createdAt > at)
      queued = []
    },
  }
}
