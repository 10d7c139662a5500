import type { AgentEvent, AgentPart, ToolCallStatus } from '../../seam/agent-event.ts'
import { STATE_PART_ID, statePart } from '../../seam/state-part.ts'
import { callPart } from './call-parts.ts'
import type { AgUiRequest } from './request.ts'
import type { RareContext, RareEvents } from './rare-events.ts'
import type { Deviation } from './events.ts'
import type { AgUiEvent } from './events.ts'
import type { AgUiMessage, AgUiToolCall } from './messages.ts'
import { contentText } from './messages.ts'
import type { Thread } from './thread.ts'
import { kindOf, withMetadata } from './thread.ts'
import type { WorkLog } from './work-log.ts'

interface ThreadWriterOptions {
  readonly streamId: string
  readonly thread: Thread
  /** The messages that the run began with. */
  readonly base: readonly AgUiMessage[]
  readonly answered: AgUiRequest['answered']
  /** Calls that the run has made; written to. */
  readonly calls: Set<string>
  readonly state: unknown
  readonly isTouched: boolean
  /** The edit of the user that the run takes along. Absent: none. */
  readonly stateEdit: string | undefined
  readonly deviate: Deviation
  /** Steps and subagents, for events that are rare. */
  work(): WorkLog
  isOpen(callId: string): boolean
}

/** Writes events into the thread, and says what that shows. */
export interface ThreadWriter {
  readonly state: unknown
  /** The agent has sent a state. */
  readonly isTouched: boolean
  /** Calls of runs before that continue in this one: they are not announced again. */
  answeredCalls(): AgentEvent[]
  /** The state that the run begins with, where the user has changed it. */
  editedState(): AgentEvent[]
  /** The part of a call. @param status that of a call without a result */
  callEvent(callId: string, status: ToolCallStatus): AgentEvent[]
  /** Undefined: the event has no place and is left out. */
  write(event: AgUiEvent, context: WriteContext): AgentEvent[] | undefined
}

interface WriteContext {
  /** Needed for events that are rare. */
  readonly rare: RareEvents | undefined
  /** Text for a message that has begun: without the message, a snapshot has withdrawn it. */
  readonly wasWithdrawn: boolean
}

