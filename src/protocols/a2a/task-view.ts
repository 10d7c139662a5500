import type { AgentEvent, SnapshotPart } from '../../seam/agent-event.ts'
import type { A2AError } from './errors.ts'
import { createA2AError } from './errors.ts'
import type { A2AHandle } from './handle.ts'
import type { ShownArtifact } from './artifact-parts.ts'
import {
  artifactParts,
  fingerprintOf,
  isProse,
  joined,
  messageParts,
  replyParts,
  sizeOf,
  partsText,
} from './artifact-parts.ts'
import type { CitationReaders } from './citations.ts'
import { citationParts, KNOWN_CITATIONS } from './citations.ts'
import { inputPrompt, questionId, signInPrompt } from './task-prompt.ts'
import type { Artifact, StreamResponse, Task, TaskArtifactUpdate, TaskStatusInfo } from './messages.ts'
import { isKnownState, isTerminal, taskStatusOf } from './task-state.ts'

/** What one event of a stream means. */
export interface TaskChange {
  readonly events: readonly AgentEvent[]
  /** It is new, and not a repetition of what was known. */
  readonly progress: boolean
}

/** A task as one connection has reported it. A snapshot replaces it, updates change it. */
export interface TaskView {
  /** Absent until the first event of the task. */
  readonly taskId: string | undefined
  /** Whether the task waits for nothing but its end, or for the user: nothing more comes in this run. */
  readonly isAtRest: boolean
  readonly handle: A2AHandle
  /** Of citations, by the URI of their extension. */
  readonly readers: CitationReaders
  apply(response: StreamResponse): TaskChange
  /** Whether the task, as GetTask gave it, says no more than what is known. */
  isSame(task: Task): boolean
  /** Whether the task, as GetTask gave it, is at rest. */
  rests(task: Task): boolean
  /** The events that end the run, once the task is at rest. Called once. */
  closing(): AgentEvent[]
}

const TASK_PART = 'task'

/**
 * @param before what was remembered of the run, or of the one before that it answers
 * @param readers of citations, by the URI of their extension
 */
