import type { CorsOptions } from './cors.ts'
import { HttpRefusal } from './http-refusal.ts'
import type { IncomingCall } from './incoming-call.ts'

/**
 * Lets a call pass that comes from the server's own pages, from a listed origin, or from no page at all. A page elsewhere
 * could otherwise send requests in the name of its visitors, because browsers send cookies along.
 *
 * @throws HttpRefusal 403 `origin_refused`
 */
export function checkOrigin(http: Pick<IncomingCall, 'url' | 'header'>, cors: CorsOptions | undefined): void {
  const origin = http.header('origin')
  // Only browsers can set this header, not pages. Behind a proxy that terminates TLS it is more reliable than the
  // address of the request.
  const site = http.header('sec-fetch-site')
  if (site === 'same-origin') return
  if (origin === null && (site === null || site === 'none')) return
  // `null` is the origin of every sandboxed page, and of an address that is neither http nor https.
  if (origin !== null && origin !== 'null' && (origin === http.url.origin || cors?.origins.includes(origin))) return
  throw new HttpRefusal({
    status: 403,
    code: 'origin_refused',
    message: 'This origin is not allowed. Add it to the allowed origins of the server.',
  })
}
