import { parseBoundedJson } from '../../base/bounded-json.ts'
import type { JsonObject } from '../../base/json-object.ts'
import { isJsonObject } from '../../base/json-object.ts'
import type { ArcpEnvelope } from '../../protocols/arcp/schema/envelope.ts'
import { envelopeSchema } from '../../protocols/arcp/schema/envelope.ts'
import type { ArcpPayload, ArcpType } from '../../protocols/arcp/schema/payloads.ts'
import { payloadSchemas } from '../../protocols/arcp/schema/payloads.ts'
import { isExtensionName } from '../../protocols/arcp/values/message-type.ts'
import { ArcpFault } from './arcp-fault.ts'

type Envelope = Omit<ArcpEnvelope, 'type' | 'payload'>

/** A message of a client, of one of these types. */
export type CommandOf<Type extends ArcpType> = Type extends ArcpType
  ? Envelope & { readonly type: Type; readonly payload: ArcpPayload<Type> }
  : never

/** A message of an extension. */
export type ExtensionCommand = Envelope & {
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
    return unreadable(undefined, 'INVALID_ARGUMENT', 'The frame is not valid JSON.')
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
