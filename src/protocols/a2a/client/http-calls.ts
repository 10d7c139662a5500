import type { AgentErrorInit } from '../../../base/agent-error.ts'
import { parseBoundedJson, stringifyWellFormed } from '../../../base/bounded-json.ts'
import { isJsonObject } from '../../../base/json-object.ts'
import type { A2AFrame, A2AFrames } from '../a2a-transport.ts'
import type { A2AError } from '../errors.ts'
import { createA2AError, invalidResponse, toRpcError } from '../errors.ts'
import { frameBytes } from '../../../wire/sse-decoder.ts'
import { type ApiKey, createCredential, type HeaderSource, resolveHeaders, pathOf } from '../../../wire/credential.ts'
import { type Fetch, fetchTransport, PARTIAL_BATCH } from '../../../wire/fetch-transport.ts'
import { contentTypeErrorInit, httpErrorInit, isRefusal } from '../../../wire/http-errors.ts'
import type { BodyAnswer, SseFrame, Transport, TransportAnswer } from '../../../wire/transport.ts'

/** How requests reach the agent. */
export interface A2AHttpOptions {
  /** Credential for `Authorization: Bearer`, or a function that gets one, asked before every attempt. Absent: none. */
  readonly apiKey?: ApiKey | undefined
  /** Extra request headers, or a function that makes them, asked before every attempt. Absent: none. */
  readonly headers?: HeaderSource | undefined
  /** URIs of the extensions the page understands, for `A2A-Extensions`. Absent: none. */
  readonly extensions?: readonly string[] | undefined
  /** Another fetch than the platform's. @default the global `fetch`, looked up at each call */
  readonly fetch?: Fetch | undefined
  /** Longest single event, in bytes of UTF-8. @default 10_000_000 */
  readonly maxFrameBytes?: number | undefined
}

/** One request. */
export interface HttpCall {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly url: string
  /** Sent as JSON. Absent: no body. */
  readonly body?: unknown
  readonly signal: AbortSignal
}

/** Requests of A2A over HTTP, for every binding that uses it. */
export interface HttpCalls {
  /** The JSON of an answer. @throws A2AError for a refusal and for anything but JSON */
  json(call: HttpCall): Promise<unknown>
  /** The JSON of each event of a stream; of an answer that is not a stream, of that alone. `read` takes the event out of its envelope, or throws. */
  events(call: HttpCall, read: (value: unknown) => unknown): AsyncIterable<A2AFrames>
  /** Any answer but a stream, with its headers. */
  ask(call: HttpCall, own: Readonly<Record<string, string>>): Promise<BodyAnswer>
}

const MOST_ANSWER_BYTES = 50_000_000
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json$/

/** What differs from binding to binding. */
export interface HttpBinding {
  /** For `A2A-Version`, which decides what an agent of several versions answers. @default '1.0' */
  readonly version?: string
  /** Codes of JSON-RPC by what an error has in their place. @default {} */
  readonly reasons?: Readonly<Record<string, string>>
}

export function createHttpCalls(options: A2AHttpOptions, { version = '1.0', reasons }: HttpBinding = {}): HttpCalls {
  const transport: Transport = fetchTransport(options)
  const credential = createCredential(options.apiKey)
  const extensions = options.extensions?.join(', ')

  /** One request; a second one only when the key was refused and there is another (the agent has done nothing yet). */
  async function send(
    { method, url, body, signal }: HttpCall,
    own: Readonly<Record<string, string>>,
  ): Promise<TransportAnswer> {
    const attempt = async (key: string | undefined): Promise<TransportAnswer> => {
      const headers = {
        ...(await resolveHeaders(options.headers, key)),
        'a2a-version': version,
        ...(extensions && { [version === '0.3' ? 'x-a2a-extensions' : 'a2a-extensions']: extensions }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...own,
      }
      const text = body === undefined ? undefined : stringifyWellFormed(body)
      return transport.send({ url, method, headers, body: text, signal })
    }
    const key = await credential.get()
    const answer = await attempt(key)
    if (answer.kind !== 'body' || answer.status !== 401 || key === undefined) return answer
    const fresh = await credential.renew(key)
    if (fresh === undefined) return answer
    await answer.text({ maxBytes: 0, truncate: true })
    return attempt(fresh)
  }

  async function ask(call: HttpCall, own: Readonly<Record<string, string>>): Promise<BodyAnswer> {
    const answer = await send(call, own)
    if (answer.kind === 'events') throw invalidResponse('an event stream where JSON was asked for')
    return answer
  }

  return {
    ask,
    json: async (call) => jsonOf(await ask(call, { accept: 'application/json' }), call, reasons),
    async *events(call, read) {
      const answer = await send(call, { accept: 'text/event-stream, application/json' })
      if (answer.kind === 'body') {
        const response = read(await jsonOf(answer, call, reasons))
        yield { frames: [] }
        yield { frames: [{ response }] }
        return
      }
      yield { frames: [] }
      for await (const batch of answer.batches) {
        const frames: A2AFrame[] = []
        try {
          for (const frame of batch) frames.push(toFrame(frame, read))
        } catch (error) {
          // Events before the error are still given.
          yield { frames }
          throw error
        }
        yield { frames, partial: batch === PARTIAL_BATCH }
      }
    },
  }
}

function toFrame(frame: SseFrame, read: (value: unknown) => unknown): A2AFrame {
  const bytes = frameBytes(frame)
  let value: unknown
  try {
    value = parseBoundedJson(frame.data)
  } catch (cause) {
    const message = 'An event of the stream is not JSON, so it was left out.'
    return {
      fault: createA2AError({ kind: 'protocol', code: 'invalid_json', severity: 'WARNING', message, cause }),
      bytes,
    }
  }
  return { response: read(value), bytes }
}

async function jsonOf(
  answer: BodyAnswer,
  { method, url }: HttpCall,
  reasons: HttpBinding['reasons'],
): Promise<unknown> {
  if (isRefusal(answer.status)) throw toRefusal(await httpErrorInit(answer, `${method} ${pathOf(url)}`), reasons)
  if (answer.status === 204) return undefined
  if (!JSON_TYPE.test(answer.contentType)) throw createA2AError(await contentTypeErrorInit(answer))
  const text = await answer.text({ maxBytes: MOST_ANSWER_BYTES })
  try {
    return text === '' ? undefined : parseBoundedJson(text)
  } catch (cause) {
    throw invalidResponse('the agent announced JSON and sent something else', cause)
  }
}

/** A refusal that says which error of A2A it is, in the form of JSON-RPC or of `google.rpc.Status`, is that error. */
function toRefusal(init: AgentErrorInit, reasons: HttpBinding['reasons']): A2AError {
  try {
    const body = parseBoundedJson(String(init.details?.['body']))
    const error = toRpcError(isJsonObject(body) ? body.error : undefined, init.status, reasons)
    if (/^-32\d{3}$/.test(error.agentCode ?? '')) return error
  } catch {
    // The body says nothing more.
  }
  return createA2AError(init)
}

/** Origin of an address, for limits per server; empty for a path on the page's own. */
export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : ''
}
