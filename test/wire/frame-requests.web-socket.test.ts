import { describe, expect, it } from 'vitest'
import type { WebSocketLike } from '../../src/wire/web-socket-transport.ts'
import { webSocket, type WebSocketOptions } from '../../src/wire/frame-requests.ts'

/** The addresses that sockets are opened at, which then say nothing. */
function addresses(): { readonly opened: string[]; readonly Socket: new (url: string) => WebSocketLike } {
  const opened: string[] = []
  return {
    opened,
    Socket: class {
      readonly readyState = 0
      readonly bufferedAmount = 0
      constructor(url: string) {
        opened.push(url)
      }
      addEventListener(type: string, listener: (event: never) => void): void {
        // The transport reads these two of a close.
        const closed = { code: 1006, reason: '' } as never
        if (type === 'close') queueMicrotask(() => listener(closed))
      }
      send(): void {}
      close(): void {}
    },
  }
}

async function open(url: string, options: WebSocketOptions = {}): Promise<{ opened: string[]; error: unknown }> {
  const { opened, Socket } = addresses()
  const signal = new AbortController().signal
  const sent = webSocket({ WebSocket: Socket, ...options }).send({ url, method: 'POST', headers: {}, signal })
  return { opened, error: await sent.then(undefined, (error: unknown) => error) }
}

describe('the address of a connection', () => {
  it.each([
    ['https://agent.test/v1/assist', 'wss://agent.test/v1/assist'],
    ['http://127.0.0.1:8000/v1/runs/a%20b/cancel?x=http', 'ws://127.0.0.1:8000/v1/runs/a%20b/cancel?x=http'],
  ])('%s is that of the request: %s', async (url, expected) => {
    expect((await open(url)).opened).toEqual([expected])
  })

  it('is what the app makes of it, asked at each connection', async () => {
    const address = (url: string): Promise<string> => Promise.resolve(`${url}?ticket=7`)
    expect((await open('https://agent.test/assist', { address })).opened).toEqual(['wss://agent.test/assist?ticket=7'])
  })

  it('is a typed error for a path where there is no page', async () => {
    const { opened, error } = await open('/api/agent/assist')
    expect(opened).toEqual([])
    expect(error).toMatchObject({ code: 'invalid_config', severity: 'FATAL' })
  })

  it('that cannot be reached is a lost connection', async () => {
    expect((await open('https://agent.test/assist')).error).toMatchObject({
      code: 'network_error',
      severity: 'TRANSIENT',
    })
  })
})
