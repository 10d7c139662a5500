import { type JsonObject, isJsonObject } from '../../base/json-object.ts'
import type { ArcpErrorPayload } from '../../protocols/arcp/schema/payloads.ts'
import { parseBoundedJson } from '../../base/bounded-json.ts'
import { type ArcpEnvelope, envelopeSchema } from '../../protocols/arcp/schema/envelope.ts'
import { type ArcpPayload, type ArcpType, payloadSchemas } from '../../protocols/arcp/schema/payloads.ts'
import { isExtensionName } from '../../protocols/arcp/values/vocabulary.ts'

export interface ArcpFaultOptions {
  /** Whether the same command may succeed later. Absent: the default of the code. */
  readonly retryable?: boolean | undefined
  /** More for a developer, such as `retry_after_seconds`. It goes to the client. Absent: nothing. */
  readonly details?: JsonObject | undefined
  /** The error behind it. It stays here. Absent: there is none. */
  readonly cause?: unknown
}

/**
 * A failure as ARCP says it (RFC section 18): a tool throws it to fail its job under its own code. What else a tool throws becomes
 * `INTERNAL`, and its words stay on this side.
 *
 * @example
 * ```ts
 * import { ArcpFault, createArcpRuntime } from 'capstan/arcp/runtime'
 *
 * const runtime = createArcpRuntime({
 *   tools: {
 *     weather: async ({ city }) => {
 *       throw new ArcpFault('NOT_FOUND', `There is no ${String(city)}.`)
 *     },
 *   },
 * })
 * ```
 */
export class ArcpFault extends Error {
  /** A code of the protocol such as `NOT_FOUND`, or one of a namespace, such as `arcpx.acme.QUOTA`. */
  readonly code: string
  readonly retryable: boolean | undefined
  readonly details: JsonObject | undefined

  constructor(code: string, message: string, { retryable, details, cause }: ArcpFaultOptions = {}) {
    super(message, { cause })
    this.name = 'ArcpFault'
    this.code = code
    this.retryable = retryable
    this.details = details
  }
}

/** A fault as it travels. */
export function faultPayload({ code, message, retryable, details }: ArcpFault): ArcpErrorPayload {
  return {
    code,
    message,
    ...(retryable === undefined ? {} : { retryable }),
    ...(details === undefined ? {} : { details }),
  }
}

type Envelope = Omit<ArcpEnvelope, 'type' | 'payload'>

/** A message of a client, of one of these types. */
export type CommandOf<Type extends ArcpType> = Type extends ArcpType
  ? Envelope & { readonly type: Type; readonly payload: ArcpPayload<Type> }
  : never

/** A message of an extension. */
type ExtensionCommand = Envelope & {
  readonly type: 'extension'
  readonly name: string
  readonly payload: JsonObject
}

/** A message of a client, with its payload checked against the schema of its type. */
export type ClientCommand = CommandOf<ArcpType> | ExtensionCommand

/** A frame that is not a message. `id` is that of the message, where it has one. */
export interface UnreadableCommand {
  readonly type: 'unreadable'
  readonly id: string | undefined
  readonly fault: ArcpFault
}

/** Reads one frame of a client. Invalid frames give a fault and never throw. */
export function readCommand(frame: string): ClientCommand | UnreadableCommand {
  let value: unknown
  try {
    value = parseBoundedJson(frame)
  } catch {
    return unreadable(undefined, 'INVALID_ARGUMENT', 'The frame is no JSON that can be read.')
  }
  const id = isJsonObject(value) && typeof value.id === 'string' && value.id !== '' ? value.id : undefined
  const read = envelopeSchema.safeParse(value)
  if (!read.success) return invalid(id, read.error.issues)
  const { type, payload, ...envelope } = read.data
  if (Object.hasOwn(payloadSchemas, type)) {
    const checked = payloadSchemas[type as ArcpType].safeParse(payload)
    if (!checked.success) return invalid(id, checked.error.issues, 'payload')
    // The schema of a type gives the payload of that type.
    return { ...envelope, type, payload: checked.data } as ClientCommand
  }
  if (isExtensionName(type)) return { ...envelope, type: 'extension', name: type, payload }
  return unreadable(id, 'UNIMPLEMENTED', `${JSON.stringify(type.slice(0, 80))} is no type of ARCP 1.0.`)
}

interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

function invalid(id: string | undefined, issues: readonly Issue[], below?: string): UnreadableCommand {
  const errors = issues.map(({ path, message }) => ({
    path: [...(below === undefined ? [] : [below]), ...path].map((step) => `/${String(step)}`).join(''),
    message,
  }))
  const first = errors[0]
  const words = first === undefined ? 'The message is not valid.' : `${first.path || 'The message'} ${first.message}.`
  return unreadable(id, 'INVALID_ARGUMENT', words, { errors })
}

function unreadable(id: string | undefined, code: string, message: string, details?: JsonObject): UnreadableCommand {
  return { type: 'unreadable', id, fault: new ArcpFault(code, message, { details }) }
}
