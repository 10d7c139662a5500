import type { Generation } from '../values/generation.ts'
import type { JsonObject } from '../../../base/json-object.ts'
import type { StreamError } from '../schema/stream-error.ts'

/** What every packet may say about its place, whatever its generation. Only G1 numbers its packets. */
export interface CapPacketBase {
  generation: Generation
  /** Lower case with dashes, whatever was written. */
  stream_id?: string | undefined
  seq?: number | undefined
  /** Emission time in canonical ISO form. Never order by it (CAP section 7, row 32). */
  t?: string | undefined
}

/** A packet as the client reads it: one shape for all generations (CAP section 11, WirePacket). */
export type CapPacket = CapPacketBase &
  (
    | { op: 'DELTA'; p: string }
    | { op: 'EVENT'; p: JsonObject }
    | { op: 'ERROR'; p: StreamError }
    | { op: 'CLOSE'; p: string | JsonObject | undefined }
  )

/** The packets of one op. */
export type CapPacketOf<Op extends CapPacket['op']> = Extract<CapPacket, { op: Op }>

/** `strict` refuses errors that are no StreamError (RFC 005); `tolerant` wraps them (CAP section 7, row 18). */
export type ReadingMode = 'strict' | 'tolerant'
