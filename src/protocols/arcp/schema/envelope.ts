import * as z from 'zod/mini'
import { isExtensionName } from '../values/vocabulary.ts'
import { dateTime, jsonObject, maybeText, name, optional, text } from './json-schemas.ts'
import { payloadSchemas } from './payloads.ts'

/** The envelope around every payload (RFC section 6.1). Ids are opaque text. */
export const envelopeSchema = /* @__PURE__ */ z.object({
  arcp: text.check(z.regex(/^1(\.|$)/, 'must be version 1')),
  id: name,
  type: name,
  timestamp: dateTime,
  payload: jsonObject,
  source: maybeText,
  target: maybeText,
  session_id: maybeText,
  job_id: maybeText,
  stream_id: maybeText,
  subscription_id: maybeText,
  trace_id: maybeText,
  span_id: maybeText,
  parent_span_id: maybeText,
  correlation_id: maybeText,
  causation_id: maybeText,
  idempotency_key: maybeText,
  priority: optional(z.enum(['low', 'normal', 'high', 'critical'])),
  extensions: optional(
    jsonObject.check(
      z.refine(
        (extensions) => Object.keys(extensions).every((key) => key === 'optional' || isExtensionName(key)),
        'must have namespaced keys',
      ),
    ),
  ),
})

/** A whole message: envelope, and the payload of its type. Types of extensions have any payload. */
export const messageSchema = /* @__PURE__ */ envelopeSchema.check((context) => {
  const { type, payload, session_id: sessionId } = context.value
  const schemas: Readonly<Record<string, z.ZodMiniType | undefined>> = payloadSchemas
  const schema = Object.hasOwn(schemas, type) ? schemas[type] : undefined
  if (schema === undefined) {
    if (!isExtensionName(type))
      context.issues.push({ code: 'custom', input: type, path: ['type'], message: 'is no type of ARCP 1.0' })
    return
  }
  if (type === 'tool.invoke' && sessionId === undefined)
    context.issues.push({ code: 'custom', input: sessionId, path: ['session_id'], message: 'must be there' })
  for (const { message, path } of schema.safeParse(payload)['error']?.issues ?? [])
    context.issues.push({ code: 'custom', input: payload, path: ['payload', ...path], message })
})

/** The envelope of a message. */
export type ArcpEnvelope = z.output<typeof envelopeSchema>
