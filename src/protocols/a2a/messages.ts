import type { Elementary, ValueOf } from '../../base/format/shape.ts'
import { anything, flag, object, read, text } from '../../base/format/shape.ts'
import { ValidationError } from '../../base/format/validation-error.ts'
import { isJsonObject } from '../../base/json-object.ts'

/** One part of a message or an artifact: `text`, `raw` (base64), `url` or `data` (any JSON), and what it is. */
export const PART = {
  'text?': text,
  'raw?': text,
  'url?': text,
  data: anything,
  'filename?': text,
  'mediaType?': text,
  'metadata?': object,
}

/** In 0.3, files and links are objects. */
export function readPart(value: unknown, path: string): Part {
  const part = object(value, path)
  const file = part.file ?? part.fileUrl
  if (!isJsonObject(file)) return read(PART, part, path)
  const { name, mimeType, mediaType, bytes, uri, url } = file
  const { metadata } = part
  const rewritten = { raw: bytes, url: uri ?? url, filename: name, mediaType: mediaType ?? mimeType, metadata }
  return read(PART, rewritten, path)
}

/** ProtoJSON leaves out a list that is empty. */
export const readParts: Elementary<Part[]> = (value = [], path) => read([readPart], value, path)

const ROLES: ReadonlyMap<unknown, string> = new Map([
  ['user', 'ROLE_USER'],
  ['agent', 'ROLE_AGENT'],
])

export const readRole: Elementary<string> = (value, path) => text(ROLES.get(value) ?? value, path)

/** The id may be missing in what servers keep. */
export const readMessageId: Elementary<string> = (value = '', path) => text(value, path)

/** A message. `role` is ROLE_USER or ROLE_AGENT. */
export const MESSAGE = {
  messageId: readMessageId,
  role: readRole,
  parts: readParts,
  'contextId?': text,
  'taskId?': text,
  'metadata?': object,
  'extensions?': [text],
  'referenceTaskIds?': [text],
}

const OLDER_STATE = /^(?:submitted|working|input-required|auth-required|completed|failed|canceled|rejected)$/

/** States of A2A 0.3 are written `input-required`. Those of neither version are passed on. */
export function readState(value: unknown, path: string): string {
  const state = text(value, path)
  if (state === 'unknown') return 'TASK_STATE_UNSPECIFIED'
  return OLDER_STATE.test(state) ? `TASK_STATE_${state.toUpperCase().replace('-', '_')}` : state
}

/** Where a task is. `state` is a TASK_STATE_… of A2A 1.0, or any text that a later version has. */
const STATUS = {
  state: readState,
  'message?': MESSAGE,
  'timestamp?': text,
}

/** What a task produces. Its parts are joined without anything between them. */
export const ARTIFACT = {
  artifactId: text,
  'name?': text,
  'description?': text,
  parts: readParts,
  'metadata?': object,
  'extensions?': [text],
}

/** A task as a whole. */
export const TASK = {
  id: text,
  'contextId?': text,
  status: STATUS,
  'artifacts?': [ARTIFACT],
  'history?': [MESSAGE],
  'metadata?': object,
}

/** The task has another state. */
const STATUS_UPDATE = {
  taskId: text,
  'contextId?': text,
  status: STATUS,
  'metadata?': object,
}

/** An artifact is new, replaced, or grows by these parts (`append`). */
const ARTIFACT_UPDATE = {
  taskId: text,
  'contextId?': text,
  artifact: ARTIFACT,
  'append?': flag,
  'lastChunk?': flag,
  'metadata?': object,
}

export const MEMBERS = 'must have exactly one of task, message, statusUpdate and artifactUpdate'

/** One event of a stream in the form of 1.0: a wrapper that names it. */
export const WRAPPED = {
  'task?': TASK,
  'message?': MESSAGE,
  'statusUpdate?': STATUS_UPDATE,
  'artifactUpdate?': ARTIFACT_UPDATE,
}

/**
 * One event of a stream, and the answer to SendMessage: of A2A 1.0, in a wrapper that names it, or of 0.3, without one.
 *
 * @throws ValidationError for anything else, also for a member that is not known
 */
export function readStreamResponse(value: unknown, path: string): StreamResponse {
  const from = object(value, path)
  const response = read(WRAPPED, from, path)
  const count = Object.keys(response).length
  if (count === 1) return response
  if (count === 0) {
    if (from.artifact !== undefined) return { artifactUpdate: read(ARTIFACT_UPDATE, from, path) }
    if (from.parts !== undefined) return { message: read(MESSAGE, from, path) }
    if (from.status !== undefined)
      return from.taskId === undefined
        ? { task: read(TASK, from, path) }
        : { statusUpdate: read(STATUS_UPDATE, from, path) }
  }
  throw new ValidationError(`${path} ${MEMBERS}, and has ${Object.keys(from).join(', ') || 'none'}`)
}

/** One part of a message or an artifact. */
export type Part = ValueOf<typeof PART>
/** A message of the user or the agent. */
export type Message = ValueOf<typeof MESSAGE>
/** Where a task is. */
export type TaskStatusInfo = ValueOf<typeof STATUS>
/** What a task produces. */
export type Artifact = ValueOf<typeof ARTIFACT>
/** A task as a whole. */
export type Task = ValueOf<typeof TASK>
/** An artifact is new, replaced, or grows. */
export type TaskArtifactUpdate = ValueOf<typeof ARTIFACT_UPDATE>
/** One event of a stream: exactly one of the four members. */
export type StreamResponse = ValueOf<typeof WRAPPED>
