import { isJsonObject } from '../../../base/json-object.ts'
import type { JsonSchema, Prompt, PromptOption } from '../../../seam/prompt.ts'
import type { ArcpPrompt } from '../fold/arcp-state.ts'

/** The one value of a question whose answer is not an object. */
const VALUE_KEY = 'value'

/** What the options of a permission are called. */
export const GRANT = 'grant'
const DENY = 'deny'

/** A question of a job in neutral words. @param offsetMs what the clock of this device is ahead of the runtime's */
export function toPrompt(asked: ArcpPrompt, streamId: string, offsetMs: number): Prompt {
  const common = { id: asked.id, streamId, answeredBy: 'command', state: 'open' } as const
  if (asked.kind === 'permission') {
    const { permission, resource, operation, reason, requested_lease_seconds: seconds } = asked.request
    return {
      ...common,
      kind: 'permission',
      message: reason ?? '',
      subject: {
        name: permission,
        input: { operation, resource },
        digest: JSON.stringify([permission, resource, operation, seconds ?? null]),
      },
      options: permissionOptions(seconds),
      onExpiry: 'unknown',
    }
  }
  const { prompt: message, expires_at: end } = asked.request
  const expiresAt = end === undefined ? undefined : Date.parse(end) + offsetMs
  const onExpiry = asked.request.default === undefined || asked.request.default === null ? 'cancel' : 'default'
  if (asked.kind === 'choice') {
    const options = asked.request.options.map((option): PromptOption => ({ ...option, kind: 'neutral' }))
    return { ...common, kind: 'choice', message, options, expiresAt, onExpiry }
  }
  const { response_schema: schema, default: value } = asked.request
  const isObject = schema === undefined ? value === undefined || isJsonObject(value) : isObjectSchema(schema)
  return {
    ...common,
    kind: 'form',
    message,
    schema: isObject ? (schema ?? { type: 'object' }) : wrapped(schema ?? {}),
    initial: value === undefined || isObject ? value : { [VALUE_KEY]: value },
    expiresAt,
    onExpiry,
  }
}

/** The value of an answer as the job asked for it: of a question whose answer is not an object, the one value. */
export function valueOf(request: Extract<ArcpPrompt, { kind: 'input' }>['request'], value: unknown): unknown {
  const { response_schema: schema } = request
  if (!isJsonObject(value) || schema === undefined || isObjectSchema(schema)) return value
  return Object.keys(value).length === 1 && VALUE_KEY in value ? value[VALUE_KEY] : value
}

function isObjectSchema(schema: JsonSchema): boolean {
  return schema.type === undefined || schema.type === 'object'
}

/** A form has fields, so a schema of one value becomes that of an object with one member. */
function wrapped(schema: JsonSchema): JsonSchema {
  return { type: 'object', properties: { [VALUE_KEY]: schema }, required: [VALUE_KEY] }
}

function permissionOptions(seconds: number | undefined): PromptOption[] {
  return [
    { id: GRANT, label: 'Allow', kind: 'allow-once', ttlMs: seconds === undefined ? null : seconds * 1000 },
    { id: DENY, label: 'Deny', kind: 'reject-once' },
  ]
}
