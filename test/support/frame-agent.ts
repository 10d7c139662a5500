import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { WebSocketServer } from 'ws'
import { systemClock } from '../../src/base/ports/clock.ts'
import { answerFrames } from '../../src/server/http/answer-frames.ts'
import type {
  NodeUpgradeListener,
  NodeUpgradeListenerOptions,
} from '../../src/server/platforms/node-upgrade-listener.ts'
import { toNodeUpgradeListener } from '../../src/server/platforms/node-upgrade-listener.ts'
import type { DuplexConnection } from '../../src/wire/duplex-transport.ts'
import { frameRequests } from '../../src/wire/frame-requests.ts'
import { memoryTransport } from '../../src/wire/memory-transport.ts'
import type { Transport } from '../../src/wire/transport.ts'

type Handler = (http: Request) => Promise<Response>

/** Requests to a handler over frames in memory. @param each wraps the agent's end of a connection */
export function memoryRequests(
  handler: Handler,
  each: (agent: DuplexConnection) => DuplexConnection = (agent) => agent,
): Transport {
  return frameRequests((url) =>
    memoryTransport((page) => {
      const { frames, send, close } = each(page)
      return answerFrames({
        handler,
        caller: { frames, send, close, breakOff: close },
        opening: { url: new URL(url), headers: new Headers() },
        origins: [],
        headers: [],
        firstFrameTimeoutMs: 10_000,
        clock: systemClock,
      })
    }),
  )
}

/** A real server on loopback until the test ends, that serves a handler over WebSockets and nothing else. */
export async function serveWebSockets(
  handler: Handler,
  options: Omit<NodeUpgradeListenerOptions, 'webSocketServer'> = {},
): Promise<{ readonly origin: string; readonly webSocketServer: WebSocketServer }> {
  return serveUpgrades((webSocketServer) => toNodeUpgradeListener(handler, { ...options, webSocketServer }))
}

/** A real server on loopback until the test ends, that only upgrades connections. */
export async function serveUpgrades(
  listenerOf: (webSocketServer: WebSocketServer) => NodeUpgradeListener,
): Promise<{ readonly origin: string; readonly webSocketServer: WebSocketServer }> {
  const webSocketServer = new WebSocketServer({ noServer: true, maxPayload: 2_000_000 })
  const server = createServer((_, response) => response.writeHead(404).end())
  server.on('upgrade', listenerOf(webSocketServer))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    for (const socket of webSocketServer.clients) socket.terminate()
    server.close()
  })
  // A TCP server always has an AddressInfo once it listens.
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, webSocketServer }
}
