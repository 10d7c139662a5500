import { invalidTransport } from '../duplex-errors.ts'
import { frameRequests } from './frame-requests.ts'
import type { Transport } from '../transport.ts'
import type { WebSocketTransportOptions } from '../web-socket-transport.ts'
import { webSocketTransport } from '../web-socket-transport.ts'

export interface WebSocketOptions extends Omit<WebSocketTransportOptions, 'url'> {
  /**
   * The address of a connection, given the one of the request with `ws:` or `wss:` in front: for a path of its own, or a ticket.
   *
   * @default the address of the request
   */
  readonly address?: ((url: string) => string | Promise<string>) | undefined
}

/**
 * Requests over WebSockets in place of HTTP, one connection for each run or command: for networks that hold event streams back.
 * Credentials and headers are in the first frame, since pages cannot give a WebSocket headers.
 *
 * @example
 * ```ts
 * import { CapClient, webSocket } from 'capstan'
 *
 * const client = new CapClient({ baseUrl: 'https://agent.example', transport: webSocket() })
 * for await (const text of client.chat('Why do rivers meander?')) console.log(text)
 * ```
 */
export function webSocket({ address = (url) => url, ...options }: WebSocketOptions = {}): Transport {
  return frameRequests((url) => webSocketTransport({ ...options, url: () => address(toSocketUrl(url)) }))
}

/** A path is an address on a page only. */
function toSocketUrl(url: string): string {
  const { location }: { readonly location?: { readonly href: string } } = globalThis
  if (!URL.canParse(url, location?.href))
    throw invalidTransport(
      `The request goes to the path ${JSON.stringify(url)}, and there is no page here to complete it. Give the client an absolute baseUrl.`,
    )
  const absolute = new URL(url, location?.href)
  absolute.protocol = absolute.protocol.replace('http', 'ws')
  return absolute.href
}
