import { CONTROL_NAMES, type ControlName } from '../../protocols/cap/handle.ts'
import { canonicalUuid } from '../../protocols/cap/values/scalars.ts'
import { HttpRefusal } from './http-refusal.ts'

/** A command for a run. */
export interface ControlRoute {
  readonly control: ControlName
  /** Canonical form; undefined for what is no UUID, which no run has as its id. */
  readonly requestId: string | undefined
}

/** What a page asks of the conversations of its user. */
export interface ConversationRoute {
  readonly conversations: 'list' | 'read' | 'rename' | 'remove'
  /** As it is in the path; empty for the list. */
  readonly id: string
}

export type Route = 'assist' | 'health' | 'preflight' | ControlRoute

/** What an address answers, by method. */
type Methods<Found> = Readonly<Record<string, Found>>

/** Last step of a path, whatever prefix the handler is mounted under: `/assist` and `/v1/assist` are the same to it. */
const METHODS: ReadonlyMap<string, Methods<Route>> = new Map<string, Methods<Route>>([
  ['assist', { POST: 'assist' }],
  ['health', { GET: 'health', HEAD: 'health' }],
])

/** Addresses of other protocols next to it, for a handler that speaks them: what is posted says which it is. */
const FOREIGN: readonly string[] = ['chat', 'ag-ui']

export interface RouteOptions {
  /** Whether preflights are answered. */
  readonly cors: boolean
  /** Whether other protocols are spoken. @default false */
  readonly foreign?: boolean
}

/**
 * Says what a request wants (CAP section 6, rule 1).
 *
 * @throws HttpRefusal 404 for any other path, 405 with `Allow` for any other method.
 */
export function matchRoute(method: string, pathname: string, options: RouteOptions): Route {
  const last = pathname.slice(pathname.lastIndexOf('/') + 1)
  const name = options.foreign && FOREIGN.includes(last) ? 'assist' : last
  const known = METHODS.get(name) ?? matchControl(pathname)
  if (!known) {
    throw new HttpRefusal({
      status: 404,
      code: 'not_found',
      message:
        'Nothing is served here. Agents answer POST on /assist or /v1/assist and on runs/{request_id}/cancel, answer or say beside it, and GET on /health.',
    })
  }
  return routeOf(method, known, options)
}

function routeOf<Found>(method: string, known: Methods<Found>, options: RouteOptions): Found | 'preflight' {
  const route = Object.hasOwn(known, method) ? known[method] : undefined
  if (route !== undefined) return route
  if (method === 'OPTIONS' && options.cors) return 'preflight'
  const allowed = Object.keys(known).join(', ')
  throw new HttpRefusal({
    status: 405,
    code: 'method_not_allowed',
    message: `This address answers ${allowed} only, and this was ${method}.`,
    headers: { allow: options.cors ? `${allowed}, OPTIONS` : allowed },
  })
}

/** `…/runs/{request_id}/cancel`, beside the assist endpoint. */
function matchControl(pathname: string): Methods<Route> | undefined {
  const [runs, id = '', name] = pathname.split('/').slice(-3)
  const control = CONTROL_NAMES.find((each) => each === name)
  if (runs !== 'runs' || control === undefined) return undefined
  return { POST: { control, requestId: canonicalUuid(decoded(id)) } }
}

/**
 * Says what a request wants of conversations: `…/conversations` and `…/conversations/{id}`, beside the assist endpoint. Undefined
 * for any other path.
 *
 * @throws HttpRefusal 405 with `Allow` for any other method.
 */
export function matchConversations(
  method: string,
  pathname: string,
  options: RouteOptions,
): ConversationRoute | 'preflight' | undefined {
  const [folder, last = ''] = pathname.split('/').slice(-2)
  if (last === 'conversations')
    return routeOf<ConversationRoute>(method, { GET: { conversations: 'list', id: '' } }, options)
  if (folder !== 'conversations' || last === '') return undefined
  const id = canonicalUuid(decoded(last)) ?? decoded(last)
  return routeOf<ConversationRoute>(
    method,
    {
      GET: { conversations: 'read', id },
      PATCH: { conversations: 'rename', id },
      DELETE: { conversations: 'remove', id },
    },
    options,
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
