// The parts of Node's http objects that are used here, so that the entry point needs none of Node's types.

/** A request as Node's `http` gives it, or Express. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly complete: boolean
  readonly readableEnded: boolean
  readonly socket: object
  /** What Express leaves of an address below a mount point is `url`; this is the whole. */
  readonly originalUrl?: string | undefined
  /** `http` or `https`, as Express sees it through the proxies it trusts. */
  readonly protocol?: string | undefined
  /** What a body parser made of the body. */
  readonly body?: unknown
  on(event: 'data', listener: (bytes: Uint8Array) => void): unknown
  on(event: 'end', listener: () => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  pause(): unknown
  resume(): unknown
}

/** A response as Node's `http` gives it, or Express. */
export interface NodeResponse {
  readonly writableFinished: boolean
  readonly destroyed: boolean
  shouldKeepAlive: boolean
  once(event: 'close', listener: () => void): unknown
  on(event: 'close' | 'drain', listener: () => void): unknown
  off(event: 'close' | 'drain', listener: () => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  writeHead(status: number, headers: Record<string, string | string[]>): unknown
  flushHeaders(): void
  write(bytes: Uint8Array): boolean
  end(): unknown
  destroy(): unknown
}
