import { joined } from './artifact-parts.ts'
import type { Artifact, StreamResponse, Task, TaskArtifactUpdate } from './messages.ts'

/**
 * The task after one more event: a task replaces what was known, a status replaces the status, an artifact is replaced or grows. Text
 * that came in pieces is one part. Events of other tasks and messages change nothing.
 *
 * @param known undefined: nothing of it has come
 */
export function foldTask(taskId: string, known: Task | undefined, response: StreamResponse): Task | undefined {
  const { task, statusUpdate, artifactUpdate } = response
  if (task?.id === taskId) return { ...task, artifacts: task.artifacts?.map(inFewParts) }
  if (statusUpdate?.taskId === taskId)
    return { ...(known ?? emptyTask(taskId, statusUpdate.contextId)), status: statusUpdate.status }
  if (artifactUpdate?.taskId === taskId) {
    const before = known ?? emptyTask(taskId, artifactUpdate.contextId)
    return { ...before, artifacts: withArtifact(before.artifacts ?? [], artifactUpdate) }
  }
  return known
}

/** A task of which only an update has come. */
function emptyTask(id: string, contextId: string | undefined): Task {
  return { id, contextId, status: { state: 'TASK_STATE_UNSPECIFIED' } }
}

function inFewParts(artifact: Artifact): Artifact {
  return { ...artifact, parts: joined([], artifact.parts) }
}

function withArtifact(artifacts: readonly Artifact[], { artifact, append }: TaskArtifactUpdate): Artifact[] {
  const at = artifacts.findIndex(({ artifactId }) => artifactId === artifact.artifactId)
  const known = artifacts[at]
  if (known === undefined) return [...artifacts, inFewParts(artifact)]
  const next = append === true ? { ...known, parts: joined(known.parts, artifact.parts) } : inFewParts(artifact)
  return artifacts.with(at, next)
}
