import * as z from 'zod/mini'
import { count, jsonObject, maybeText, name, number, optional, text } from '../../schema/json-schemas.ts'
import { LOG_LEVELS } from '../../values/telemetry.ts'
import { errorSchema } from './session.ts'

/** The body of each of the ten kinds of event (D11 section 8.2). */
export const eventSchemas = {
  log: /* @__PURE__ */ z.object({ level: z.enum(LOG_LEVELS), message: text, attributes: optional(jsonObject) }),
  thought: /* @__PURE__ */ z.object({ text }),
  tool_call: /* @__PURE__ */ z.object({ tool: name, args: z.optional(z.unknown()), call_id: name }),
  tool_result: /* @__PURE__ */ z
    .object({ call_id: name, result: z.optional(z.unknown()), error: optional(errorSchema) })
    .check(
      z.refine(
        ({ result, error }) => result === undefined || error === undefined,
        'must not have both result and error',
      ),
    ),
  status: /* @__PURE__ */ z.object({ phase: name, message: maybeText }),
  /** The specification writes `dimensions`, the published runtimes `dims`. */
  metric: /* @__PURE__ */ z.object({
    name,
    value: number,
    unit: maybeText,
    dims: optional(jsonObject),
    dimensions: optional(jsonObject),
  }),
  artifact_ref: /* @__PURE__ */ z.object({
    uri: name,
    content_type: text,
    byte_size: optional(count),
    sha256: maybeText,
  }),
  delegate: /* @__PURE__ */ z.object({
    delegate_id: name,
    agent: name,
    input: z.optional(z.unknown()),
    lease_request: optional(jsonObject),
    lease_constraints: optional(jsonObject),
  }),
  progress: /* @__PURE__ */ z.object({
    current: number,
    total: optional(number),
    units: maybeText,
    message: maybeText,
  }),
  result_chunk: /* @__PURE__ */ z.object({
    result_id: name,
    chunk_seq: count,
    data: text,
    encoding: z.enum(['utf8', 'base64']),
    more: z.boolean('must be true or false'),
  }),
} as const

/** A kind of event that the specification has. */
export type EventKind = keyof typeof eventSchemas

/** What an event of a kind says. */
export type EventBody<Kind extends EventKind> = z.output<(typeof eventSchemas)[Kind]>
