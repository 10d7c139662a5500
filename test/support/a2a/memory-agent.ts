import { read } from '../../../src/base/format/shape.ts'
import { AgentError } from '../../../src/base/agent-error.ts'
import type { A2AFrames, A2ATransport } from '../../../src/protocols/a2a/a2a-transport.ts'
import { createA2AError } from '../../../src/protocols/a2a/errors.ts'
import { MESSAGE } from '../../../src/protocols/a2a/messages.ts'
import { TASK } from '../../../src/protocols/a2a/messages.ts'
import type { Part } from '../../../src/protocols/a2a/messages.ts'
import type { Artifact, StreamResponse, Task } from '../../../src/protocols/a2a/messages.ts'

/** What becomes of a POST: it arrives and its answer does not, or it does not arrive. */
export type PostFault = 'answer-lost' | 'lost'

/** An agent in memory, in place of a network: a transport, and what drives the task of each message. It needs no clock. */
export interface MemoryAgent {
  readonly transport: A2ATransport
  /** Calls in order, by their name. */
  readonly calls: readonly string[]
  /** Ids of the messages that arrived. */
  readonly messages: readonly string[]
  /** Streams that are open. */
  readonly streams: number
  /** Calls that have not been answered. */
  readonly pending: number
  /** The task of the last message. */
  readonly task: Task
  /** Faults of POSTs to come, in order. */
  readonly postFaults: (PostFault | undefined)[]
  /** Whether ListTasks is refused. @default false */
  cannotList: boolean
  /** Whether the answer of CancelTask is an error with this code. Absent: the task is cancelled. */
  cancelCode: string | undefined
  /** How many answers of CancelTask give a task that continues. @default 0 */
  slowCancels: number
  /** Whether every stream is cut as soon as its snapshot was given. @default false */
  cutsAfterSnapshot: boolean
  /** Changes the task, and tells all streams. */
  tell(response: StreamResponse): void
  status(state: string, text?: string, messageId?: string): void
  append(artifactId: string, text: string): void
  /** Sends a frame to all streams that changes no task. */
  send(frame: unknown): void
  /** Ends all streams as if all had been said, with an error of the agent, or by a reset. */
  cut(how: 'end' | 'reset' | 'error'): void
  /** The streams that are open never give anything again, and do not end. */
  mute(): void
}

interface Stream {
  readonly queue: unknown[]
  ending: 'end' | 'reset' | 'error' | undefined
  isMute: boolean
  wake: () => void
}

const reset = (): AgentError =>
  new AgentError({ kind: 'connection', code: 'network_error', severity: 'TRANSIENT', message: 'The connection broke.' })

export const rpcError = (agentCode: string, message = 'Refused.'): AgentError =>
  createA2AError({ kind: 'runtime', code: 'agent_error', severity: 'FATAL', agentCode, message })

