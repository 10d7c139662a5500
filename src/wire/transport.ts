/** One dispatched server-sent event (WHATWG HTML 9.2). */
export interface SseFrame {
  /** Event type; `message` when the stream gave none. */
  readonly event: string
  readonly data: string
  /** The current last event id when the frame was dispatched; empty when the stream never gave one. */
  readonly id: string
}

export interface TransportRequest {
  readonly url: string
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  readonly signal: AbortSignal
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  /** Media type in lower case without parameters; empty when the server sent none. */
  readonly contentType: string
}

/** A 2xx answer whose body is an event stream. */
export interface EventsAnswer extends Answer {
  readonly kind: 'events'
  /** One array per network chunk; empty when the chunk completed no frame (a comment, a part of a frame). Throws AgentError. */
  readonly batches: AsyncIterable<readonly SseFrame[]>
}

/** Any other answer. */
export interface BodyAnswer extends Answer {
  readonly kind: 'body'
  /** Reads the body as text. Over `maxBytes`: rejects with `response_too_large`, or cuts there when `truncate` is set. */
  text(options: { readonly maxBytes: number; readonly truncate?: boolean }): Promise<string>
}

export type TransportAnswer = EventsAnswer | BodyAnswer

/**
 * Carries one request and its answer. A transport never retries and never judges a status; it throws
 * an AgentError of kind `connection` when nothing (more) could be carried.
 */
export interface Transport {
  send(request: TransportRequest): Promise<TransportAnswer>
}

/** Limits a transport keeps so that no server can fill the page's memory. */
export interface TransportLimits {
  /** Longest single frame, in bytes of UTF-8. @default 10_000_000 */
  readonly maxFrameBytes?: number | undefined
}

export const DEFAULT_MAX_FRAME_BYTES = 10_000_000
