import type { ApiKey } from '../../wire/credential.ts'
import type { CapError } from './errors.ts'
import { createCapError } from './errors.ts'

/** Extra request headers, fixed or asked for at every attempt. */
export type HeaderSource =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>)

export interface CapEndpointOptions {
  /** Root of the agent service: `https://agent.example`, or a path on the page's own origin such as `/api/agent`. */
  readonly baseUrl: string
  /**
   * Path of the assist call, below `baseUrl` (CAP section 7, row 7).
   *
   * @default `/v1/assist` when `baseUrl` has no path, else `/assist`
   */
  readonly path?: string | undefined
  /**
   * Credential for `Authorization: Bearer`, or a function that gets one, asked before every attempt. Absent: no
   * `Authorization` header.
   */
  readonly apiKey?: ApiKey | undefined
  /**
   * Extra request headers, or a function that makes them, asked before every attempt. Absent: no headers but those of
   * CAP.
   */
  readonly headers?: HeaderSource | undefined
}

/** Where the calls go. */
export interface CapUrls {
  readonly assist: string
  readonly health: string
}

export function resolveUrls({ baseUrl, path }: CapEndpointOptions): CapUrls {
  const base = baseUrl.trim().replace(/\/+$/, '')
  const isPath = base.startsWith('/')
  if (!isPath && !URL.canParse(base) && baseUrl.trim() !== '/') {
    throw invalidConfig(
      `baseUrl is ${JSON.stringify(baseUrl)}, which is neither an absolute URL nor a path that begins with "/".`,
    )
  }
  const hasPath = isPath ? base.length > 1 : base !== '' && new URL(base).pathname !== '/'
  const assist = path ?? (hasPath ? '/assist' : '/v1/assist')
  return { assist: `${base}${assist.startsWith('/') ? '' : '/'}${assist}`, health: `${base}/health` }
}

/** The headers every call carries: extra ones first, the credential last, so that neither hides the other. */
export async function resolveHeaders(
  headers: HeaderSource | undefined,
  key: string | undefined,
): Promise<Record<string, string>> {
  const all: Record<string, string> = { ...(typeof headers === 'function' ? await headers() : headers) }
  if (key !== undefined && key !== '') all['authorization'] = `Bearer ${key}`
  for (const [name, value] of Object.entries(all)) assertHeader(name, value)
  return all
}

/** A line break in a credential would let it write headers of its own; other odd characters make fetch throw untyped. */
function assertHeader(name: string, value: string): void {
  if (/^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value) && /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return
  throw invalidConfig(
    `The request header ${JSON.stringify(name)} has a name or value that HTTP does not allow (a line break, a control character or text outside Latin-1). Check apiKey and headers.`,
  )
}

function invalidConfig(message: string): CapError {
  return createCapError({ kind: 'protocol', code: 'invalid_config', severity: 'FATAL', message })
}
