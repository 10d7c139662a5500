import type { AgentEvent, AgentPart, SnapshotPart, ToolCallStatus } from '../agent-event.ts'
import type { AgUiMessage, AgUiToolCall } from './schema/message.ts'
import { contentText } from './schema/message.ts'
import type { Thread } from './thread.ts'
import { keyOf } from './thread.ts'

export interface MergeContext {
  readonly streamId: string
  readonly thread: Thread
  /** The messages that the run began with. */
  readonly base: readonly AgUiMessage[]
  callEvent(callId: string): AgentEvent[]
  textEvents(message: AgUiMessage, delta: string): AgentEvent[]
  partOf(call: AgUiToolCall, status: ToolCallStatus): AgentPart
  /** Whether a call is of this run, or goes on in it. */
  isOwnCall(callId: string): boolean
}

/**
 * Merges a snapshot of the messages into the thread. It may bring results, and messages that were said otherwise; what only
 * has another id stays as it is shown.
 */
export function mergeSnapshot(messages: readonly AgUiMessage[], context: MergeContext): AgentEvent[] {
  const { streamId, thread, base, callEvent, textEvents, partOf, isOwnCall } = context
  const before = saidIn(thread, base, [])
  const answered = messages.flatMap(({ role, toolCallId }) =>
    role === 'tool' && toolCallId !== undefined && thread.result(toolCallId) === undefined ? [toolCallId] : [],
  )
  thread.replace(merged(thread.messages, messages))
  const after = saidIn(thread, base, before)
  const known = new Set(before.map(sameness))
  const said = new Set(after.map(sameness))
  const events: AgentEvent[] = []
  // What is shown keeps its place, whatever the order of the thread has become.
  if (before.every((message) => said.has(sameness(message)))) {
    for (const message of after) {
      if (known.has(sameness(message))) continue
      events.push(...textEvents(message, contentText(message.content)))
      for (const { id } of message.toolCalls ?? []) events.push(...callEvent(id))
    }
  } else events.push({ type: 'snapshot', streamId, parts: after.flatMap(partsOf) })
  for (const callId of answered) if (isOwnCall(callId)) events.push(...callEvent(callId))
  return events

  function partsOf({ id: messageId, content, toolCalls = [], subagentRunId }: AgUiMessage): SnapshotPart[] {
    if (subagentRunId !== undefined) return []
    const text = contentText(content)
    return [
      ...(text === '' ? [] : [{ partId: messageId, part: { type: 'text' as const, text } }]),
      ...toolCalls.map((call) => ({ partId: call.id, part: partOf(call, 'running') })),
    ]
  }
}

/** Replaces by id in place, adds what is new, and drops what is missing; reasoning and activities of which the snapshot has none stay. */
function merged(known: readonly AgUiMessage[], snapshot: readonly AgUiMessage[]): readonly AgUiMessage[] {
  const news = new Map(snapshot.map((message) => [keyOf(message), message]))
  const roles = new Set(snapshot.map(({ role }) => role))
  const kept = known.flatMap((message) => {
    const key = keyOf(message)
    const own = news.get(key)
    news.delete(key)
    // What is the same stays the same object, by which a change is known.
    if (own !== undefined) return JSON.stringify(own) === JSON.stringify(message) ? message : own
    return (message.role === 'activity' || message.role === 'reasoning') && !roles.has(message.role) ? message : []
  })
  return [...kept, ...news.values()]
}

/**
 * What the agent has said in this run: messages behind the last one of the user that are not those before under another name.
 * @param said what it had said before
 */
function saidIn(thread: Thread, base: readonly AgUiMessage[], said: readonly AgUiMessage[]): readonly AgUiMessage[] {
  const known = new Set(base.map(sameness))
  const ids = new Set(base.map(({ id }) => id))
  const last = thread.messages.findLastIndex(({ role }) => role === 'user')
  // A merged thread may have them before a question to which the snapshot gives another id.
  const own = new Set(said.map(({ id }) => id))
  return thread.messages
    .filter(({ id }, place) => place > last || own.has(id))
    .filter((message) => message.role === 'assistant' && !ids.has(message.id) && !known.has(sameness(message)))
}

/** What a message says, whatever it is called. */
function sameness({ content, toolCalls = [] }: AgUiMessage): string {
  return JSON.stringify([contentText(content), toolCalls.map(({ id }) => id)])
}
