import { isJsonObject } from '../../base/json-object.ts'
import type { AgentEvent } from '../../seam/agent-event.ts'
import type { Usage } from '../../seam/usage.ts'
import type { Delivery } from '../../seam/protocol.ts'
import { STATE_PART_ID, statePart } from '../../seam/state-part.ts'
import { CUT_BY_MODEL, createAiSdkError } from './errors.ts'
import type { AiSdkHandle } from './handle.ts'
import type { ClientTool } from './call-prompt.ts'
import { approvalPrompt, outputPrompt, promptIdOf } from './call-prompt.ts'
import { shownParts, textId } from './message-parts.ts'
import type { UiMessageChunk } from './chunks.ts'
import { toolNameOf } from './messages.ts'
import type { Change } from './ui-message-draft.ts'
import { createUiMessageDraft } from './ui-message-draft.ts'

/** How a body ended: by `[DONE]`, in order without it, or broken. */
export type BodyEnd = 'done' | 'eof' | 'broken'

/** The chunks of an answer in neutral events, and how it ends. The ordinal of a chunk is its number. */
export interface AnswerReading {
  /** Chunks read, those of the connections before included. */
  readonly seen: number
  readonly handle: AiSdkHandle
  /** The server has reported the end, and more chunks may follow. */
  readonly hasFinish: boolean
  /** The run has ended: nothing more is read. */
  readonly isOver: boolean
  /** @param frameId empty: the frame has none */
  take(chunk: UiMessageChunk, frameId: string, bytes: number): Delivery<UiMessageChunk>
  /**
   * The outcome of the run at the end of the stream. Undefined: the answer was cut, and a new connection may have the rest.
   *
   * @throws AiSdkError `truncated` when the server itself says that its model was cut
   */
  conclude(end: BodyEnd): Delivery<UiMessageChunk> | undefined
}

export interface AnswerReadingOptions {
  readonly requestId: string
  /** What is known of the answer: the run so far, or the answer it continues. */
  readonly known: AiSdkHandle
  /** Whether `[DONE]` without `finish` is an end. */
  readonly isTolerant: boolean
  readonly clientTools: Readonly<Record<string, ClientTool>>
  /** The state that the run begins with, where the user has changed it. Absent: they have not. */
  readonly sent?: { readonly state: unknown } | undefined
}

