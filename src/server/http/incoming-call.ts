import { onAbort } from '../../base/on-abort.ts'
import { readBodyText } from './read-body.ts'

/** What a handler is asked: a Request, or what the adapter for Node reads from Node's objects without making one. */
export interface IncomingCall {
  readonly method: string
  readonly url: URL
  header(name: string): string | null
  /** All headers, as a copy. */
  headers(): Headers
  /**
   * The text of the body, which is read once.
   *
   * @throws HttpRefusal 413 or 400
   */
  text(maxBytes: number): Promise<string>
  /** Aborts when the caller is gone. The only signal that is made for a call. */
  readonly signal: AbortSignal
  /** Aborts the signal. */
  leave(reason?: Error): void
  /** The same as fetch knows it. */
  request(): Request
}

export function callOf(http: Request): IncomingCall {
  const left = new AbortController()
  onAbort(http.signal, () => left.abort(http.signal.reason))
  return {
    method: http.method,
    url: new URL(http.url),
    header: (name) => http.headers.get(name),
    headers: () => new Headers(http.headers),
    text: (maxBytes) => readBodyText(http.body?.getReader(), maxBytes),
    signal: left.signal,
    leave: (reason) => left.abort(reason),
    request: () => http,
  }
}
