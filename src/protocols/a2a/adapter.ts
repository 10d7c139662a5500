import { errorInit } from '../../base/agent-error.ts'
import type { AgentProtocol, Opening } from '../../seam/protocol.ts'
import type { A2ATransport } from './a2a-transport.ts'
import { deliverFrame } from './deliver.ts'
import type { A2AError } from './errors.ts'
import { codeOf, createA2AError, invalidResponse, RPC, toA2AError } from './errors.ts'
import { deliveryUnknown, findTask } from './find-task.ts'
import { readHandle } from './handle.ts'
import type { CitationReaders } from './citations.ts'
import { KNOWN_CITATIONS } from './citations.ts'
import type { StreamReading } from './read-stream.ts'
import { readStream } from './read-stream.ts'
import type { A2ARequest, MessageRequest } from './request.ts'
import { sendParams } from './request.ts'
import type { StreamResponse } from './messages.ts'
import type { Batches } from './task-queries.ts'
import { pollTask, queryTask } from './task-queries.ts'
import type { TaskView } from './task-view.ts'
import { createTaskView } from './task-view.ts'

export interface A2AProtocolOptions {
  readonly transport: A2ATransport
  /** Whether the agent streams. False: its tasks are polled. Absent: it is tried. */
  readonly streaming?: boolean | undefined
  /** Silence of a stream, in milliseconds, after which the agent is asked for the state of the task. @default 25_000 */
  readonly probeMs?: number | undefined
  /** Interval of polls in milliseconds, where the agent does not stream. @default 2_000 */
  readonly pollMs?: number | undefined
  /** Readers of further citation extensions, by the URI that is their key in `metadata`. @default {} */
  readonly citations?: CitationReaders | undefined
}

/**
 * A2A as an `AgentProtocol`: one message and its task, in neutral events. Only the first attempt of a run sends the message; later ones
 * find the task and subscribe to it.
 */
export function a2aProtocol(options: A2AProtocolOptions): AgentProtocol<A2ARequest, StreamResponse> {
  const { transport, streaming, probeMs = 25_000, pollMs = 2_000, citations } = options
  const readers = { ...KNOWN_CITATIONS, ...citations }

  async function* run(opening: Opening<A2ARequest>): Batches {
    const { request, attempt, restored = false, handle, signal } = opening
    const own = readHandle(handle)
    const after = request.message === undefined ? {} : { ...request.after, taskId: undefined }
    const known = handle === undefined ? after : own
    const isSent = attempt > 0 || restored || handle !== undefined
    if (request.message !== undefined && !isSent) return yield* send(opening, request, createTaskView(known, readers))
    const found =
      own.taskId ??
      (request.message === undefined ? request.taskId : await findTask(transport, request.message, signal))
    if (found === undefined) throw deliveryUnknown()
    const taskId = typeof found === 'string' ? found : found.id
    const view = createTaskView({ ...known, taskId }, readers)
    // The agent has the message.
    yield { deliveries: [], handle: view.handle }
    yield* follow(opening, taskId, view)
  }

  function read(
    opening: Opening<A2ARequest>,
    view: TaskView,
    reading: Pick<StreamReading, 'open' | 'isResumed'>,
  ): Batches {
    return readStream({ transport, view, asking: opening, probeMs, ...reading })
  }

  /** The one POST of a run. */
  async function* send(opening: Opening<A2ARequest>, request: MessageRequest, view: TaskView): Batches {
    const { signal } = opening
    const params = sendParams(request)
    let isAnswered = streaming === false
    try {
      if (streaming !== false) {
        const open: StreamReading['open'] = (own) => transport.sendMessageStream(params, { signal: own })
        for await (const batch of read(opening, view, { isResumed: false, open })) {
          isAnswered = true
          yield batch
        }
        return
      }
    } catch (error) {
      if (isAnswered) throw error
      // An agent that does not stream has refused, and done nothing with the message.
      if (codeOf(error) !== RPC.unsupportedOperation) throw asRefusal(error)
    }
    const configuration = { ...request.configuration, returnImmediately: true }
    const answer = await transport.sendMessage({ ...params, configuration }, { signal }).catch((error: unknown) => {
      throw asRefusal(error)
    })
    const { kind, delivery } = deliverFrame({ response: answer }, view, true)
    yield { deliveries: [delivery], handle: kind === 'unread' ? undefined : view.handle }
    if (kind === 'unread') throw invalidResponse('the answer is neither a task nor a message')
    if (view.taskId !== undefined) yield* pollTask(transport, view.taskId, view, opening, pollMs)
  }

  async function* follow(opening: Opening<A2ARequest>, taskId: string, view: TaskView): Batches {
    let isHeard = false
    try {
      if (streaming !== false) {
        const open: StreamReading['open'] = (own) => transport.resubscribe({ id: taskId }, { signal: own })
        for await (const batch of read(opening, view, { isResumed: true, open })) {
          if (batch.deliveries.length > 0) isHeard = true
          yield batch
        }
        return
      }
    } catch (error) {
      // A task that has ended cannot be subscribed to, nor one of an agent that does not stream.
      if (isHeard || codeOf(error) === undefined || codeOf(error) === RPC.internalError) throw error
    }
    yield await queryTask(transport, taskId, view, opening.signal)
    yield* pollTask(transport, taskId, view, opening, pollMs)
  }

  return {
    name: 'A2A',
    server: transport.server,
    createError: createA2AError,
    followsUp: true,
    async *open(opening) {
      try {
        yield* run(opening)
      } catch (error) {
        throw toA2AError(error)
      }
    },
    async act(command, { signal }) {
      try {
        // What sends commands is loaded with the first of them.
        const { sendA2ACommand } = await import('./cancel-task.ts')
        return await sendA2ACommand(transport, command, signal)
      } catch (error) {
        throw toA2AError(error)
      }
    },
  }
}

/** The agent answered the message with an error: it has refused it, and whether to try again is not for us to decide. */
function asRefusal(error: unknown): A2AError {
  const typed = toA2AError(error)
  return codeOf(typed) === undefined ? typed : createA2AError({ ...errorInit(typed), severity: 'FATAL' })
}