export function createAnswerReading(options: AnswerReadingOptions): AnswerReading {
  const { requestId, known, isTolerant, clientTools, sent } = options
  const { chatId, stateEdit } = known
  const streamId = requestId
  const draft = createUiMessageDraft(known)
  let seen = known.seen ?? 0
  let { first, firstId, lastId } = known
  let finishReason: string | undefined
  /** Number of parts when the server reported the end. */
  let finishedAt: number | undefined
  let isOver = false

  const delivery = (
    events: readonly AgentEvent[],
    more: Omit<Delivery<UiMessageChunk>, 'event' | 'events' | 'cursor' | 'progress'> = {},
  ): Delivery<UiMessageChunk> => {
    const [event] = events
    const all = { ...more, cursor: { streamId, seq: seen }, progress: events.length > 0 }
    return events.length === 1 && event !== undefined ? { ...all, event } : { ...all, events }
  }

  function partEvents(index: number, isAwaited = false): AgentEvent[] {
    const context = { isAwaited, stateEdit }
    return shownParts(draft.parts, index, draft.from, context).flatMap(({ partId, part }): AgentEvent[] =>
      // The text itself comes by its deltas.
      part.type === 'text' ? [] : [{ type: 'part', streamId, partId, part }],
    )
  }

  function eventsOf(change: Change): AgentEvent[] {
    const { parts } = draft
    if (change.type === 'text') {
      const { index, delta } = change
      return delta === '' ? [] : [{ type: 'text', streamId, partId: textId(index), text: delta }]
    }
    if (change.type === 'reset') {
      const shown = parts.flatMap((_part, index) =>
        index < draft.from ? [] : shownParts(parts, index, draft.from, { stateEdit }),
      )
      return [{ type: 'snapshot', streamId, parts: [...new Map(shown.map((part) => [part.partId, part])).values()] }]
    }
    const { index } = change
    const events = partEvents(index)
    const part = parts[index]
    if (change.type === 'asked' && part !== undefined)
      events.push({ type: 'prompt', prompt: approvalPrompt({ streamId, requestId, part, index }) })
    if (change.type === 'settled')
      events.push({
        type: 'prompt-settled',
        streamId,
        promptId: promptIdOf(requestId, index),
        state: part?.state === 'output-denied' || part?.approval?.approved === false ? 'declined' : 'answered',
      })
    return events
  }

  function failed(message: string): AgentEvent {
    const error = createAiSdkError({ kind: 'runtime', code: 'agent_error', severity: 'FATAL', message })
    return { type: 'stream-failed', streamId, error }
  }

  function specialEvents(chunk: UiMessageChunk): AgentEvent[] {
    switch (chunk.type) {
      case 'start':
        return [{ type: 'run-started', runId: chunk.messageId }]
      case 'unknown':
        return [
          {
            type: 'part',
            streamId,
            partId: `unknown-${seen}`,
            part: { type: 'unknown', name: chunk.name, raw: chunk.raw },
          },
        ]
      case 'error':
        isOver = true
        return [failed(chunk.errorText || 'The agent reported an error and said nothing more about it.')]
      case 'abort':
        isOver = true
        return [{ type: 'run-finished', outcome: 'cancelled', response: { reason: chunk.reason } }]
      default:
        return []
    }
  }

  /** What the run ends with: the questions that its answer leaves, a limit that it met, what it took. */
  function lastEvents(): AgentEvent[] {
    const { parts, metadata } = draft
    const events: AgentEvent[] = []
    let isAwaiting = false
    for (const [index, part] of parts.entries()) {
      if (index < draft.from) continue
      if (part.state === 'approval-requested' && part.approval?.isAutomatic !== true) isAwaiting = true
      const waits = part.state === 'input-available' && part.providerExecuted !== true
      if (!waits || (finishReason !== 'tool-calls' && finishReason !== undefined)) continue
      isAwaiting = true
      const name = toolNameOf(part)
      const tool = Object.hasOwn(clientTools, name) ? clientTools[name] : undefined
      events.push(...partEvents(index, true))
      events.push({ type: 'prompt', prompt: outputPrompt({ streamId, requestId, part, index }, tool) })
    }
    const notice = finishReason === undefined ? undefined : NOTICES[finishReason]
    if (notice !== undefined)
      events.push({
        type: 'part',
        streamId,
        partId: 'finish',
        part: { type: 'notice', message: notice, code: finishReason },
      })
    const usage = usageOf(metadata)
    if (usage !== undefined) events.push({ type: 'usage', streamId, usage })
    const response = { finishReason, metadata }
    events.push({ type: 'run-finished', response, outcome: isAwaiting ? 'awaiting-input' : 'complete' })
    return events
  }

  return {
    get seen() {
      return seen
    },
    get handle() {
      const { message, from, open } = draft
      return {
        chatId,
        message,
        seen,
        from,
        first,
        firstId,
        lastId,
        open,
        ...(stateEdit !== undefined && { stateEdit }),
      }
    },
    get hasFinish() {
      return finishedAt !== undefined
    },
    get isOver() {
      return isOver
    },
    take(chunk, frameId, bytes) {
      first ??= chunk.type
      if (frameId !== '') {
        firstId ??= frameId
        lastId = frameId
      }
      const change = draft.apply(chunk)
      if (chunk.type === 'finish') {
        finishReason = chunk.finishReason
        finishedAt = draft.parts.length
      }
      // Something else begins behind the end: servers join the streams of several models.
      if (chunk.type === 'start' || chunk.type === 'start-step') finishedAt = undefined
      const events = change === undefined ? specialEvents(chunk) : eventsOf(change)
      if (seen === 0 && stateEdit !== undefined && sent !== undefined)
        events.unshift({ type: 'part', streamId, partId: STATE_PART_ID, part: statePart(sent.state, stateEdit) })
      const taken = delivery(events, { source: chunk, bytes })
      seen += 1
      return taken
    },
    conclude(end) {
      const isDone = finishedAt !== undefined && !draft.isOpenFrom(finishedAt)
      const isOpen = draft.isOpenFrom(draft.from)
      if (isDone && finishReason === 'error')
        return over([failed('The agent reported an error and said nothing more about it.')])
      if (isDone && (finishReason === 'interrupted' || (isOpen && isVague(finishReason))))
        throw createAiSdkError(CUT_BY_MODEL)
      const isPlainEnd = isTolerant && end === 'done' && !isOpen && draft.parts.length > draft.from
      return isDone || isPlainEnd ? over(lastEvents()) : undefined
    },
  }

  function over(events: AgentEvent[]): Delivery<UiMessageChunk> {
    isOver = true
    return delivery(events)
  }
}

/** Reasons that a server gives when it does not know why its model has stopped. */
function isVague(reason: string | undefined): boolean {
  return reason !== undefined && !KNOWN_REASONS.has(reason)
}

const KNOWN_REASONS: ReadonlySet<string> = new Set(['stop', 'length', 'content-filter', 'tool-calls', 'error'])

const NOTICES: Readonly<Record<string, string | undefined>> = {
  length: 'The answer ends here because it has reached its length limit.',
  'content-filter': 'The answer ends here because of a content filter.',
}

/** Usage, where the app puts it into the metadata of the message, as the guide of the AI SDK shows. */
function usageOf(metadata: unknown): Usage | undefined {
  const { totalUsage, usage = totalUsage } = isJsonObject(metadata) ? metadata : {}
  if (!isJsonObject(usage)) return undefined
  const count = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
  const { inputTokens, outputTokens, totalTokens } = usage
  const counted = {
    inputTokens: count(inputTokens),
    outputTokens: count(outputTokens),
    totalTokens: count(totalTokens),
  }
  return Object.values(counted).some((value) => value !== undefined) ? counted : undefined
}
