import { ArcpClient } from '../protocols/arcp/client/arcp-client.ts'
import type { WebSocketConstructor } from '../wire/web-socket-transport.ts'
import { webSocketTransport } from '../wire/web-socket-transport.ts'
import type { CliArguments } from './read-arguments.ts'
import type { CliIo } from './cli-io.ts'
import { tokenOf } from './cli-io.ts'
import { loadWs } from './load-ws.ts'

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
