import { isJsonObject } from '../../base/json-object.ts'
import { kindOf } from '../../protocols/cap/read/usual-packet.ts'
import { toServiceResponse } from '../../protocols/cap/read/read-response.ts'
import { streamErrorSchema } from '../../protocols/cap/schema/packet.ts'
import type { AgentOutput } from './agent-output.ts'
import { appError } from './app-error.ts'

// RFC 005 requires a check of outgoing packets. TypeScript types are not enough, because agents can be written in
// JavaScript.

/**
 * Validates the output of an agent against what a packet can contain.
 *
 * @throws AgentError `app_error` that tells the developer what was wrong
 */
export function checkOutput(said: unknown): asserts said is AgentOutput {
  if (typeof said === 'string') return
  if (!isJsonObject(said))
    throw appError(`The agent yielded or wrote ${describe(said)}, which no packet can carry. ${CAN_SAY}`)
  const { kind, stream } = said
  if (stream !== undefined) check(said, 'stream', 'a string')
  if (kind === 'text') check(said, 'text', 'a string')
  else if (kind === 'close') check(said, 'reason', 'a string')
  else if (kind === 'event') {
    check(said, 'type', 'a string')
    check(said, 'data', 'an object')
    if (said['id'] !== undefined) check(said, 'id', 'a string')
  } else if (kind === 'error') checkError(said['error'])
  else
    throw appError(
      `The agent yielded or wrote an object with no "kind" it knows, which no packet can carry. ${CAN_SAY}`,
    )
}

/** The reason an agent ends with. @throws AgentError `app_error` when it is no text */
export function checkEnding(ending: unknown): string | undefined {
  if (ending === undefined || ending === null) return undefined
  if (typeof ending === 'string') return ending
  throw appError(
    `The agent returned ${describe(ending)}. Return nothing, the reason its stream closes with as a string, or, from a function that does not stream, { output }.`,
  )
}

/** A ServiceResponse as it goes out. @throws AgentError `app_error` when it is none */
export function checkServiceResponse(json: string): string {
  if (toServiceResponse(JSON.parse(json)) !== undefined) return json
  throw appError(
    'The agent returned an object that makes no ServiceResponse. Return { output } or { output, metrics }, both objects; to stream, return an async generator.',
  )
}

const CAN_SAY = 'Yield a string, or what event(), warning(), transient(), fatal(), close() and onStream() make.'

function check(said: Readonly<Record<string, unknown>>, key: string, wanted: 'a string' | 'an object'): void {
  const value = written(said[key])
  const fits = wanted === 'a string' ? typeof value === 'string' : isJsonObject(value)
  if (!fits)
    throw appError(
      `The agent said something of kind ${String(said['kind'])} that no packet can carry: "${key}" must be ${wanted}, but is ${describe(value)}.`,
    )
}

function checkError(error: unknown): void {
  // As it will be written: errors are rare and small.
  const parsed = streamErrorSchema.safeParse(isJsonObject(error) ? JSON.parse(JSON.stringify(error)) : error)
  if (parsed.success) return
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'it'} ${message}`)
  throw appError(`The agent reported an error that is no StreamError (RFC 005): ${faults.join('; ')}.`)
}

/** The JSON form of a value with its own `toJSON`, such as a Date. */
function written(value: unknown): unknown {
  if (!isJsonObject(value)) return value
  const toJson = value['toJSON']
  return typeof toJson === 'function' ? Reflect.apply(toJson, value, ['']) : value
}

function describe(value: unknown): string {
  return value === undefined ? 'undefined' : kindOf(value)
}
