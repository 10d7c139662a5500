import type { AgentError } from '../base/agent-error.ts'
import type { StateEdit } from '../seam/state-edit.ts'
import { idleConnection, type Connection } from '../session/connection.ts'
import type { ChatOptions } from './chat-options.ts'
import { type ChatSnapshot, type ChatStatus, runOf } from './chat-snapshot.ts'
import type { QueuedMessage, Conversation } from './turn.ts'
import { handleOf, hasBegun, uniqueMessages } from './conversation.ts'
import { type AskedPrompt, awaitedPrompts, isAwaitingInput } from './prompts.ts'
import { type Run, isUnderWay } from './run.ts'
import { attempt } from '../base/attempt.ts'
import type { Environment } from '../base/ports/environment.ts'

/** The state of a chat: the fields are set by the chat and its runs, each value in them is immutable. */
export interface ChatStore {
  conversation: Conversation
  connection: Connection
  error: AgentError | undefined
  queued: readonly QueuedMessage[]
  stateEdit: StateEdit | undefined
  /** The latest run; undefined before the first. */
  run: Run | undefined
  readonly warnings: GrowingList<AgentError>
}

export function createChatStore({ client, initialMessages = [], initialState }: ChatOptions): ChatStore {
  const { messages, queued, warnings, error, run, stateEdit } = initialState ?? {
    messages: uniqueMessages(initialMessages),
    queued: [],
    warnings: [],
  }
  return {
    conversation: { messages, turn: run?.turn },
    connection: idleConnection(client().retry.maxAttempts),
    error,
    queued,
    stateEdit,
    run: initialState && runOf(initialState),
    warnings: createGrowingList(warnings),
  }
}

/** What is shown of a store: `previous` itself when nothing of it has changed. */
export function snapshotOf(store: ChatStore, conversationId: string, previous: ChatSnapshot | undefined): ChatSnapshot {
  const { conversation, warnings, run: _, ...rest } = store
  const { messages } = conversation
  const next: ChatSnapshot = { ...rest, conversationId, messages, status: statusOf(store), warnings: warnings.items }
  // Both have exactly the keys of a snapshot.
  return previous !== undefined &&
    (Object.keys(next) as (keyof ChatSnapshot)[]).every((key) => previous[key] === next[key])
    ? previous
    : next
}

function statusOf(store: ChatStore): ChatStatus {
  const { run, conversation, error } = store
  const isLive = isUnderWay(run)
  if (isAwaitingInput(promptsAwaited(store))) return 'awaiting-input'
  if (isLive) return hasBegun(conversation) ? 'streaming' : 'submitted'
  return error === undefined ? 'ready' : 'error'
}

/** The prompts that the latest run waits for. Without a run they are those of one that another page has ended. */
export function promptsAwaited({ run, conversation }: ChatStore): readonly AskedPrompt[] {
  if (run !== undefined && !run.hasAsked) return []
  return awaitedPrompts(conversation.messages, isUnderWay(run))
}

/** What the protocol remembered last of a run, for commands about it. */
export function handleFor({ run, conversation }: ChatStore, requestId: string): unknown {
  const own = run?.requestId === requestId ? run.resumePoint.handle : undefined
  return own ?? handleOf(conversation.messages, requestId)
}

/** Whether sending is blocked now. */
export function isBusy(store: ChatStore): boolean {
  return isUnderWay(store.run) || promptsAwaited(store).length > 0
}

/** Publishes snapshots: immediately, or throttled to one per frame. */
export interface Publisher<Value> {
  get(): Value
  subscribe(listener: () => void): () => void
  /** Shows the newest value before the next paint; any number of calls make one publication. */
  schedule(): void
  /** Shows the newest value now. */
  flush(): void
  /** Forgets a scheduled publication. */
  cancel(): void
}

/**
 * @param read makes the newest value; called once per publication. An error of a listener is reported, and the other
 * listeners are still called.
 */
export function createPublisher<Value>(
  { frames, report }: Pick<Environment, 'frames' | 'report'>,
  read: (previous: Value | undefined) => Value,
): Publisher<Value> {
  const listeners = new Set<() => void>()
  let value = read(undefined)
  let cancelFrame: (() => void) | undefined

  function flush(): void {
    cancelFrame?.()
    cancelFrame = undefined
    const newest = read(value)
    if (newest === value) return
    value = newest
    for (const listener of [...listeners]) attempt(report, listener)
  }

  return {
    get: () => value,
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    schedule() {
      cancelFrame ??= frames.next(() => {
        cancelFrame = undefined
        flush()
      })
    },
    flush,
    cancel() {
      cancelFrame?.()
      cancelFrame = undefined
    },
  }
}

/** A list that grows often and is read seldom. */
interface GrowingList<Item> {
  push(item: Item): void
  /** All items as an immutable list: the same one until there is a new item. */
  readonly items: readonly Item[]
}

/** Makes a list that is copied when it is read, not when an item comes. */
export function createGrowingList<Item>(initial: readonly Item[] = []): GrowingList<Item> {
  let items = initial
  let added: Item[] = []
  return {
    push: (item) => void added.push(item),
    get items() {
      if (added.length > 0) items = [...items, ...added]
      added = []
      return items
    },
  }
}
