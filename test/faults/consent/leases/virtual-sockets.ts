import { connectionLost, type DuplexConnection, type DuplexTransport } from '../../../../src/wire/duplex-transport.ts'
import { createFrameQueue } from '../../../../src/wire/frame-queue.ts'
import type { Thread, VirtualTime } from '../../../storage/model/virtual-time.ts'

/** Sockets between pages and a runtime: frames keep their order, take their time, and are lost with their connection. */
export interface VirtualSockets {
  transportOf(page: Thread): DuplexTransport
  cut(): void
  /** Breaks every connection, and refuses new ones for a while. */
  fail(ms: number): void
  heal(): void
}

interface Socket {
  readonly ends: readonly [DuplexConnection, DuplexConnection]
  cut(): void
}

export function createVirtualSockets(
  time: VirtualTime,
  random: () => number,
  runtime: Thread,
  accept: (connection: DuplexConnection) => Promise<void>,
): VirtualSockets {
  const sockets = new Set<Socket>()
  let refusedUntil = 0

  function open(page: Thread): Socket {
    let isOpen = true
    const over = (): void => {
      isOpen = false
      sockets.delete(socket)
    }
    const queues = [
      createFrameQueue({ onClosed: () => leave(0) }),
      createFrameQueue({ onClosed: () => leave(1) }),
    ] as const
    const threads = [page, runtime] as const
    const lastAt = [0, 0]
    const post = (to: 0 | 1, act: () => void): void => {
      const at = Math.max(lastAt[to] ?? 0, time.now + random() * 10)
      lastAt[to] = at
      threads[to].post('network', at - time.now, act)
    }
    const leave = (own: 0 | 1): void => {
      if (!isOpen) return
      over()
      post(own === 0 ? 1 : 0, () => queues[own === 0 ? 1 : 0].end())
    }
    const end = (own: 0 | 1): DuplexConnection => {
      const to = own === 0 ? 1 : 0
      return {
        frames: queues[own].frames,
        send(frame) {
          if (!isOpen) throw connectionLost('The connection is closed.')
          post(to, () => (isOpen ? queues[to].push(frame) : undefined))
        },
        close() {
          queues[own].drop()
          leave(own)
        },
      }
    }
    const socket: Socket = {
      ends: [end(0), end(1)],
      cut() {
        over()
        for (const to of [0, 1] as const) post(to, () => queues[to].fail(connectionLost('The connection broke.')))
      },
    }
    sockets.add(socket)
    return socket
  }

  function cut(): void {
    for (const socket of [...sockets]) socket.cut()
  }

  return {
    transportOf: (page) => ({
      connect: ({ signal }) =>
        new Promise((resolve, reject) => {
          page.post('network', random() * 10, () => {
            if (signal.aborted || time.now < refusedUntil) return reject(connectionLost('No connection.'))
            const { ends } = open(page)
            signal.addEventListener('abort', () => ends[0].close())
            runtime.post('network', 0, () => void accept(ends[1]))
            resolve(ends[0])
          })
        }),
    }),
    cut,
    fail(ms) {
      refusedUntil = Math.max(refusedUntil, time.now + ms)
      cut()
    },
    heal() {
      refusedUntil = 0
    },
  }
}
