import type { CorsOptions } from './cors.ts'
import { HttpRefusal } from './http-refusal.ts'

/**
 * Lets a call pass that comes from the server's own pages, from a listed origin, or from no page at all. A page elsewhere
 * could otherwise ask in the name of whoever visits it, because browsers send cookies along.
 *
 * @throws HttpRefusal 403 `origin_refused`
 */
export function checkOrigin(http: Request, cors: CorsOptions | undefined): void {
  const origin = http.headers.get('origin')
  // Browsers set it, and no page can. Behind a proxy that ends TLS it knows better than the address seen here.
  const site = http.headers.get('sec-fetch-site')
  if (site === 'same-origin') return
  if (origin === null && (site === null || site === 'none')) return
  if (origin !== null && (origin === new URL(http.url).origin || cors?.origins.includes(origin))) return
  throw new HttpRefusal({
    status: 403,
    code: 'origin_refused',
    message: 'Pages of this origin may not ask here. The operator can list origins that may.',
  })
}
