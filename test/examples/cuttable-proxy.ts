import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

/** TCP proxy between a browser and a server whose connections can be cut. */
export interface CuttableProxy {
  readonly origin: string
  /** Destroys every socket on both ends, in the middle of whatever they say. New ones come through. */
  cut(): number
  close(): void
}

export async function createCuttableProxy(port: number): Promise<CuttableProxy> {
  const sockets = new Set<Socket>()
  const keep = (socket: Socket, other: () => Socket): void => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      other().destroy()
    })
  }
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    keep(near, () => far)
    keep(far, () => near)
    near.pipe(far)
    far.pipe(near)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const cut = (): number => {
    const all = [...sockets]
    for (const socket of all) socket.destroy()
    return all.length
  }
  return {
    // A TCP server that listens has an AddressInfo.
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    close() {
      cut()
      server.close()
    },
  }
}
