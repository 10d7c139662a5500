/** Longest piece of a bad packet that is kept for the developer, in characters. */
const KEPT_CHARACTERS = 2_000

/** Why a packet could not be read. */
export type PacketFaultCode = 'invalid_json' | 'invalid_packet' | 'unknown_op'

/** A packet that could not be read. `message` says which key was wrong; `raw` is its beginning, up to 2,000 characters. */
export class PacketFault extends Error {
  readonly code: PacketFaultCode
  readonly raw: string

  constructor(code: PacketFaultCode, message: string, raw: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'PacketFault'
    this.code = code
    this.raw = raw.slice(0, KEPT_CHARACTERS)
  }
}
