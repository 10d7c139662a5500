import type { ApiKey, HeaderSource } from '../../wire/credential.ts'
import type { CapError } from './errors.ts'
import { createCapError } from './errors.ts'

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

function invalidConfig(message: string): CapError {
  return createCapError({ kind: 'protocol', code: 'invalid_config', severity: 'FATAL', message })
}
