import { HttpRefusal } from './http-refusal.ts'

export type Route = 'assist' | 'health' | 'preflight'

/** Last step of a path, whatever prefix the handler is mounted under: `/assist` and `/v1/assist` are the same to it. */
const METHODS: ReadonlyMap<string, { readonly method: string; readonly route: Route }> = new Map([
  ['assist', { method: 'POST', route: 'assist' }],
  ['health', { method: 'GET', route: 'health' }],
])

/**
 * Says what a request wants (CAP section 6, rule 1).
 *
 * @throws HttpRefusal 404 for any other path, 405 with `Allow` for any other method.
 */
export function matchRoute(method: string, pathname: string, options: { readonly cors: boolean }): Route {
  const known = METHODS.get(pathname.slice(pathname.lastIndexOf('/') + 1))
  if (!known) {
    throw new HttpRefusal({
      status: 404,
      code: 'not_found',
      message: 'Nothing is served here. Agents answer POST on /assist or /v1/assist, and GET on /health.',
    })
  }
  if (method === known.method) return known.route
  if (method === 'OPTIONS' && options.cors) return 'preflight'
  throw new HttpRefusal({
    status: 405,
    code: 'method_not_allowed',
    message: `This address answers ${known.method} only, and this was ${method}.`,
    headers: { allow: options.cors ? `${known.method}, OPTIONS` : known.method },
  })
}
