import type * as Ws from 'ws'
import { ArcpClient } from '../protocols/arcp/client/arcp-client.ts'
import { type WebSocketConstructor, webSocketTransport } from '../wire/web-socket-transport.ts'
import { type CliArguments, type CliIo, tokenOf, CliFault } from './read-arguments.ts'

/** A client of the runtime that the arguments name. */
export async function openClient({ ws = '' }: CliArguments, io: CliIo): Promise<ArcpClient> {
  const token = tokenOf(io)
  const { WebSocket: own }: { readonly WebSocket?: WebSocketConstructor } = globalThis
  const WebSocket = own ?? (await loadWs()).WebSocket
  return new ArcpClient({
    transport: webSocketTransport({ url: ws, WebSocket }),
    auth: token === undefined ? { scheme: 'none' } : { scheme: 'bearer', token },
    client: { kind: 'capstan-cli', version: '1' },
  })
}

/** The package `ws`, which the program needs for sockets that Node has not. @throws CliFault when it is not installed */
export async function loadWs(): Promise<typeof Ws> {
  try {
    return await import('ws')
  } catch {
    throw new CliFault('This needs the package ws: npm install ws')
  }
}
