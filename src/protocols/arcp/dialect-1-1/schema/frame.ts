import * as z from 'zod/mini'
import { count, jsonObject, maybeText, name, optional } from '../../schema/json-schemas.ts'
import { isVendorName, needsJob, needsSequence, needsSession } from '../values/frame-rules.ts'
import { eventSchemas } from './events.ts'
import { framePayloadSchemas } from './payloads.ts'

/** A whole message of ARCP 1.1: its envelope, the payload of its type, and the body of its kind. */
export const frameSchema = /* @__PURE__ */ z
  .object({
    arcp: z.literal('1.1', 'must be 1.1'),
    id: name,
    type: name,
    session_id: maybeText,
    trace_id: maybeText,
    job_id: maybeText,
    event_seq: optional(count),
    payload: jsonObject,
  })
  .check((context) => {
    const { type, payload, session_id: sessionId, job_id: jobId, event_seq: sequence } = context.value
    const fault = (message: string, path: PropertyKey[]): void =>
      void context.issues.push({ code: 'custom', input: context.value, path, message })
    const check = (schema: z.ZodMiniType, value: unknown, at: PropertyKey[]): void => {
      for (const { message, path } of schema.safeParse(value).error?.issues ?? []) fault(message, [...at, ...path])
    }
    const payloads: Readonly<Record<string, z.ZodMiniType | undefined>> = framePayloadSchemas
    const schema = Object.hasOwn(payloads, type) ? payloads[type] : undefined
    if (schema === undefined) {
      if (!isVendorName(type)) fault('is no type of ARCP 1.1', ['type'])
      return
    }
    if (needsSession(type) && sessionId === undefined) fault('must be there', ['session_id'])
    if (needsJob(type) && jobId === undefined) fault('must be there', ['job_id'])
    if (needsSequence(type) && sequence === undefined) fault('must be there', ['event_seq'])
    check(schema, payload, ['payload'])
    if (type !== 'job.event') return
    const { kind, body } = payload
    const bodies: Readonly<Record<string, z.ZodMiniType | undefined>> = eventSchemas
    const known = typeof kind === 'string' && Object.hasOwn(bodies, kind) ? bodies[kind] : undefined
    if (known !== undefined) check(known, body, ['payload', 'body'])
  })
