import { CONTROL_NAMES, type ControlName } from '../../protocols/cap/handle.ts'
import { canonicalUuid } from '../../protocols/cap/values/scalars.ts'
import { HttpRefusal } from './http-refusal.ts'

/** A command for a run. */
export interface ControlRoute {
  readonly control: ControlName
  /** Canonical form; undefined for what is no UUID, which no run has as its id. */
  readonly requestId: string | undefined
}

export type Route = 'assist' | 'health' | 'preflight' | ControlRoute

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
  const known = METHODS.get(pathname.slice(pathname.lastIndexOf('/') + 1)) ?? matchControl(pathname)
  if (!known) {
    throw new HttpRefusal({
      status: 404,
      code: 'not_found',
      message:
        'Nothing is served here. Agents answer POST on /assist or /v1/assist and on runs/{request_id}/cancel, answer or say beside it, and GET on /health.',
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

/** `…/runs/{request_id}/cancel`, beside the assist endpoint. */
function matchControl(pathname: string): { readonly method: string; readonly route: ControlRoute } | undefined {
  const [runs, id = '', name] = pathname.split('/').slice(-3)
  const control = CONTROL_NAMES.find((each) => each === name)
  if (runs !== 'runs' || control === undefined) return undefined
  return { method: 'POST', route: { control, requestId: canonicalUuid(decoded(id)) } }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
