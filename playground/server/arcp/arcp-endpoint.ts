import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { WebSocketServer } from 'ws'
import { createArcpRuntime, webSocketConnection } from '../../../src/arcp-runtime.ts'
import type { Clock } from '../../../src/base/ports/clock.ts'
import type { Pace } from '../pace.ts'
import { ARCP_TOKEN } from './arcp-scenarios.ts'
import { createArcpTools } from './arcp-tools.ts'

/** The runtime of the playground behind WebSockets. */
export interface ArcpEndpoint {
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Breaks every socket, without a word to either end. @param refuseMs how long no new one is accepted */
  cut(refuseMs: number): void
  readonly sockets: number
  dispose(): void
}

export function createArcpEndpoint(pace: Pace, clock: Clock): ArcpEndpoint {
  const runtime = createArcpRuntime({
    tools: createArcpTools(pace, clock),
    auth: { bearer: async (token) => (token === ARCP_TOKEN ? 'user' : undefined) },
  })
  const server = new WebSocketServer({ noServer: true })
  const open = new Set<WebSocket>()
  let refusedUntil = 0

  return {
    upgrade(req, socket, head) {
      if (clock.now() < refusedUntil) return void socket.destroy()
      server.handleUpgrade(req, socket, head, (accepted) => {
        open.add(accepted)
        accepted.addEventListener('close', () => open.delete(accepted))
        void runtime.accept(webSocketConnection(accepted))
      })
    },
    cut(refuseMs) {
      refusedUntil = clock.now() + refuseMs
      for (const socket of open) socket.terminate()
    },
    get sockets() {
      return open.size
    },
    dispose() {
      for (const socket of open) socket.terminate()
      server.close()
      void runtime.close()
    },
  }
}
