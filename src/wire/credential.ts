import { AgentError } from '../base/agent-error.ts'
import type { Transport, TransportAnswer, TransportRequest } from './transport.ts'

/** What is known when a credential is asked for. */
export interface CredentialContext {
  /** The key the server has just answered with 401: get a new one. Absent in ordinary calls. */
  readonly rejected?: string | undefined
}

/** A credential, or a way to get one; asked again at every attempt, and once more, with `rejected`, after a 401. */
export type ApiKey = string | ((context: CredentialContext) => string | Promise<string>)

/** One source of keys for all calls of a client. */
export interface Credential {
  get(): Promise<string | undefined>
  /**
   * A key in place of one that was refused, or undefined when there is none. All streams refused with the same
   * key share one call.
   */
  renew(rejected: string): Promise<string | undefined>
}

export function createCredential(source: ApiKey | undefined): Credential {
  let renewal: { readonly rejected: string; readonly key: Promise<string>; open: boolean } | undefined

  return {
    async get() {
      if (typeof source !== 'function') return source
      // A call that starts during a refresh waits for the new key, because the old one would be refused.
      return renewal?.open === true ? renewal.key : source({})
    },
    async renew(rejected) {
      if (typeof source !== 'function') return undefined
      if (renewal?.rejected !== rejected) {
        const own = { rejected, key: Promise.resolve(source({ rejected })), open: true }
        renewal = own
        // A refresh that returned no new key is not cached: a later refusal asks again.
        const close = (key?: string): void => {
          own.open = false
          if ((key === undefined || key === rejected) && renewal === own) renewal = undefined
        }
        own.key.then(close, () => close())
      }
      const key = await renewal.key
      return key === rejected ? undefined : key
    },
  }
}

/** Extra request headers, fixed or asked for at every attempt. */
export type HeaderSource =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>)

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

/** A line break in a credential would let it write its own headers; other odd characters make fetch throw untyped. */
function assertHeader(name: string, value: string): void {
  if (/^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value) && /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return
  throw new AgentError({
    kind: 'protocol',
    code: 'invalid_config',
    severity: 'FATAL',
    message: `The request header ${JSON.stringify(name)} has a name or value that HTTP does not allow (a line break, a control character or text outside Latin-1). Check apiKey and headers.`,
  })
}

interface AuthorizedSender {
  readonly transport: Transport
  readonly credential: Credential
  readonly headers?: HeaderSource | undefined
}

/**
 * Sends one request with the credential, and a second one only when the key was refused and there is another: the server has done
 * nothing yet. Headers of the request win over those of the sender.
 */
export async function sendAuthorized(
  { transport, credential, headers }: AuthorizedSender,
  request: TransportRequest,
): Promise<TransportAnswer> {
  const attempt = async (key: string | undefined): Promise<TransportAnswer> =>
    transport.send({ ...request, headers: { ...(await resolveHeaders(headers, key)), ...request.headers } })
  const key = await credential.get()
  const answer = await attempt(key)
  if (answer.status !== 401 || answer.kind === 'events' || key === undefined) return answer
  const fresh = await credential.renew(key)
  if (fresh === undefined) return answer
  await answer.text({ maxBytes: 0, truncate: true })
  return attempt(fresh)
}

/** Path of a request, without query and fragment, which may be secret. */
export function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url.replace(/[?#].*$/s, '')
}
