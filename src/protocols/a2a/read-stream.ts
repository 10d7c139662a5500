import { errorInit } from '../../base/agent-error.ts'
import { noop } from '../../base/noop.ts'
import { onAbort } from '../../base/on-abort.ts'
import { drain } from '../../seam/drain.ts'
import type { Delivery } from '../../seam/protocol.ts'
import type { A2AFrames, A2ATransport } from './a2a-transport.ts'
import { deliverFrame } from './deliver.ts'
import { codeOf, createA2AError, toA2AError } from './errors.ts'
import type { StreamResponse } from './messages.ts'
import type { Asking, Batches } from './task-queries.ts'
import { getTask, queryTask, settleTask, toBatch } from './task-queries.ts'
import type { TaskView } from './task-view.ts'

export interface StreamReading {
  readonly transport: A2ATransport
  readonly view: TaskView
  readonly asking: Asking
  /** Silence in milliseconds after which the agent is asked for the state of the task. */
  readonly probeMs: number
  /** Updates may have been lost before this stream, so its end is settled by GetTask. */
  readonly isResumed: boolean
  open(signal: AbortSignal): AsyncIterable<A2AFrames>
}

const SILENT_BUT_CHANGED = {
  kind: 'connection',
  code: 'timeout',
  severity: 'TRANSIENT',
  message: 'The connection was silent while the task went on, so it is lost.',
} as const

/**
 * Reads one stream until the task is at rest or the stream ends. A stream that is silent is probed, because it may be dead without
 * having ended. An error in the stream, and its end before the task's, say nothing about the task: the agent is asked.
 */
export async function* readStream({ transport, view, asking, probeMs, isResumed, open }: StreamReading): Batches {
  const own = new AbortController()
  const release = onAbort(asking.signal, () => own.abort())
  const reader = open(own.signal)[Symbol.asyncIterator]()
  let isDoubtful = isResumed
  let isTold = false
  let isOpen = true
  /** Whether anything came since the last tick. */
  let hasSpoken = true
  let ticking: Promise<'tick'> | undefined
  let turn = pending(reader.next())
  try {
    for (;;) {
      ticking ??= asking.wait(probeMs).then(() => 'tick' as const)
      const first = await Promise.race([ticking, turn.promise])
      if (first === 'tick') {
        ticking = undefined
        const { taskId } = view
        const isSilent = !hasSpoken && taskId !== undefined && !turn.isSettled
        hasSpoken = false
        if (asking.signal.aborted) return
        if (!isSilent) continue
        const task = await getTask(transport, taskId, own.signal)
        // The stream has sent events in the meantime, so the fetched task may be older.
        if (turn.isSettled) continue
        const batch = toBatch(task, view)
        yield batch
        if (view.isAtRest) return
        if (batch.deliveries.length > 0) throw createA2AError(SILENT_BUT_CHANGED)
        continue
      }
      hasSpoken = true
      if (first.done === true) break
      const deliveries: Delivery<StreamResponse>[] = []
      for (const frame of first.value.frames) {
        const { kind, delivery } = deliverFrame(frame, view, !isDoubtful)
        deliveries.push(delivery)
        if (kind !== 'unread') isTold = true
        if (kind === 'unread') isDoubtful = true
        if (kind === 'answered' || view.isAtRest) break
      }
      const handle = isTold ? view.handle : undefined
      yield { deliveries, handle, partial: first.value.partial }
      if (view.taskId !== undefined && isTold && view.isAtRest) {
        if (isDoubtful) yield* settleTask(transport, view.taskId, view, asking)
        isOpen = !(await drain(reader, asking.wait))
        return
      }
      turn = pending(reader.next())
    }
    if (view.taskId !== undefined) yield await queryTask(transport, view.taskId, view, asking.signal)
  } catch (error) {
    if (!isTold || view.taskId === undefined || codeOf(error) === undefined) throw error
    yield await queryTask(transport, view.taskId, view, asking.signal)
    if (!view.isAtRest) throw createA2AError({ ...errorInit(toA2AError(error)), severity: 'TRANSIENT' })
  } finally {
    release()
    if (isOpen) own.abort()
    reader.return?.().then(noop, noop)
  }
}

interface Pending<Value> {
  readonly promise: Promise<Value>
  isSettled: boolean
}

/** A promise that can be asked whether it is pending; its failure is heard by who awaits it, if anybody does. */
function pending<Value>(promise: Promise<Value>): Pending<Value> {
  const own: Pending<Value> = { promise, isSettled: false }
  const settle = (): void => {
    own.isSettled = true
  }
  promise.then(settle, settle)
  return own
}
