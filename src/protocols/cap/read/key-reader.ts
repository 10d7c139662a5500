import { canonicalDateTime } from '../values/canonical-date-time.ts'
import type { JsonObject } from '../../../base/json-object.ts'
import { isJsonObject } from '../../../base/json-object.ts'
import { PacketFault } from './packet-fault.ts'
import { canonicalBoolean, canonicalInteger, canonicalNumber, canonicalUuid } from '../values/scalars.ts'
import type { StreamError } from '../schema/stream-error.ts'
import { readStreamError, unstructuredError } from './wire-error.ts'
import type { ReadingMode } from './wire-packet.ts'

/** How one kind of value is read; `read` gives undefined for what is none. */
export interface ValueReader<Value> {
  read(value: unknown): Value | undefined
  /** Follows the name of the key in a sentence. */
  readonly must: string
}

/** Reads the keys of one packet; what cannot be read becomes a {@link PacketFault} that names the key. */
export interface KeyReader {
  read<Value>(key: string, reader: ValueReader<Value>): Value
  /** The same for a key that may be absent or null. */
  readIfAny<Value>(key: string, reader: ValueReader<Value | null>): Value | undefined
}

export function createKeyReader(packet: JsonObject, text: string): KeyReader {
  const read = <Value>(key: string, { read: readValue, must }: ValueReader<Value>): Value => {
    const found = packet[key]
    const value = readValue(found)
    if (value !== undefined) return value
    const name = typeof packet.op === 'string' ? `${packet.op} packet` : 'packet'
    throw new PacketFault(
      'invalid_packet',
      `This ${name} cannot be read: "${key}" ${must}, but ${found === undefined ? 'is missing' : `is ${kindOf(found)}`}.`,
      text,
    )
  }
  return {
    read,
    readIfAny: (key, reader) => (packet[key] === undefined ? undefined : (read(key, reader) ?? undefined)),
  }
}

export const asUuid: ValueReader<string> = { read: canonicalUuid, must: 'must be a UUID' }
export const asInteger: ValueReader<number> = {
  read: canonicalInteger,
  must: 'must be a whole number within ±(2^53-1)',
}
export const asNumber: ValueReader<number> = { read: canonicalNumber, must: 'must be a number' }
export const asBoolean: ValueReader<boolean> = { read: canonicalBoolean, must: 'must be true or false' }
export const asDateTime: ValueReader<string> = { read: canonicalDateTime, must: 'must be a date and time' }
export const asText: ValueReader<string> = {
  read: (value) => (typeof value === 'string' ? value : undefined),
  must: 'must be a string',
}
export const asObject: ValueReader<JsonObject> = {
  read: (value) => (isJsonObject(value) ? value : undefined),
  must: 'must be an object',
}
export const asList: ValueReader<readonly unknown[]> = {
  read: (value) => (Array.isArray(value) ? value : undefined),
  must: 'must be a list',
}
export const asTextOrObject: ValueReader<string | JsonObject> = {
  read: (value) => (typeof value === 'string' || isJsonObject(value) ? value : undefined),
  must: 'must be a string or an object',
}
export const asTextOrObjectOrNull: ValueReader<string | JsonObject | null> = {
  read: (value) => (value === null ? null : asTextOrObject.read(value)),
  must: 'must be a string, an object or null',
}

/** An error as RFC 005 words it; in tolerant mode anything else is wrapped (CAP section 7, row 18). */
export function asStreamError(dialect: 'G1' | 'any', mode: ReadingMode): ValueReader<StreamError> {
  return {
    read: (value) => readStreamError(value, dialect) ?? (mode === 'tolerant' ? unstructuredError(value) : undefined),
    must: 'must be a StreamError: code, message and severity',
  }
}

export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
