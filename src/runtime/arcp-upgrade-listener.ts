import { attempt } from '../base/attempt.ts'
import { noop } from '../base/noop.ts'
import { checkOrigin, checkOrigins, checkOwnOrigin } from '../server/http/cors.ts'
import { headersOf, urlOf, type NodeRequest } from '../server/platforms/node-call.ts'
import type { NodeUpgradeListener, WebSocketAcceptor } from '../server/platforms/node-upgrade-listener.ts'
import type { DuplexLimits } from '../wire/duplex-transport.ts'
import { webSocketConnection } from '../wire/web-socket-transport.ts'
import type { ArcpRuntime } from './arcp-runtime.ts'

export interface ArcpUpgradeListenerOptions extends DuplexLimits {
  /** What accepts connections: `new WebSocketServer({ noServer: true, maxPayload: 10_000_000 })` of the package `ws`. */
  readonly webSocketServer: WebSocketAcceptor
  /**
   * Where browsers believe the server is, such as `https://app.example`. Needed behind a proxy that ends TLS.
   *
   * @default from the `Host` header and the kind of the connection
   */
  readonly origin?: string | undefined
  /** Other origins whose pages may connect, such as `https://app.example`: browsers let any page open a WebSocket. @default [] */
  readonly origins?: readonly string[] | undefined
}

/** Close code for a page of another origin: the HTTP status behind 4. */
const FORBIDDEN = 4403

/**
 * Serves a runtime over WebSockets, as the listener of the event `upgrade` of a Node server. A page of another origin is refused with
 * the close code 4403. Which paths are upgraded is for the server to say.
 *
 * @throws AgentError `invalid_config` for `origins` that are not exact, and for an `origin` that is not an address
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { createArcpRuntime, toArcpUpgradeListener } from 'capstan/arcp/runtime'
 * import { WebSocketServer } from 'ws'
 *
 * const runtime = createArcpRuntime({ tools: { greet: async () => 'Hello' } })
 * const webSocketServer = new WebSocketServer({ noServer: true, maxPayload: 10_000_000 })
 * createServer().on('upgrade', toArcpUpgradeListener(runtime, { webSocketServer })).listen(7878)
 * ```
 */
export function toArcpUpgradeListener(
  runtime: Pick<ArcpRuntime, 'accept'>,
  { webSocketServer, origin, origins = [], ...limits }: ArcpUpgradeListenerOptions,
): NodeUpgradeListener {
  checkOrigins('origins', origins)
  checkOwnOrigin(origin)
  return (req, socket, head) => {
    webSocketServer.handleUpgrade(req, socket, head, (accepted) => {
      if (!isAllowed(req, origin, origins)) return attempt(noop, () => accepted.close(FORBIDDEN))
      void runtime.accept(webSocketConnection(accepted, limits))
    })
  }
}

function isAllowed(req: NodeRequest, origin: string | undefined, origins: readonly string[]): boolean {
  try {
    const headers = headersOf(req)
    checkOrigin({ url: urlOf(req, origin), header: (name) => headers.get(name) }, { origins })
    return true
  } catch {
    return false
  }
}
