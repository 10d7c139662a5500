import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Lets a server listen on loopback, and gives its origin. */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  // A TCP server that listens has an AddressInfo.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