export function createMemoryAgent(): MemoryAgent {
  const tasks: Task[] = []
  const open = new Set<Stream>()
  const calls: string[] = []
  const messages: string[] = []
  const postFaults: (PostFault | undefined)[] = []
  let current = -1
  let pending = 0

  const taskNow = (): Task => {
    const task = tasks[current]
    if (task === undefined) throw new Error('No message has come.')
    return task
  }

  function replace(task: Task): void {
    tasks[tasks.findIndex(({ id }) => id === task.id)] = task
  }

  function apply({ statusUpdate, artifactUpdate }: StreamResponse): void {
    const task = taskNow()
    if (statusUpdate !== undefined) replace({ ...task, status: statusUpdate.status })
    if (artifactUpdate === undefined) return
    const { artifact, append } = artifactUpdate
    const known = task.artifacts?.find(({ artifactId }) => artifactId === artifact.artifactId)
    const parts: Part[] = append === true ? [...(known?.parts ?? []), ...artifact.parts] : artifact.parts
    const next: Artifact = { ...artifact, parts }
    const others = (task.artifacts ?? []).map((each) => (each === known ? next : each))
    replace({ ...task, artifacts: known === undefined ? [...others, next] : others })
  }

  /** The task of a message: a new one, or the one that it names. */
  function take(value: unknown): Task {
    const message = read(MESSAGE, value, 'message')
    messages.push(message.messageId)
    const known = tasks.findIndex(({ id }) => id === message.taskId)
    if (known >= 0) {
      current = known
      replace({ ...taskNow(), history: [...(taskNow().history ?? []), message] })
    } else {
      current = tasks.length
      const id = `task-${current + 1}`
      tasks.push({
        id,
        contextId: message.contextId ?? 'ctx-1',
        status: { state: 'TASK_STATE_SUBMITTED' },
        history: [message],
      })
    }
    return taskNow()
  }

  function call(name: string): void {
    calls.push(name)
  }

  const find = (id: unknown): Task => {
    const task = tasks.find((each) => each.id === id)
    if (task === undefined) throw rpcError('-32001')
    return task
  }

  const isOver = ({ status }: Task): boolean => /COMPLETED|FAILED|CANCELED|REJECTED/.test(status.state)

  async function* stream(first: Task, signal: AbortSignal): AsyncGenerator<A2AFrames> {
    const own: Stream = { queue: [{ task: first }], ending: undefined, isMute: false, wake: () => undefined }
    if (agent.cutsAfterSnapshot) own.ending = 'reset'
    open.add(own)
    const wake = (): void => own.wake()
    signal.addEventListener('abort', wake)
    try {
      yield { frames: [] }
      for (;;) {
        if (signal.aborted) throw reset()
        const frames = own.queue.splice(0).map((response) => ({ response }))
        if (frames.length > 0) yield { frames }
        else if (own.ending === 'end') return
        else if (own.ending === 'reset') throw reset()
        else if (own.ending === 'error') throw rpcError('-32004', 'Stream ordering violation')
        else
          await new Promise<void>((resolve) => {
            own.wake = resolve
          })
      }
    } finally {
      open.delete(own)
      signal.removeEventListener('abort', wake)
    }
  }

  async function counted<Value>(name: string, work: () => Value): Promise<Value> {
    call(name)
    pending += 1
    try {
      await Promise.resolve()
      return structuredClone(work())
    } finally {
      pending -= 1
    }
  }

  function send(frame: unknown): void {
    for (const each of open) {
      if (each.isMute) continue
      each.queue.push(structuredClone(frame))
      each.wake()
    }
  }

  const transport: A2ATransport = {
    sendMessage: ({ message }) => counted('SendMessage', () => ({ task: take(message) })),
    async *sendMessageStream({ message }, { signal }) {
      call('SendStreamingMessage')
      const fault = postFaults.shift()
      if (fault === 'lost') throw reset()
      const task = structuredClone(take(message))
      if (fault === 'answer-lost') throw reset()
      yield* stream(task, signal)
    },
    async *resubscribe({ id }, { signal }) {
      call('SubscribeToTask')
      const task = find(id)
      if (isOver(task)) throw rpcError('-32004')
      yield* stream(structuredClone(task), signal)
    },
    getTask: ({ id }) => counted('GetTask', () => find(id)),
    listTasks: () =>
      counted('ListTasks', () => {
        if (agent.cannotList) throw rpcError('-32601')
        return { tasks: tasks.toReversed() }
      }),
    cancelTask: ({ id }) =>
      counted('CancelTask', () => {
        if (agent.cancelCode !== undefined) throw rpcError(agent.cancelCode)
        agent.slowCancels -= 1
        if (agent.slowCancels < 0) replace({ ...find(id), status: { state: 'TASK_STATE_CANCELED' } })
        return find(id)
      }),
  }

  const agent: MemoryAgent = {
    transport,
    calls,
    messages,
    postFaults,
    cannotList: false,
    cancelCode: undefined,
    slowCancels: 0,
    cutsAfterSnapshot: false,
    get streams() {
      return open.size
    },
    get pending() {
      return pending
    },
    get task() {
      return read(TASK, taskNow(), 'task')
    },
    tell(response) {
      apply(response)
      send(response)
    },
    status(state, text, messageId = `m-${calls.length}-${state}`) {
      const message = text === undefined ? undefined : { messageId, role: 'ROLE_AGENT', parts: [{ text }] }
      agent.tell({ statusUpdate: { taskId: taskNow().id, status: { state: `TASK_STATE_${state}`, message } } })
    },
    append(artifactId, text) {
      const append = taskNow().artifacts?.some((each) => each.artifactId === artifactId) === true
      agent.tell({ artifactUpdate: { taskId: taskNow().id, artifact: { artifactId, parts: [{ text }] }, append } })
    },
    send,
    cut(how) {
      for (const each of open) {
        if (each.isMute) continue
        each.ending = how
        each.wake()
      }
    },
    mute() {
      for (const each of open) each.isMute = true
    },
  }
  return agent
}
