import * as z from 'zod/mini'
import { flag, jsonObject, optional, text, texts } from './json-schemas.ts'
import { messageSchema, partsSchema } from './message.ts'

/** Where a task is. `state` is a TASK_STATE_… of A2A 1.0, or any text that a later version has. */
export const taskStatusSchema = /* @__PURE__ */ z.object({
  state: text,
  message: optional(messageSchema),
  timestamp: optional(text),
})

/** What a task produces. Its parts are joined without anything between them. */
export const artifactSchema = /* @__PURE__ */ z.object({
  artifactId: text,
  name: optional(text),
  description: optional(text),
  parts: partsSchema,
  metadata: optional(jsonObject),
  extensions: texts,
})

/** A task as a whole (A2A 1.0). */
export const taskSchema = /* @__PURE__ */ z.object({
  id: text,
  contextId: optional(text),
  status: taskStatusSchema,
  artifacts: optional(z.array(artifactSchema)),
  history: optional(z.array(messageSchema)),
  metadata: optional(jsonObject),
})

/** The task has another state. */
export const taskStatusUpdateSchema = /* @__PURE__ */ z.object({
  taskId: text,
  contextId: optional(text),
  status: taskStatusSchema,
  metadata: optional(jsonObject),
})

/** An artifact is new, replaced, or grows by these parts (`append`). */
export const taskArtifactUpdateSchema = /* @__PURE__ */ z.object({
  taskId: text,
  contextId: optional(text),
  artifact: artifactSchema,
  append: flag,
  lastChunk: flag,
  metadata: optional(jsonObject),
})

/** One event of a stream, and the answer to SendMessage: exactly one of the four members (A2A 1.0). */
export const streamResponseSchema = /* @__PURE__ */ z
  .object({
    task: optional(taskSchema),
    message: optional(messageSchema),
    statusUpdate: optional(taskStatusUpdateSchema),
    artifactUpdate: optional(taskArtifactUpdateSchema),
  })
  .check(
    z.refine(
      (value) => Object.values(value).filter((member) => member !== undefined).length === 1,
      'must have exactly one of task, message, statusUpdate and artifactUpdate',
    ),
  )

/** Where a task is. */
export type TaskStatusInfo = z.output<typeof taskStatusSchema>
/** What a task produces. */
export type Artifact = z.output<typeof artifactSchema>
/** A task as a whole. */
export type Task = z.output<typeof taskSchema>
/** The task has another state. */
export type TaskStatusUpdate = z.output<typeof taskStatusUpdateSchema>
/** An artifact is new, replaced, or grows. */
export type TaskArtifactUpdate = z.output<typeof taskArtifactUpdateSchema>
/** One event of a stream: exactly one of the four members. */
export type StreamResponse = z.output<typeof streamResponseSchema>