export function createTaskView(before: A2AHandle, readers: CitationReaders = KNOWN_CITATIONS): TaskView {
  let { taskId, contextId, asked, signIn } = before
  const { shown = {} } = before
  /** What the task held when it asked: of the next run those artifacts are none. */
  let next = before.shown
  /** Artifacts that changed in this run. */
  const touched = new Set<string>()
  let size = before.size ?? 0
  let status: TaskStatusInfo | undefined
  let isClosed = false
  let artifacts = new Map<string, ShownArtifact>()
  const warned = new Set<string>()

  const fingerprints = new WeakMap<Artifact, number>()
  const fingerprint = (artifact: Artifact): number => {
    const known = fingerprints.get(artifact) ?? fingerprintOf(artifact.parts)
    fingerprints.set(artifact, known)
    return known
  }

  /** Artifacts of the answer before are not repeated in this one. */
  const visible = (): ShownArtifact[] =>
    [...artifacts.values()].filter(({ artifact }) => {
      const before = shown[artifact.artifactId]
      return touched.has(artifact.artifactId) || before === undefined || before !== fingerprint(artifact)
    })

  const replyOf = (): string | undefined =>
    visible().find(({ artifact }) => artifact.parts.some(isProse))?.artifact.artifactId

  function partsOf(each: ShownArtifact, reply: string | undefined): SnapshotPart[] {
    const { artifactId, metadata, parts } = each.artifact
    const shown = artifactId === reply ? replyParts(each) : artifactParts(each)
    return [...shown, ...citationParts(artifactId, metadata, parts, readers)]
  }

  function held(): number {
    let all = 0
    for (const { artifact } of artifacts.values()) all += sizeOf(artifact.parts)
    return all
  }

  const streamId = (): string => taskId ?? ''
  const put = ({ partId, part }: SnapshotPart): AgentEvent =>
    part.type === 'text'
      ? { type: 'text', streamId: streamId(), partId, text: part.text }
      : { type: 'part', streamId: streamId(), partId, part }

  /** Of a task that answers in its last status and has no text of its own. */
  function statusReply(): SnapshotPart[] {
    if (status?.message === undefined || taskStatusOf(status) !== 'completed' || replyOf() !== undefined) return []
    const { messageId, metadata, parts } = status.message
    return [...messageParts(status.message), ...citationParts(messageId, metadata, parts, readers)]
  }

  function taskPart(): SnapshotPart {
    const state = status === undefined ? 'unknown' : taskStatusOf(status)
    const isSaidElsewhere =
      state.endsWith('-required') || state === 'failed' || state === 'rejected' || statusReply().length > 0
    const detail = isSaidElsewhere ? '' : partsText(status?.message?.parts ?? [])
    return { partId: TASK_PART, part: { type: 'task', status: state, detail: detail || undefined } }
  }

  function snapshot(): AgentEvent {
    const reply = replyOf()
    const parts = [taskPart(), ...visible().flatMap((each) => partsOf(each, reply)), ...statusReply()]
    return { type: 'snapshot', streamId: streamId(), parts }
  }

  /** What a state asks of the user in mid-run, and what it no longer asks. */
  function statusEvents(now: TaskStatusInfo): AgentEvent[] {
    const state = taskStatusOf(now)
    const events: AgentEvent[] = []
    const id = state === 'auth-required' ? questionId(streamId(), now) : undefined
    if (signIn !== undefined && signIn !== id)
      events.push({
        type: 'prompt-settled',
        streamId: streamId(),
        promptId: signIn,
        state: state === 'canceled' || state === 'failed' || state === 'rejected' ? 'withdrawn' : 'answered',
      })
    if (id !== undefined && signIn !== id) events.push({ type: 'prompt', prompt: signInPrompt(streamId(), now) })
    signIn = id
    if (state !== 'input-required') asked = undefined
    if (!isKnownState(now) && !warned.has(now.state)) {
      warned.add(now.state)
      events.push({ type: 'warning', streamId: streamId(), error: unknownState(now.state) })
    }
    return events
  }

  function replace(task: Task): TaskChange {
    taskId = task.id
    contextId = task.contextId ?? contextId
    status = task.status
    const isWhole = isTerminal(taskStatusOf(status))
    artifacts = new Map(
      (task.artifacts ?? []).map((artifact) => [
        artifact.artifactId,
        {
          artifact: { ...artifact, parts: joined([], artifact.parts) },
          isWhole: isWhole || artifacts.get(artifact.artifactId)?.isWhole === true,
        },
      ]),
    )
    const now = held()
    const progress = now > size
    size = Math.max(now, size)
    return { events: [snapshot(), ...statusEvents(task.status)], progress }
  }

  function setStatus(now: TaskStatusInfo): TaskChange {
    if (status !== undefined && isSameStatus(status, now)) return { events: [], progress: false }
    const unfinished = [...artifacts].filter(([, { isWhole }]) => !isWhole)
    status = now
    if (isTerminal(taskStatusOf(now)))
      for (const [id, each] of unfinished) artifacts.set(id, { ...each, isWhole: true })
    else unfinished.length = 0
    const reply = replyOf()
    const grown = unfinished.flatMap(([id]) => (id === reply ? [] : eventsOf(id, reply)))
    return { events: [...grown, put(taskPart()), ...statusReply().map(put), ...statusEvents(now)], progress: true }
  }

  function eventsOf(id: string, reply: string | undefined): AgentEvent[] {
    const each = visible().find(({ artifact }) => artifact.artifactId === id)
    return each === undefined ? [] : partsOf(each, reply).map(put)
  }

  function update({ artifact, append, lastChunk }: TaskArtifactUpdate): TaskChange {
    const { artifactId } = artifact
    const known = artifacts.get(artifactId)
    const reply = replyOf()
    const isShown = visible().some((each) => each.artifact.artifactId === artifactId)
    touched.add(artifactId)
    const isGrowth = append === true && known !== undefined
    const parts = joined(isGrowth ? known.artifact.parts : [], artifact.parts)
    const metadata = isGrowth ? { ...known.artifact.metadata, ...artifact.metadata } : artifact.metadata
    const named: Artifact = { ...(isGrowth ? known.artifact : artifact), parts, metadata }
    artifacts.set(artifactId, { artifact: named, isWhole: lastChunk === true })
    size = Math.max(size, held())
    const replyNow = replyOf()
    // One of the answer before that changes in this one has its place in the task, which may be before what is shown already.
    const isLast = visible().at(-1)?.artifact.artifactId === artifactId
    // What was shown as the answer, or as this artifact, is another one now: text can only be added to.
    if ((known !== undefined && !isGrowth) || (reply !== undefined && reply !== replyNow) || (!isShown && !isLast))
      return { events: [snapshot()], progress: true }
    const progress = artifact.parts.length > 0 || artifact.metadata !== undefined
    if (artifactId !== replyNow || reply === undefined) return { events: eventsOf(artifactId, replyNow), progress }
    const text = partsText(artifact.parts.filter(isProse))
    const others = eventsOf(artifactId, replyNow).filter(({ type }) => type !== 'text')
    return {
      events: [...(text === '' ? [] : [put({ partId: artifactId, part: { type: 'text', text } })]), ...others],
      progress,
    }
  }

  function isRest(now: TaskStatusInfo): boolean {
    const state = taskStatusOf(now)
    return isTerminal(state) || (state === 'input-required' && questionId(streamId(), now) !== asked)
  }

  return {
    readers,
    get taskId() {
      return taskId
    },
    get isAtRest() {
      return isClosed || (status !== undefined && isRest(status))
    },
    get handle() {
      return { taskId, contextId, asked, signIn, size, shown: next }
    },
    apply({ task, message, statusUpdate, artifactUpdate }) {
      contextId = message?.contextId ?? contextId
      if (task !== undefined) return replace(task)
      taskId ??= statusUpdate?.taskId ?? artifactUpdate?.taskId
      if (statusUpdate !== undefined) return setStatus(statusUpdate.status)
      return artifactUpdate === undefined ? { events: [], progress: false } : update(artifactUpdate)
    },
    isSame(task) {
      const now = (task.artifacts ?? []).reduce((all, { parts }) => all + sizeOf(joined([], parts)), 0)
      return status !== undefined && isSameStatus(status, task.status) && now === held()
    },
    rests: (task) => isRest(task.status),
    closing() {
      isClosed = true
      if (status === undefined) return []
      const state = taskStatusOf(status)
      switch (state) {
        case 'failed':
        case 'rejected':
          return [{ type: 'stream-failed', streamId: streamId(), error: taskError(state, status) }]
        case 'canceled':
          return [{ type: 'stream-closed', streamId: streamId(), outcome: 'cancelled' }]
        case 'input-required':
          asked = questionId(streamId(), status)
          next = Object.fromEntries([...artifacts].map(([id, { artifact }]) => [id, fingerprint(artifact)]))
          return [
            { type: 'prompt', prompt: inputPrompt(streamId(), status) },
            { type: 'stream-closed', streamId: streamId(), outcome: 'awaiting-input' },
          ]
        default:
          return [{ type: 'stream-closed', streamId: streamId() }]
      }
    },
  }
}

function isSameStatus(one: TaskStatusInfo, other: TaskStatusInfo): boolean {
  return (
    one.state === other.state &&
    one.message?.messageId === other.message?.messageId &&
    partsText(one.message?.parts ?? []) === partsText(other.message?.parts ?? [])
  )
}

function taskError(state: 'failed' | 'rejected', { message }: TaskStatusInfo): A2AError {
  return createA2AError({
    kind: 'runtime',
    code: 'agent_error',
    severity: 'FATAL',
    message:
      partsText(message?.parts ?? []) ||
      (state === 'failed' ? 'The agent could not finish this task.' : 'The agent does not take on this task.'),
    agentCode: `task_${state}`,
  })
}

function unknownState(state: string): A2AError {
  return createA2AError({
    kind: 'protocol',
    code: 'invalid_packet',
    severity: 'WARNING',
    message: `The task has the state ${JSON.stringify(state.slice(0, 60))}, which is not known here.`,
  })
}
