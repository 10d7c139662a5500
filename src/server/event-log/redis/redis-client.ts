/** What a Redis command is made of and what its reply may be, whichever protocol version the client speaks. */
export type RedisReply =
  | string
  | number
  | null
  | undefined
  | Uint8Array
  | boolean
  | RedisReply[]
  | { readonly [key: string]: RedisReply }

/**
 * Required part of a Redis client: a connected client of `createClient` from `redis` 5 or 6. The type is structural, so
 * it accepts clients with any modules, scripts and protocol version.
 */
export interface RedisClient {
  sendCommand(args: readonly string[]): Promise<unknown>
  /** A client of the same options, not yet connected. */
  duplicate(): RedisConnection
}

/** A connection that is opened and ended here. */
export interface RedisConnection {
  connect(): Promise<unknown>
  sendCommand(args: readonly string[]): Promise<unknown>
  on(event: 'error', listener: (error: Error) => void): unknown
  destroy(): unknown
}

/** Text of a reply, which some clients give as bytes; empty when it is none. */
export function replyText(reply: RedisReply): string {
  if (reply instanceof Uint8Array) return new TextDecoder().decode(reply)
  return typeof reply === 'string' || typeof reply === 'number' ? String(reply) : ''
}
