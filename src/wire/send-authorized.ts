import type { Credential } from './credential.ts'
import type { HeaderSource } from './request-headers.ts'
import { resolveHeaders } from './request-headers.ts'
import type { Transport, TransportAnswer, TransportRequest } from './transport.ts'

export interface AuthorizedSender {
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
