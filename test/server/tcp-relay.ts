import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A proxy in front of a server, so that its clients lose their connections. */
export interface Relay {
  readonly port: number
  /** Ends all connections, and every new one, until `restore`. */
  cut(): void
  /** Keeps all connections open and carries nothing, until `restore`: neither side learns of it. */
  freeze(): void
  restore(): void
  /** Sends new connections to another port, and ends those that there are. */
  redirect(port: number): void
  close(): void
}

/** @param to port of the server */
export async function startRelay(to: number): Promise<Relay> {
  const sockets = new Set<Socket>()
  let target = to
  let state: 'open' | 'cut' | 'frozen' = 'open'
  const track = (socket: Socket): Socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
    return socket
  }
  const server = createServer((socket) => {
    track(socket)
    if (state === 'cut') {
      socket.destroy()
      return
    }
    const up = track(connect(target, '127.0.0.1'))
    socket.pipe(up).pipe(socket)
    if (state === 'frozen') for (const each of [socket, up]) each.pause()
    socket.once('close', () => up.destroy())
    up.once('close', () => socket.destroy())
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const endAll = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  const cut = (): void => {
    state = 'cut'
    endAll()
  }
  return {
    // A TCP server always has an AddressInfo once it listens.
    port: (server.address() as AddressInfo).port,
    cut,
    freeze() {
      state = 'frozen'
      for (const socket of sockets) socket.pause()
    },
    restore() {
      state = 'open'
      for (const socket of sockets) socket.resume()
    },
    redirect(port) {
      target = port
      endAll()
    },
    close() {
      cut()
      server.close()
    },
  }
}

export async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => {
    probe.listen(0, '127.0.0.1', resolve)
  })
  // A TCP server always has an AddressInfo once it listens.
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => {
    probe.close(resolve)
  })
  return port
}