export function createThreadWriter(options: ThreadWriterOptions): ThreadWriter {
  const { streamId, thread, base, answered, calls, deviate, work, isOpen, stateEdit } = options
  let { state, isTouched } = options
  /** The last thing that the agent itself has shown is text. */
  let endsWithText = false

  const streamOf = (subagentRunId: string | undefined): string =>
    subagentRunId === undefined ? streamId : `${streamId}/${subagentRunId}`
  const isDenied = (id: string): boolean => Object.hasOwn(answered, id) && answered[id] === 'denied'

  function partEvent(partId: string, part: AgentPart, agent?: string): AgentEvent {
    if (agent === undefined) endsWithText = false
    return { type: 'part', streamId: streamOf(agent), partId, part }
  }

  function partOf(call: AgUiToolCall, status: ToolCallStatus): AgentPart {
    return callPart(call, thread.result(call.id), status, isDenied(call.id))
  }

  const isOwnCall = (id: string): boolean => calls.has(id) || Object.hasOwn(answered, id)

  function callEvent(callId: string, status: ToolCallStatus = isOpen(callId) ? 'preparing' : 'running'): AgentEvent[] {
    const found = thread.call(callId)
    if (found === undefined) return []
    return [partEvent(callId, partOf(found.call, status), found.message.subagentRunId)]
  }

  /** @param message the delta is in it */
  function textEvents(message: AgUiMessage, delta: string): AgentEvent[] {
    if (message.role !== 'assistant' || delta === '') return []
    const { id, content, subagentRunId } = message
    // Two messages with nothing between them are two paragraphs.
    const isNext = subagentRunId === undefined && endsWithText && contentText(content) === delta
    if (subagentRunId === undefined) endsWithText = true
    return [{ type: 'text', streamId: streamOf(subagentRunId), partId: id, text: isNext ? `\n\n${delta}` : delta }]
  }

  function thoughtEvent({ id, content, subagentRunId }: AgUiMessage, status: 'running' | 'complete'): AgentEvent {
    return partEvent(id, { type: 'thought', text: contentText(content), status }, subagentRunId)
  }

  /** The state is beside what the agent says: it begins no paragraph. */
  function setState(next: unknown): AgentEvent[] {
    state = next
    isTouched = true
    return [{ type: 'part', streamId, partId: STATE_PART_ID, part: statePart(state, stateEdit) }]
  }

  function context(): RareContext {
    return {
      streamId,
      thread,
      base,
      work: work(),
      deviate,
      state,
      setState,
      callEvent,
      textEvents,
      partOf,
      isOwnCall,
      partEvent,
    }
  }

  function putText(id: string, role: AgUiMessage['role'], event: AgUiEvent, name?: string): AgUiMessage {
    const named = name === undefined ? {} : { name }
    const message = thread.get(kindOf(role), id) ?? { id, role, content: '', ...named, ...agentOf(event) }
    const own = withMetadata(message, event.metadata)
    thread.put(own)
    return own
  }

  /** Adds the text to a message that is there. */
  function grow(message: AgUiMessage, delta: string, { metadata }: AgUiEvent): AgUiMessage {
    const own = withMetadata({ ...message, content: contentText(message.content) + delta }, metadata)
    thread.put(own)
    return own
  }

  function startCall(event: Extract<AgUiEvent, { readonly type: 'TOOL_CALL_START' }>): AgentEvent[] {
    const { toolCallId: id, toolCallName: name, parentMessageId } = event
    calls.add(id)
    if (thread.call(id) === undefined) {
      const parent = thread.get('text', parentMessageId ?? id)
      // A call belongs to an assistant, whatever the server names.
      const messageId = parent === undefined || parent.role === 'assistant' ? (parentMessageId ?? id) : id
      const message = thread.get('text', messageId) ?? { id: messageId, role: 'assistant', ...agentOf(event) }
      thread.putCall(message, { id, type: 'function', function: { name, arguments: '' } })
    }
    describeCall(id, event)
    return callEvent(id)
  }

  /** Metadata of an event of a call are those of the call. */
  function describeCall(id: string, { metadata }: AgUiEvent): void {
    const found = metadata === undefined ? undefined : thread.call(id)
    if (found !== undefined) thread.putCall(found.message, withMetadata(found.call, metadata))
  }

  return {
    get state() {
      return state
    },
    get isTouched() {
      return isTouched
    },
    answeredCalls: () => Object.keys(answered).flatMap((id) => callEvent(id)),
    editedState: () => (stateEdit === undefined ? [] : setState(state)),
    callEvent,
    write(event, { rare, wasWithdrawn }) {
      switch (event.type) {
        case 'TEXT_MESSAGE_START': {
          const { messageId, role, name } = event
          const isOther = role === 'developer' || role === 'system' || role === 'user'
          putText(messageId, isOther ? role : 'assistant', event, name)
          return []
        }
        case 'TEXT_MESSAGE_CONTENT': {
          const known = thread.get('text', event.messageId)
          if (known === undefined && wasWithdrawn) return undefined
          const message = grow(known ?? putText(event.messageId, 'assistant', event), event.delta, event)
          return textEvents(message, event.delta)
        }
        case 'TEXT_MESSAGE_END': {
          const known = thread.get('text', event.messageId)
          if (known !== undefined) thread.put(withMetadata(known, event.metadata))
          return []
        }
        case 'TOOL_CALL_START':
          return startCall(event)
        case 'TOOL_CALL_ARGS': {
          const found = thread.call(event.toolCallId)
          if (found === undefined) return undefined
          const { name, arguments: input } = found.call.function
          thread.putCall(found.message, { ...found.call, function: { name, arguments: input + event.delta } })
          describeCall(event.toolCallId, event)
          return callEvent(event.toolCallId)
        }
        case 'TOOL_CALL_END':
          describeCall(event.toolCallId, event)
          return callEvent(event.toolCallId)
        case 'TOOL_CALL_RESULT': {
          const { messageId: id, toolCallId, content } = event
          thread.put(
            withMetadata<AgUiMessage>({ id, role: 'tool', toolCallId, content, ...agentOf(event) }, event.metadata),
          )
          return callEvent(toolCallId)
        }
        case 'REASONING_MESSAGE_START':
          return [thoughtEvent(putText(event.messageId, 'reasoning', event), 'running')]
        case 'REASONING_MESSAGE_CONTENT': {
          const known = thread.get('reasoning', event.messageId)
          return known && [thoughtEvent(grow(known, event.delta, event), 'running')]
        }
        case 'REASONING_MESSAGE_END': {
          const known = thread.get('reasoning', event.messageId)
          return known ? [thoughtEvent(known, 'complete')] : []
        }
        case 'STATE_SNAPSHOT':
          return setState(event.snapshot)
        default:
          return rare === undefined ? [] : rare.write(event, context())
      }
    },
  }
}

/** Whose an event is: nothing of the agent itself. */
function agentOf({ subagentRunId }: AgUiEvent): Pick<AgUiMessage, 'subagentRunId'> {
  return subagentRunId === undefined ? {} : { subagentRunId }
}
