import { parseBoundedJson } from '../../base/bounded-json.ts'
import { isJsonObject, type JsonObject } from '../../base/json-object.ts'
import { invalidRequest } from '../http/read-json-body.ts'

/** The request that opened the connection. */
export interface UpgradeRequest {
  readonly url: URL
  readonly headers: Headers
}

/** What clients of CAP send beside a body. */
const REQUEST_HEADERS = ['accept', 'authorization', 'content-type', 'last-event-id', 'x-request-id']
/** Headers of the connection itself, of a body that the opening request does not have, and of the page, which was checked when it opened. */
const OF_THE_CONNECTION =
  /^(?:connection|upgrade|keep-alive|te|trailer|transfer-encoding|expect|origin|sec-fetch-.*|content-.*|sec-websocket-.*)$/
const METHODS: ReadonlySet<unknown> = new Set(['GET', 'POST'])

/**
 * The request that the first frame of a connection makes: a body, and what HTTP would say beside it under `http`. A frame without that
 * is a body. Headers of the opening request hold over those of the frame: a gateway in front sets them, and a page sets these.
 *
 * @param allowed names of headers that frames may hold beside those of CAP, in lower case
 * @throws HttpRefusal 400
 */
export function readRequestFrame(
  frame: string,
  { url, headers: opening }: UpgradeRequest,
  allowed: readonly string[],
  signal: AbortSignal,
): Request {
  const { http, ...body } = parseFrame(frame) ?? { http: undefined }
  const isBare = !isJsonObject(http)
  const method = isBare ? 'POST' : http['method']
  if (!METHODS.has(method)) throw invalidRequest('A frame asks with GET or POST.')
  const headers = new Headers({ 'content-type': 'application/json' })
  for (const [name, value] of Object.entries(isBare || !isJsonObject(http['headers']) ? {} : http['headers'])) {
    const known = name.toLowerCase()
    if (!REQUEST_HEADERS.includes(known) && !allowed.includes(known))
      throw invalidRequest(
        `This server takes no header ${JSON.stringify(name)} in a frame. List it in \`headers\` of the upgrade listener.`,
      )
    setHeader(headers, known, value)
  }
  for (const [name, value] of opening) if (!OF_THE_CONNECTION.test(name)) headers.set(name, value)
  if (method === 'GET') {
    headers.delete('content-type')
    return new Request(url, { method, headers, signal })
  }
  // What is no JSON object is left to the reader of bodies, who says what is wrong with it.
  return new Request(url, { method: 'POST', headers, signal, body: isBare ? frame : JSON.stringify(body) })
}

function parseFrame(frame: string): JsonObject | undefined {
  try {
    const value = parseBoundedJson(frame)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function setHeader(headers: Headers, name: string, value: unknown): void {
  try {
    if (typeof value === 'string') return headers.set(name, value)
  } catch {
    // Below.
  }
  throw invalidRequest(`The header ${name} of a frame has to be text that HTTP allows.`)
}
