import type { AgentError } from '../base/agent-error.ts'
import type { StateEdit } from '../seam/state-edit.ts'
import { idleConnection } from '../session/connection-state.ts'
import type { Connection } from '../session/connection.ts'
import type { ChatOptions } from './chat-options.ts'
import type { ChatSnapshot, ChatStatus } from './chat-snapshot.ts'
import type { QueuedMessage } from './conversation/message.ts'
import { runOf } from './chat-state.ts'
import type { Conversation } from './conversation/conversation.ts'
import { handleOf, hasBegun } from './conversation/conversation.ts'
import type { AskedPrompt } from './conversation/prompts.ts'
import { awaitedPrompts, isAwaitingInput } from './conversation/prompts.ts'
import { uniqueMessages } from './conversation/unique-messages.ts'
import type { GrowingList } from './growing-list.ts'
import { createGrowingList } from './growing-list.ts'
import type { Run } from './run.ts'
import { isUnderWay } from './run.ts'

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

/** Whether nothing else can be sent now. */
export function isBusy(store: ChatStore): boolean {
  return isUnderWay(store.run) || promptsAwaited(store).length > 0
}
