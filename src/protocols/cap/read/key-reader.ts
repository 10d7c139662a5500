import type { JsonObject } from '../../../base/json-object.ts'
import type { StreamError } from '../schema/stream-error.ts'
import { kindOf } from './kind-of.ts'
import { PacketFault } from './packet-fault.ts'
import type { ValueReader } from './value-readers.ts'
import { readStreamError, unstructuredError } from './wire-error.ts'
import type { ReadingMode } from './wire-packet.ts'

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

/** An error as RFC 005 words it; in tolerant mode anything else is wrapped (CAP section 7, row 18). */
export function asStreamError(dialect: 'G1' | 'any', mode: ReadingMode): ValueReader<StreamError> {
  return {
    read: (value) => readStreamError(value, dialect) ?? (mode === 'tolerant' ? unstructuredError(value) : undefined),
    must: 'must be a StreamError: code, message and severity',
  }
}
