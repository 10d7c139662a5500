import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { createArcpRuntime, toArcpUpgradeListener } from '../../../src/arcp-runtime.ts'
import type { Clock } from '../../../src/base/ports/clock.ts'
import type { Pace } from '../pace.ts'
import { ARCP_TOKEN } from './arcp-scenarios.ts'
import { createArcpTools } from './arcp-tools.ts'

const MOST_FRAME_BYTES = 10_000_000

/** The runtime of the playground behind WebSockets. */
export interface ArcpEndpoint {
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Breaks every socket, without a word to either end. @param refuseMs how long no new one is accepted */
  cut(refuseMs: number): void
  /** How many sockets are open. */
  readonly sockets: number
  dispose(): void
}

export function createArcpEndpoint(pace: Pace, clock: Clock): ArcpEndpoint {
  const runtime = createArcpRuntime({
    tools: createArcpTools(pace, clock),
    auth: { bearer: async (token) => (token === ARCP_TOKEN ? 'user' : undefined) },
  })
  const webSocketServer = new WebSocketServer({ noServer: true, maxPayload: MOST_FRAME_BYTES })
  const listen = toArcpUpgradeListener(runtime, { webSocketServer })
  const open = new Set<Duplex>()
  let refusedUntil = 0

  const cutAll = (): void => {
    for (const socket of open) socket.destroy()
  }

  return {
    upgrade(req, socket, head) {
      if (clock.now() < refusedUntil || socket.destroyed) return void socket.destroy()
      open.add(socket)
      socket.once('close', () => open.delete(socket))
      listen(req, socket, head)
    },
    cut(refuseMs) {
      refusedUntil = clock.now() + refuseMs
      cutAll()
    },
    get sockets() {
      return open.size
    },
    dispose() {
      cutAll()
      webSocketServer.close()
      void runtime.close()
    },
  }
}
