import { AgentError } from '../base/agent-error.ts'
import { noop } from '../base/noop.ts'
import type { Fetch } from './fetch-answer.ts'
import { ask, isRedirect, networkError } from './fetch-answer.ts'

/** More redirects in a row lead nowhere. */
const MOST_REDIRECTS = 5
/** Statuses that keep method and body. The others turn a POST into a GET without its body. */
const KEEPS_REQUEST: ReadonlySet<number> = new Set([307, 308])

/** A request that was answered by a redirect. */
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
export async function followRedirect(first: Response, request: RedirectedRequest): Promise<Response> {
  if (first.type === 'opaqueredirect') return followOnPage(request)
  const { fetch, init } = request
  let from = request.url
  let response = first
  for (let count = 0; isRedirect(response); count++) {
    response.body?.cancel().catch(noop)
    const { status } = response
    if (count === MOST_REDIRECTS) throw refused('redirected the request in a circle', status)
    from = nextUrl(response, from)
    if (init.method !== 'GET' && !KEEPS_REQUEST.has(status))
      throw refused(`redirected the request with status ${status}, which drops its body`, status)
    response = await ask(fetch, from, { ...init, redirect: 'manual' })
  }
  return response
}

function nextUrl({ status, headers, url }: Response, from: string): string {
  const base = url || from
  const location = headers.get('location') ?? ''
  if (!URL.canParse(base) || !URL.canParse(location, base)) throw refused('redirected the request to no URL', status)
  const to = new URL(location, base)
  if (to.origin === new URL(base).origin) return to.href
  throw refused(`redirected the request to another origin, ${to.origin}`, status)
}

/** A page is not told where a redirect leads. Its browser can follow one to the page's own origin only. */
async function followOnPage({ fetch, url, init }: RedirectedRequest): Promise<Response> {
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
