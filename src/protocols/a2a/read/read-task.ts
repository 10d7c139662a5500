import type {
  Artifact,
  StreamResponse,
  Task,
  TaskArtifactUpdate,
  TaskStatusInfo,
  TaskStatusUpdate,
} from '../schema/task.ts'
import type { Reader } from './key-reader.ts'
import { ValidationError } from '../../../base/format/validation-error.ts'
import {
  listOf,
  members,
  object,
  optional,
  optionalFlag,
  optionalObject,
  optionalText,
  optionalTexts,
  text,
} from './key-reader.ts'
import { readMessage, readParts } from './read-message.ts'

const OLDER_STATE = /^(?:submitted|working|input-required|auth-required|completed|failed|canceled|rejected)$/

/** States of A2A 0.3 are written `input-required`. What is of neither version is kept as it is. */
function stateOf(state: string): string {
  if (state === 'unknown') return 'TASK_STATE_UNSPECIFIED'
  return OLDER_STATE.test(state) ? `TASK_STATE_${state.toUpperCase().replace('-', '_')}` : state
}

const readStatus: Reader<TaskStatusInfo> = /* @__PURE__ */ members<TaskStatusInfo>({
  state: (value, path) => stateOf(text(value, path)),
  message: optional(readMessage),
  timestamp: optionalText,
})

const readArtifact: Reader<Artifact> = /* @__PURE__ */ members<Artifact>({
  artifactId: text,
  name: optionalText,
  description: optionalText,
  parts: readParts,
  metadata: optionalObject,
  extensions: optionalTexts,
})

/** A task of A2A 1.0 or 0.3. */
export const readTask: Reader<Task> = /* @__PURE__ */ members<Task>({
  id: text,
  contextId: optionalText,
  status: readStatus,
  artifacts: optional(listOf(readArtifact)),
  history: optional(listOf(readMessage)),
  metadata: optionalObject,
})

const readStatusUpdate: Reader<TaskStatusUpdate> = /* @__PURE__ */ members<TaskStatusUpdate>({
  taskId: text,
  contextId: optionalText,
  status: readStatus,
  metadata: optionalObject,
})

const readArtifactUpdate: Reader<TaskArtifactUpdate> = /* @__PURE__ */ members<TaskArtifactUpdate>({
  taskId: text,
  contextId: optionalText,
  artifact: readArtifact,
  append: optionalFlag,
  lastChunk: optionalFlag,
  metadata: optionalObject,
})

const readWrapped: Reader<StreamResponse> = /* @__PURE__ */ members<StreamResponse>({
  task: optional(readTask),
  message: optional(readMessage),
  statusUpdate: optional(readStatusUpdate),
  artifactUpdate: optional(readArtifactUpdate),
})

/**
 * One event of a stream, or the answer to SendMessage: of A2A 1.0, in a wrapper that names it, or of 0.3, without one.
 *
 * @throws ValidationError for anything else, also for a member that is not known
 */
export const readStreamResponse: Reader<StreamResponse> = (value, path) => {
  const from = object(value, path)
  const response = readWrapped(from, path)
  const count = Object.keys(response).length
  if (count === 1) return response
  if (count === 0) {
    if (from.artifact !== undefined) return { artifactUpdate: readArtifactUpdate(from, path) }
    if (from.parts !== undefined) return { message: readMessage(from, path) }
    if (from.status !== undefined)
      return from.taskId === undefined ? { task: readTask(from, path) } : { statusUpdate: readStatusUpdate(from, path) }
  }
  const known = 'task, message, statusUpdate and artifactUpdate'
  throw new ValidationError(
    `${path} must have exactly one of ${known}, and has ${Object.keys(from).join(', ') || 'none'}`,
  )
}
