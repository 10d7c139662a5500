import type { AgentErrorInit } from '../base/agent-error.ts'
import { AgentError } from '../base/agent-error.ts'
import { noop } from '../base/noop.ts'
import type { Fetch } from './fetch-answer.ts'
import { ask, networkError } from './fetch-answer.ts'

/** Statuses of redirects: the first three turn a POST into a GET without its body. */
const REDIRECTS = [301, 302, 303, 307, 308]
/** More redirects in a row lead nowhere. */
const MOST_REDIRECTS = 5

/**
 * Asks once over HTTP, and again where a redirect leads within the origin of the request: its headers and body, which may hold a key, go
 * to no other.
 *
 * @throws AgentError as `ask`, `invalid_config` for a URL that is not of HTTP, `http_error` for a redirect that is not followed
 */
export async function askWithinOrigin(fetch: Fetch | undefined, url: string, init: RequestInit): Promise<Response> {
  if (URL.canParse(url) && !/^https?:$/.test(new URL(url).protocol))
    throw fault({ kind: 'protocol', code: 'invalid_config', message: 'Agents are reached over http and https only.' })
  for (let at = url, count = 0; ; count++) {
    const response = await ask(fetch, at, { ...init, redirect: 'manual' })
    const { type, status, headers } = response
    if (type === 'opaqueredirect') return followOnPage(fetch, response.url || at, init)
    const location = headers.get('location')
    if (location === null || !REDIRECTS.includes(status)) return response
    response.body?.cancel().catch(noop)
    const from = response.url || at
    const to = URL.canParse(location, from) ? new URL(location, from) : undefined
    if (to === undefined || to.origin !== new URL(from).origin)
      throw refused(` to ${to?.origin ?? 'no URL'}`, { status })
    if (init.method !== 'GET' && status < 307) throw refused(` with status ${status}, which drops the body`, { status })
    if (count === MOST_REDIRECTS) throw refused(' in a circle', { status })
    at = to.href
  }
}

/**
 * A page is not told where a redirect leads. Its browser can follow one within the page's own origin only. A sandboxed frame has an opaque
 * origin, which its location does not tell.
 *
 * @param url absolute, or relative where a `fetch` of the app does not name the URL of its response
 */
async function followOnPage(fetch: Fetch | undefined, url: string, init: RequestInit): Promise<Response> {
  const { origin, location }: { readonly origin?: string; readonly location?: Pick<Location, 'href'> } = globalThis
  if (!URL.canParse(url, location?.href) || new URL(url, location?.href).origin !== origin) throw refused('', {})
  return (fetch ?? globalThis.fetch)(url, { ...init, redirect: 'follow', mode: 'same-origin' }).catch(
    (cause: unknown) => {
      throw init.signal?.aborted === true ? networkError(cause) : refused('', { cause })
    },
  )
}

function refused(how: string, rest: Pick<AgentErrorInit, 'status' | 'cause'>): AgentError {
  const message = `The agent redirected the request${how}. Redirects are followed within the origin of the request only, because its key and message would go along: give the client the final URL.`
  return fault({ kind: 'runtime', code: 'http_error', message, ...rest })
}

function fault(init: Omit<AgentErrorInit, 'severity'>): AgentError {
  return new AgentError({ ...init, severity: 'FATAL' })
}
