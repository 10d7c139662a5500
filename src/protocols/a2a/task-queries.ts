import { read } from '../../base/format/shape.ts'
import type { Batch, Opening } from '../../seam/protocol.ts'
import type { A2ATransport } from './a2a-transport.ts'
import { deliver } from './deliver.ts'
import { codeOf, createA2AError, RPC } from './errors.ts'
import { TASK } from './messages.ts'
import type { StreamResponse, Task } from './messages.ts'
import type { TaskView } from './task-view.ts'

/** Batches of a run. */
export type Batches = AsyncGenerator<Batch<StreamResponse>, void>

/** What a query needs of the attempt that makes it. */
export type Asking = Pick<Opening<unknown>, 'signal' | 'wait'>

const NOT_STORED = {
  kind: 'connection',
  code: 'truncated',
  severity: 'TRANSIENT',
  message: 'The stream of the task ended, and the agent does not say yet how the task did.',
} as const

const GONE = {
  kind: 'runtime',
  code: 'log_expired',
  severity: 'FATAL',
  message: 'The agent no longer knows this task, so the answer cannot be resumed. Ask again.',
} as const

/** Most polls of a task whose end was reported but is not stored yet; each wait is twice the previous one. */
const MOST_SETTLES = 5
const FIRST_SETTLE_MS = 250

/** GetTask without its history. @throws A2AError `log_expired` when the task is gone */
export async function getTask(transport: A2ATransport, id: string, signal: AbortSignal): Promise<Task> {
  try {
    return read(TASK, await transport.getTask({ id, historyLength: 0 }, { signal }), 'task')
  } catch (error) {
    throw codeOf(error) === RPC.taskNotFound ? createA2AError({ ...GONE, cause: error }) : error
  }
}

/** State of the task: a snapshot if it is another one than is known, and the end of the run if it is at rest. */
export async function queryTask(
  transport: A2ATransport,
  id: string,
  view: TaskView,
  signal: AbortSignal,
): Promise<Batch<StreamResponse>> {
  return toBatch(await getTask(transport, id, signal), view)
}

/** A task that was asked for, as a batch; an empty one when it says nothing new. */
export function toBatch(task: Task, view: TaskView): Batch<StreamResponse> {
  if (view.isSame(task) && !view.rests(task)) return { deliveries: [] }
  const delivery = deliver({ task }, view, true)
  return { deliveries: [delivery], handle: view.handle }
}

/** Polls until the end of the task is stored, which may be later than its report. */
export async function* settleTask(transport: A2ATransport, id: string, view: TaskView, asking: Asking): Batches {
  for (let failures = 0; failures < MOST_SETTLES; failures++) {
    const task = await getTask(transport, id, asking.signal)
    if (view.rests(task)) {
      yield toBatch(task, view)
      return
    }
    await asking.wait(FIRST_SETTLE_MS * 2 ** failures)
    yield { deliveries: [] }
  }
  throw createA2AError(NOT_STORED)
}

/** Asks every `pollMs` until the task is at rest: no connection is open in between. */
export async function* pollTask(
  transport: A2ATransport,
  id: string,
  view: TaskView,
  { signal, wait }: Asking,
  pollMs: number,
): Batches {
  while (!view.isAtRest) {
    await wait(pollMs)
    if (signal.aborted) return
    yield await queryTask(transport, id, view, signal)
  }
}
