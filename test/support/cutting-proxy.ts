import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** Which way bytes go: to the server, or back from it. */
export type Direction = 'request' | 'response'

/** After so many bytes in one direction the connection is closed in both. 0: before the first byte. */
export interface ByteCut {
  readonly direction: Direction
  readonly afterBytes: number
  /** How many connections in turn are cut there. */
  readonly times: number
}

/** A TCP proxy that knows nothing of HTTP: bytes are passed on as they come, and connections are closed in the middle of them. */
export interface CuttingProxy {
  readonly origin: string
  /** Bytes that have been passed on since `cut` was called last. */
  readonly passed: Readonly<Record<Direction, number>>
  /** Connections that were cut since then. */
  readonly cuts: number
  /** Says where the next connections are cut; undefined for nowhere. The connections that are open are closed. */
  cut(next: ByteCut | undefined): void
}

/** A proxy to a server on loopback until the test ends. */
export async function proxyCut(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target)
  const open = new Set<Socket>()
  let planned: ByteCut | undefined
  let cuts = 0
  let passed: Record<Direction, number> = { request: 0, response: 0 }

  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ host: hostname, port: Number(port), noDelay: true })
    const cut = planned !== undefined && cuts < planned.times ? planned : undefined
    const close = (): void => {
      client.destroy()
      upstream.destroy()
    }
    const pass = (direction: Direction, from: Socket, to: Socket): void => {
      let left = cut?.direction === direction ? cut.afterBytes : Number.POSITIVE_INFINITY
      from.on('data', (bytes: Buffer) => {
        if (left < 0) return
        const piece = bytes.subarray(0, left)
        left -= piece.byteLength
        passed[direction] += piece.byteLength
        if (left > 0) return void to.write(piece)
        left = -1
        cuts += 1
        // Not a reset, which could overtake what was passed on: the other side reads exactly these bytes.
        if (piece.byteLength === 0) close()
        else to.write(piece, close)
      })
      from.on('end', () => to.end())
      from.on('error', () => to.destroy())
      from.on('close', () => {
        open.delete(from)
        to.destroy()
      })
      open.add(from)
    }
    pass('request', client, upstream)
    pass('response', upstream, client)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const closeAll = (): void => {
    for (const socket of [...open]) socket.destroy()
  }
  onTestFinished(() => {
    closeAll()
    server.close()
  })
  return {
    // A TCP server always has an AddressInfo once it listens.
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get passed() {
      return passed
    },
    get cuts() {
      return cuts
    },
    cut(next) {
      planned = next
      cuts = 0
      passed = { request: 0, response: 0 }
      closeAll()
    },
  }
}
