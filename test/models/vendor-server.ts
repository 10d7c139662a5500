import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach } from 'vitest'

/** What a server of a vendor does behind the events it sends. */
export type Ending = 'close' | 'reset' | 'hang'

/** An answer of the vendor: events of its stream, or a status. An event that is a string is sent as it is. */
export type VendorAnswer =
  | { readonly events: readonly (object | string)[]; readonly ends?: Ending }
  /** Events that are sent one by one, as the test makes them. */
  | { readonly live: AsyncIterable<object | string> }
  /** NDJSON, as Ollama sends them. */
  | { readonly entries: readonly object[]; readonly ends?: Ending }
  | { readonly status: number; readonly body: object }

export interface VendorServer {
  readonly origin: string
  /** Bodies of the requests, in order; undefined for one without. */
  readonly bodies: readonly (Readonly<Record<string, unknown>> | undefined)[]
  /** Methods and addresses of the requests. */
  readonly asked: readonly string[]
  /** Streams that the caller closed before their end. */
  readonly aborted: number
}

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A server on loopback that speaks a vendor's events. @param answer what it says to the request of a number */
export async function serveVendor(answer: (ordinal: number, url: string) => VendorAnswer): Promise<VendorServer> {
  const bodies: (Readonly<Record<string, unknown>> | undefined)[] = []
  const asked: string[] = []
  let aborted = 0
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    request.on('end', () => {
      const url = request.url ?? ''
      const said = answer(asked.length, url)
      asked.push(`${request.method} ${url}`)
      // What the SDK posts.
      bodies.push(text === '' ? undefined : (JSON.parse(text) as Readonly<Record<string, unknown>>))
      response.on('close', () => {
        if (!response.writableFinished && !('status' in said) && !('live' in said) && said.ends !== 'reset')
          aborted += 1
      })
      if ('status' in said)
        response.writeHead(said.status, { 'content-type': 'application/json' }).end(JSON.stringify(said.body))
      else if ('entries' in said) {
        const entries = said.entries.map((each) => `${JSON.stringify(each)}\n`)
        send(response, 'application/x-ndjson', entries, said.ends)
      } else if ('live' in said) void sendLive(response, said.live)
      else send(response, 'text/event-stream', said.events.map(frameOf), said.ends)
    })
  })
  // An idle connection that is closed while a request is on its way would be a separate fault.
  server.keepAliveTimeout = 0
  servers.push(server)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  // A TCP server always has an AddressInfo once it listens.
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    bodies,
    asked,
    get aborted() {
      return aborted
    },
  }
}

function frameOf(event: object | string): string {
  if (typeof event === 'string') return `data: ${event}\n\n`
  return `${'type' in event ? `event: ${String(event.type)}\n` : ''}data: ${JSON.stringify(event)}\n\n`
}

async function sendLive(response: ServerResponse, events: AsyncIterable<object | string>): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for await (const event of events) response.write(frameOf(event))
  response.end()
}

function send(response: ServerResponse, type: string, pieces: readonly string[], ends: Ending = 'close'): void {
  response.writeHead(200, { 'content-type': type })
  response.write(pieces.join(''), () => {
    if (ends === 'close') response.end()
    // The text is to arrive before the reset does.
    else if (ends === 'reset') setTimeout(() => response.socket?.resetAndDestroy(), 20)
  })
}
