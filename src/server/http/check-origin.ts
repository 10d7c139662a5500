import type { CorsOptions } from './cors.ts'
import { HttpRefusal } from './http-refusal.ts'

/**
 * Lets a call pass that comes from the server's own pages, from a listed origin, or from no page at all. A page elsewhere
 * could otherwise send requests in the name of its visitors, because browsers send cookies along.
 *
 * @throws HttpRefusal 403 `origin_refused`
 */
export function checkOrigin(http: Request, cors: CorsOptions | undefined): void {
  const origin = http.headers.get('origin')
  // Only browsers can set this header, not pages. Behind a proxy that terminates TLS it is more reliable than the
  // address of the request.
  const site = http.headers.get('sec-fetch-site')
  if (site === 'same-origin') return
  if (origin === null && (site === null || site === 'none')) return
  if (origin !== null && (origin === new URL(http.url).origin || cors?.origins.includes(origin))) return
  throw new HttpRefusal({
    status: 403,
    code: 'origin_refused',
    message: 'This origin is not allowed. Add it to the allowed origins of the server.',
  })
}
