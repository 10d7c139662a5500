import { applyJsonPatch, type JsonPatchOperation, applyBoundedPatch } from '../../base/json-patch.ts'
import { isJsonObject } from '../../base/json-object.ts'
import type { AgentEvent, AgentPart, SnapshotPart, ToolCallStatus } from '../../seam/agent-event.ts'
import { STATE_KEPT } from '../../seam/state-part.ts'
import { createChunkLanes } from './chunk-lanes.ts'
import { createAgUiError } from './errors.ts'
import { ValidationError } from '../../base/format/validation-error.ts'
import type { Deviation } from './events.ts'
import { readMessage } from './snapshot-messages.ts'
import { readOutcome } from './outcome.ts'
import type { AgUiEvent } from './events.ts'
import type { AgUiInterrupt } from './outcome.ts'
import { type AgUiMessage, type AgUiToolCall, contentText } from './messages.ts'
import { kindOf, withMetadata, type Thread, keyOf } from './thread.ts'
import { type WorkLog, createWorkLog } from './work-log.ts'
import { isString } from '../../base/guards.ts'

const OPERATIONS: ReadonlySet<unknown> = new Set(['add', 'remove', 'replace', 'move', 'copy', 'test'])
const isPointer = (value: unknown): value is string => isString(value) && /^(?:$|\/)/.test(value)

/**
 * The operations of a patch (RFC 6902). Those that are not known are left out.
 *
 * @throws ValidationError
 */
function readPatch(list: readonly unknown[]): readonly JsonPatchOperation[] {
  return list.flatMap((operation) => {
    if (!isJsonObject(operation) || !isString(operation['op']))
      throw new ValidationError('an operation of a patch is none')
    const { op, path, from, value } = operation
    if (!OPERATIONS.has(op)) return []
    const isMove = op === 'move' || op === 'copy'
    const hasRest = op === 'remove' || (isMove ? isPointer(from) : Object.hasOwn(operation, 'value'))
    if (!isPointer(path) || !hasRest)
      throw new ValidationError(`an operation ${JSON.stringify(op)} of a patch lacks a member`)
    // A move or a copy has a pointer there.
    return [isMove ? { op, path, from: from as string } : { op, path, value }]
  })
}

export interface RareContext extends MergeContext {
  readonly work: WorkLog
  readonly deviate: Deviation
  readonly state: unknown
  setState(state: unknown): AgentEvent[]
  partEvent(partId: string, part: AgentPart, subagentRunId?: string): AgentEvent
}

/**
 * What reads the events that many servers send none of: chunks, snapshots, patches, activities, steps, subagents, and outcomes that ask.
 * It is loaded with the first of them.
 */
export interface RareEvents {
  readonly createChunkLanes: typeof createChunkLanes
  readonly createWorkLog: typeof createWorkLog
  readonly readOutcome: typeof readOutcome
  /** The question of an event `on_interrupt`, whose value is text, or JSON as text. */
  interruptOf(value: unknown, count: number): AgUiInterrupt
  /**
   * Undefined: the event has no place and is left out.
   * @throws ValidationError
   */
  write(event: AgUiEvent, context: RareContext): AgentEvent[] | undefined
}

export const rareEvents: RareEvents = { createChunkLanes, createWorkLog, readOutcome, interruptOf, write }

function write(event: AgUiEvent, context: RareContext): AgentEvent[] | undefined {
  const { thread, work, deviate, state, setState, partEvent } = context
  const activityEvent = (id: string, name: string, data: unknown): AgentEvent[] => [
    partEvent(id, { type: 'data', data, name }),
  ]
  switch (event.type) {
    case 'RUN_STARTED':
      for (const message of messagesOf(event.messages, deviate))
        if (thread.get(kindOf(message.role), message.id) === undefined) thread.put(message)
      return []
    case 'MESSAGES_SNAPSHOT':
      return mergeSnapshot(messagesOf(event.messages, deviate), context)
    case 'STEP_STARTED':
    case 'STEP_FINISHED':
    case 'SUBAGENT_STARTED':
    case 'SUBAGENT_FINISHED':
    case 'SUBAGENT_ERROR': {
      const { partId, part } = work.partOf(event)
      return [partEvent(partId, part, part.type === 'progress' ? event.subagentRunId : undefined)]
    }
    case 'STATE_DELTA': {
      const next = applyBoundedPatch(state, readPatch(event.delta))
      if (next !== undefined) return setState(next.document)
      const error = createAgUiError(STATE_KEPT)
      return [
        { type: 'warning', streamId: context.streamId, error },
        { type: 'diagnostic', diagnostic: { kind: 'skipped-packet', error, raw: JSON.stringify(event) } },
      ]
    }
    case 'ACTIVITY_SNAPSHOT': {
      const { messageId: id, activityType, content, subagentRunId, metadata } = event
      const known = thread.get('activity', id)
      if (event.replace === false && known !== undefined) {
        thread.put(withMetadata(known, metadata))
        return []
      }
      const own = { id, role: 'activity', activityType, content } as const
      const before = known?.metadata === undefined ? {} : { metadata: known.metadata }
      thread.put(withMetadata({ ...own, ...(subagentRunId !== undefined && { subagentRunId }), ...before }, metadata))
      return activityEvent(id, activityType, content)
    }
    case 'ACTIVITY_DELTA': {
      const patch = readPatch(event.patch)
      const found = thread.get('activity', event.messageId)
      if (found === undefined) return undefined
      // Metadata do not depend on whether the patch fits.
      const known = withMetadata(found, event.metadata)
      const activityType = event.activityType ?? known.activityType ?? ''
      const next = applyJsonPatch(known.content, patch)
      const content = next !== undefined && isJsonObject(next.document) ? next.document : undefined
      thread.put(content === undefined ? known : { ...known, activityType, content })
      return content && activityEvent(known.id, activityType, content)
    }
    case 'REASONING_ENCRYPTED_VALUE': {
      const { subtype, entityId, encryptedValue } = event
      const found = subtype === 'tool-call' ? thread.call(entityId) : undefined
      if (found) thread.putCall(found.message, { ...found.call, encryptedValue })
      if (subtype !== 'message') return found && []
      const message = thread.get('reasoning', entityId) ?? thread.get('text', entityId) ?? thread.get('tool', entityId)
      if (message) thread.put({ ...message, encryptedValue })
      return message && []
    }
    default:
      return []
  }
}

function interruptOf(value: unknown, count: number): AgUiInterrupt {
  const message = typeof value === 'string' && !/^\s*[{["]/.test(value) ? { message: value } : {}
  return { id: `on_interrupt-${count}`, reason: 'on_interrupt', ...message, metadata: value, via: 'command' }
}

function messagesOf(list: readonly unknown[], deviate: Deviation): readonly AgUiMessage[] {
  return list.flatMap((message) => readMessage(message, deviate) ?? [])
}

interface MergeContext {
  readonly streamId: string
  readonly thread: Thread
  /** The messages that the run began with. */
  readonly base: readonly AgUiMessage[]
  callEvent(callId: string): AgentEvent[]
  textEvents(message: AgUiMessage, delta: string): AgentEvent[]
  partOf(call: AgUiToolCall, status: ToolCallStatus): AgentPart
  /** Whether a call is of this run, or continues in it. */
  isOwnCall(callId: string): boolean
}

/**
 * Merges a snapshot of the messages into the thread. It may bring results, and messages that were said otherwise; what only
 * has another id stays as it is shown.
 */
function mergeSnapshot(messages: readonly AgUiMessage[], context: MergeContext): AgentEvent[] {
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
 * The agent's messages of this run: those after the user's last message, without renamed earlier ones.
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
