import { AgentError } from '../base/agent-error.ts'
import { noop } from '../base/noop.ts'
import type { Fetch } from './fetch-answer.ts'
import { ask, networkError } from './fetch-answer.ts'

/** Statuses of redirects, and whether the same request is made again: the others turn a POST into a GET without a body. */
const REDIRECTS: ReadonlyMap<number, boolean> = new Map([
  [301, false],
  [302, false],
  [303, false],
  [307, true],
  [308, true],
])
/** More redirects in a row lead nowhere. */
const MOST_REDIRECTS = 5

/**
 * Asks once over HTTP, and again where a redirect leads within the origin of the request: its headers and body, which may hold a key, go
 * to no other.
 *
 * @throws AgentError as `ask`, `invalid_config` for a URL that is not of HTTP, `http_error` for a redirect that is not followed
 */
export async function askWithinOrigin(fetch: Fetch | undefined, url: string, init: RequestInit): Promise<Response> {
  if (URL.canParse(url) && !/^https?:$/.test(new URL(url).protocol)) throw notHttp(url)
  let from = url
  for (let count = 0; ; count++) {
    const response = await ask(fetch, from, { ...init, redirect: 'manual' })
    if (response.type === 'opaqueredirect') return followOnPage(fetch, from, init)
    const { status, headers } = response
    const location = headers.get('location')
    if (!REDIRECTS.has(status) || location === null) return response
    response.body?.cancel().catch(noop)
    if (count === MOST_REDIRECTS) throw refused('redirected the request in a circle', status)
    from = nextUrl(location, response.url || from, status)
    if (init.method !== 'GET' && REDIRECTS.get(status) !== true)
      throw refused(`redirected the request with status ${status}, which drops its body`, status)
  }
}

function nextUrl(location: string, from: string, status: number): string {
  if (!URL.canParse(from) || !URL.canParse(location, from)) throw refused('redirected the request to no URL', status)
  const to = new URL(location, from)
  if (to.origin === new URL(from).origin) return to.href
  throw refused(`redirected the request to another origin, ${to.origin}`, status)
}

/** A page is not told where a redirect leads. Its browser can follow one to the page's own origin only. */
async function followOnPage(fetch: Fetch | undefined, url: string, init: RequestInit): Promise<Response> {
  const { location }: { readonly location?: { readonly href: string; readonly origin: string } } = globalThis
  if (location === undefined || new URL(url, location.href).origin !== location.origin)
    throw refused('redirected the request, and a page is not told where to')
  const asked = fetch ?? globalThis.fetch
  return asked(url, { ...init, redirect: 'follow', mode: 'same-origin' }).catch((cause: unknown) => {
    if (init.signal?.aborted === true) throw networkError(cause)
    throw refused('redirected the request, probably to another origin', undefined, cause)
  })
}

function refused(what: string, status?: number, cause?: unknown): AgentError {
  return new AgentError({
    kind: 'runtime',
    code: 'http_error',
    severity: 'FATAL',
    message: `The agent ${what}. The redirect was not followed, because the key, the headers and the message would go along. Give the client the final URL.`,
    status,
    cause,
  })
}

function notHttp(url: string): AgentError {
  return new AgentError({
    kind: 'protocol',
    code: 'invalid_config',
    severity: 'FATAL',
    message: `The request goes to a URL that begins with ${JSON.stringify(new URL(url).protocol)}. Agents are reached over http: and https: only.`,
  })
}
