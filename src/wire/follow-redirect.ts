import { AgentError } from '../base/agent-error.ts'
import { noop } from '../base/noop.ts'
import type { Fetch } from './fetch-answer.ts'
import { ask, isRedirect, networkError } from './fetch-answer.ts'

/** More redirects in a row lead nowhere. */
const MOST_REDIRECTS = 5
/** Statuses that keep method and body. The others turn a POST into a GET without its body. */
const KEEPS_REQUEST: ReadonlySet<number> = new Set([307, 308])

/** A request that was answered with a redirect. */
export interface RedirectedRequest {
  readonly fetch: Fetch | undefined
  readonly url: string
  readonly init: RequestInit
}

/**
 * The answer behind redirects within the origin of a request.
 *
 * @throws AgentError `http_error` when a redirect leads to another origin or nowhere
 */
export async function followRedirect(first: Response, { fetch, url, init }: RedirectedRequest): Promise<Response> {
  if (first.type === 'opaqueredirect') return followOnPage({ fetch, url, init })
  let from = url
  let response = first
  for (let count = 0; isRedirect(response); count++) {
    response.body?.cancel().catch(noop)
    if (count === MOST_REDIRECTS) throw refused('redirected the request in a circle', response.status)
    from = nextUrl(response, from, init.method)
    response = await ask(fetch, from, { ...init, redirect: 'manual' })
  }
  return response
}

function nextUrl(response: Response, from: string, method: string | undefined): string {
  const { status, headers } = response
  const base = response.url || from
  const location = headers.get('location') ?? ''
  if (!URL.canParse(base) || !URL.canParse(location, base)) throw refused('redirected the request to no URL', status)
  const to = new URL(location, base)
  if (to.origin !== new URL(base).origin)
    throw refused(`redirected the request to another origin, ${to.origin}`, status)
  if (method !== 'GET' && !KEEPS_REQUEST.has(status))
    throw refused(`redirected the request with status ${status}, which drops its body`, status)
  return to.href
}

/** A page is not told where a redirect leads. Its browser can be: for requests to the page's own origin. */
async function followOnPage({ fetch, url, init }: RedirectedRequest): Promise<Response> {
  const { location }: { readonly location?: { readonly href: string; readonly origin: string } } = globalThis
  const isOwn = location !== undefined && new URL(url, location.href).origin === location.origin
  if (!isOwn) throw refused('redirected the request, and a page is not told where to')
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
