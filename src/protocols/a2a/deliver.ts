import { errorInit } from '../../base/agent-error.ts'
import type { AgentEvent } from '../../seam/agent-event.ts'
import type { Delivery } from '../../seam/protocol.ts'
import type { A2AFrame } from './a2a-transport.ts'
import { createA2AError, invalidResponse, toA2AError } from './errors.ts'
import { messageParts } from './artifact-parts.ts'
import type { CitationReaders } from './citations.ts'
import { citationParts } from './citations.ts'
import { ValidationError } from '../../base/format/validation-error.ts'
import { readStreamResponse } from './messages.ts'
import type { Message } from './messages.ts'
import type { StreamResponse } from './messages.ts'
import type { TaskView } from './task-view.ts'

/** What one frame gave. */
export interface Delivered {
  readonly delivery: Delivery<StreamResponse>
  /** `unread`: left out with a warning, so that something may be missing. `answered`: by a message, and the run has ended. */
  readonly kind: 'told' | 'unread' | 'answered'
}

/** One frame of a stream in neutral events. @param isFinal the run ends where the task is at rest */
export function deliverFrame({ response, fault, bytes }: A2AFrame, view: TaskView, isFinal: boolean): Delivered {
  if (fault !== undefined) return unread(fault, bytes)
  let read: StreamResponse
  try {
    read = readStreamResponse(response, 'result')
  } catch (error) {
    if (error instanceof ValidationError) return unread(invalidResponse(error.message), bytes)
    throw error
  }
  if (read.message !== undefined) {
    view.apply(read)
    return { kind: 'answered', delivery: deliverMessage(read.message, read, view.readers, bytes) }
  }
  return { kind: 'told', delivery: deliver(read, view, isFinal, bytes) }
}

/** An event of the task in neutral events. @param isFinal the run ends where the task is at rest */
export function deliver(
  response: StreamResponse,
  view: TaskView,
  isFinal: boolean,
  bytes?: number,
): Delivery<StreamResponse> {
  const { events, progress } = view.apply(response)
  const closing = isFinal && view.isAtRest ? view.closing() : []
  const streamId = view.taskId ?? ''
  return { events: [...events, ...closing], cursor: { streamId }, progress, source: response, bytes }
}

/** An answer without a task is a message and no more. */
function deliverMessage(
  message: Message,
  source: StreamResponse,
  readers: CitationReaders,
  bytes?: number,
): Delivery<StreamResponse> {
  const streamId = message.messageId || 'message'
  const parts = [...messageParts(message), ...citationParts(streamId, message.metadata, message.parts, readers)]
  const events = parts.map(({ partId, part }): AgentEvent =>
    part.type === 'text'
      ? { type: 'text', streamId, partId, text: part.text }
      : { type: 'part', streamId, partId, part },
  )
  return {
    events: [...events, { type: 'stream-closed', streamId }],
    cursor: { streamId },
    progress: true,
    source,
    bytes,
  }
}

function unread(error: unknown, bytes: number | undefined): Delivered {
  const warning = createA2AError({ ...errorInit(toA2AError(error)), severity: 'WARNING' })
  return { kind: 'unread', delivery: { event: { type: 'warning', error: warning }, progress: false, bytes } }
}
