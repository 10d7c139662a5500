import type { IncomingCall } from '../http/incoming-call.ts'
import type { Answer } from '../http/stream-response.ts'
import type { ProxyCaller } from './upstream-connection.ts'

/** Answers a request of a caller who is known. */
export type ProxyReply = (incoming: IncomingCall, caller: ProxyCaller) => Promise<Answer>

/** What a proxy does for one protocol. */
export interface ProxyService {
  /** @throws HttpRefusal 404 for a path that is not served, 405 with `Allow` for another method */
  match(method: string, pathname: string, options: { readonly cors: boolean }): ProxyReply | 'preflight'
}
