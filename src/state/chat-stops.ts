import type { StopResult } from '../session/agent-client.ts'
import { cancelRun } from '../session/cancel-run.ts'
import type { ChatOptions } from './chat-options.ts'
import type { ChatSnapshot } from './chat-snapshot.ts'
import type { ChatStore } from './chat-store.ts'
import { handleFor, promptsAwaited } from './chat-store.ts'
import { markStop, stopAwaited, stopIncomplete } from './conversation/conversation.ts'
import type { ChatMessage } from './conversation/message.ts'
import type { Publisher } from './publisher.ts'
import type { Run } from './run.ts'
import { dispatch, isOver } from './run.ts'

/** Stops the runs of a chat. `cancelled` is returned for a run that its agent has ended or confirmed to have stopped, and for no other. */
export interface ChatStops {
  /** @param requestId of the run, which another page may have begun. Absent: the latest */
  stop(requestId?: string): Promise<StopResult>
  /** A run of this id begins, or is resumed: it can be stopped again. */
  forget(requestId: string): void
}

export interface ChatStopsOptions {
  readonly options: ChatOptions
  readonly store: ChatStore
  readonly publisher: Publisher<ChatSnapshot>
  /** Ends a run that the user has stopped. */
  end(own: Run): void
}

export function createChatStops({ options, store, publisher, end }: ChatStopsOptions): ChatStops {
  /** By request id. */
  const stopping = new Map<string, Promise<StopResult>>()

  /** Cancels the prompts that a run has ended with, and the work that waits for them. */
  function cancelAwaited(requestId: string): Promise<StopResult> {
    store.conversation = stopAwaited(store.conversation, requestId)
    publisher.flush()
    return cancelRun(options.client(), requestId, { handle: handleFor(store, requestId) })
  }

  function stopLive(own: Run): Promise<StopResult> {
    const { requestId, resumePoint } = own
    // A run of an earlier page has no session before it is resumed, and its agent may be at work.
    const told = own.state.session?.stop() ?? cancelRun(options.client(), requestId, resumePoint)
    // The session ends the run itself; without one the request was still being made.
    end(own)
    return told
  }

  /** Of a run that has ended on this page: only its agent's own end means that the agent no longer works. */
  function stopEnded(requestId: string): Promise<StopResult> {
    if (promptsAwaited(store).some(({ message }) => message.requestId === requestId)) return cancelAwaited(requestId)
    const { messages } = store.conversation
    const known = stopOf(messages.filter((message) => message.requestId === requestId))
    if (known !== undefined) return Promise.resolve(known)
    // It is sent after the run before it, however that ends.
    if (store.queued.some(({ id }) => id === requestId)) return Promise.resolve('left')
    const own = store.run?.requestId === requestId ? store.run : undefined
    store.conversation = stopIncomplete(store.conversation, requestId)
    if (own !== undefined && store.conversation.messages !== messages) store.error = undefined
    publisher.flush()
    return (
      own?.state.session?.stop() ??
      cancelRun(options.client(), requestId, own?.resumePoint ?? { handle: handleFor(store, requestId) })
    )
  }

  /** Whether a run is the one of this id, or carries the answers to its prompts: who stops what asked means the work that follows. */
  function isContinuedBy(own: Run, requestId: string): boolean {
    const ids = store.conversation.messages
      .slice(store.conversation.messages.findLastIndex(({ role }) => role === 'user') + 1)
      .map((message) => message.requestId)
    return own.requestId === requestId || (ids.includes(own.requestId) && ids.includes(requestId))
  }

  /** A run is asked to stop once, however often the user says so. */
  async function stopOnce(requestId: string, stop: () => Promise<StopResult>): Promise<StopResult> {
    const before = stopping.get(requestId)
    if (before !== undefined) return before
    let settle = (_known: StopResult): void => {}
    // First: a subscriber or callback of the stop may call it again.
    stopping.set(requestId, new Promise((resolve) => (settle = resolve)))
    const known = await stop()
    store.conversation = markStop(store.conversation, requestId, known)
    publisher.flush()
    settle(known)
    return known
  }

  return {
    async stop(requestId) {
      const own = store.run
      if (own !== undefined && !isOver(own) && (requestId === undefined || isContinuedBy(own, requestId)))
        return stopOnce(own.requestId, () => stopLive(own))
      if (own !== undefined && requestId === undefined) dispatch(own, 'settled')
      const last = store.conversation.messages.at(-1)
      // A run that carried answers, and failed, leaves the prompts of the run before it.
      const asked = promptsAwaited(store)[0]?.message
      const id = requestId ?? asked?.requestId ?? own?.requestId ?? last?.requestId
      if (id === undefined) return last === undefined ? 'cancelled' : (stopOf([last]) ?? 'left')
      return stopOnce(id, () => stopEnded(id))
    },
    forget: (requestId) => void stopping.delete(requestId),
  }
}

/** Whether the agent still works on a run, as far as its messages show. Undefined: not known, because the page has given up the connection or has no answer. */
function stopOf(messages: readonly ChatMessage[]): StopResult | undefined {
  const answers = messages.filter(({ role }) => role !== 'user')
  if (answers.some(({ status, stop }) => status === 'stopped' && stop !== 'cancelled')) return 'left'
  const isEnded = answers.length > 0 && answers.every(({ status }) => status === 'complete' || status === 'stopped')
  return isEnded ? 'cancelled' : undefined
}
