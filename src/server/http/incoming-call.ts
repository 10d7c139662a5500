import { onAbort } from '../../base/on-abort.ts'
import { HttpRefusal } from './http-refusal.ts'
import { parseBoundedJson } from '../../base/bounded-json.ts'
import { type JsonObject, isJsonObject } from '../../base/json-object.ts'

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

/** A byte order mark is not a part of JSON, but harmless: it is left out. */
const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** The bytes of a body so far. */
interface BodyBytes {
  /** @throws HttpRefusal 413 when there are too many */
  add(bytes: Uint8Array): void
  /** @throws HttpRefusal 400 when they are not UTF-8 */
  text(): string
}

/** Counts what really comes: Content-Length is a claim. */
export function createBodyBytes(maxBytes: number): BodyBytes {
  const chunks: Uint8Array[] = []
  let size = 0
  return {
    add(bytes) {
      size += bytes.byteLength
      if (size > maxBytes) throw tooLarge(maxBytes)
      chunks.push(bytes)
    },
    text() {
      const [only] = chunks
      try {
        return UTF8.decode(chunks.length === 1 ? only : joined(chunks, size))
      } catch {
        throw new HttpRefusal({ status: 400, code: 'invalid_request', message: 'The request body is not UTF-8.' })
      }
    },
  }
}

/** Reads a body to its end. */
async function readBodyText(
  reader: Pick<ReadableStreamDefaultReader<Uint8Array>, 'read' | 'cancel'> | undefined,
  maxBytes: number,
): Promise<string> {
  const body = createBodyBytes(maxBytes)
  for (let step = await reader?.read(); step?.done === false; step = await reader?.read()) {
    try {
      body.add(step.value)
    } catch (error) {
      // Not awaited: a client that continues sending must not keep us waiting.
      reader?.cancel().catch(() => {})
      throw error
    }
  }
  return body.text()
}

function tooLarge(limit: number): HttpRefusal {
  return new HttpRefusal({
    status: 413,
    code: 'request_too_large',
    message: `The request body is over ${limit} bytes, the most this server reads. Send less.`,
  })
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size)
  let end = 0
  for (const chunk of chunks) {
    all.set(chunk, end)
    end += chunk.byteLength
  }
  return all
}

/** What is wrong with a request, as text, and where in it. */
interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** More would make the answer longer than it helps. */
const MOST_ISSUES = 5

/**
 * Reads the body of a POST. Its media type is checked first: a page of another origin cannot send JSON without a preflight.
 *
 * @throws HttpRefusal 415, 413 or 400, with the reason.
 */
export async function readJsonBody(http: IncomingCall, maxBodyBytes: number): Promise<JsonObject> {
  const mediaType = (http.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (mediaType !== 'application/json') {
    throw new HttpRefusal({
      status: 415,
      code: 'unsupported_media_type',
      message: `A request is JSON and this was ${mediaType ? `"${mediaType}"` : 'of no type'}. Send Content-Type: application/json.`,
    })
  }
  if (Number(http.header('content-length') ?? 0) > maxBodyBytes) throw tooLarge(maxBodyBytes)
  return parseBody(await http.text(maxBodyBytes))
}

function parseBody(text: string): JsonObject {
  let value: unknown
  try {
    value = parseBoundedJson(text)
  } catch (error) {
    if (error instanceof RangeError) throw invalidRequest(`The request body is ${error.message}. Send flatter data.`)
    throw invalidRequest('The request body is not JSON. It may have been cut off on the way.')
  }
  if (!isJsonObject(value)) throw invalidRequest('The request body is JSON, but no object.')
  return value
}

export function invalidRequest(message: string, details?: Readonly<Record<string, unknown>>): HttpRefusal {
  return new HttpRefusal({ status: 400, code: 'invalid_request', message, details })
}

/** The refusal of a body that is JSON of another shape. */
export function invalidBody(what: string, found: readonly Issue[]): HttpRefusal {
  const issues = found.slice(0, MOST_ISSUES).map((issue) => ({
    path: issue.path.map(String).join('.') || '(body)',
    problem: issue.message,
  }))
  const first = issues[0]
  return invalidRequest(
    `The request body is no ${what}: ${first ? `${first.path} ${first.problem}` : 'it has another shape'}.`,
    { issues },
  )
}
