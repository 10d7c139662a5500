import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import type { DuplexConnection, DuplexLimits } from '../../src/wire/duplex-transport.ts'
import { type WebSocketLike, webSocketTransport } from '../../src/wire/web-socket-transport.ts'
import { eventually } from '../support/eventually.ts'

const cleanUp: (() => void)[] = []
afterEach(() => {
  for (const clean of cleanUp.splice(0)) clean()
})

interface Served {
  readonly url: string
  /** The server's end of the next connection. */
  next(): Promise<WebSocket>
  readonly sockets: ReadonlySet<WebSocket>
}

async function serve(): Promise<Served> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await new Promise((resolve) => server.once('listening', resolve))
  cleanUp.push(() => {
    for (const socket of server.clients) socket.terminate()
    server.close()
  })
  // A server on a port is at such an address.
  const { port } = server.address() as AddressInfo
  return {
    url: `ws://127.0.0.1:${port}/arcp`,
    next: () => new Promise((resolve) => server.once('connection', resolve)),
    sockets: server.clients,
  }
}

async function meet(
  limits: DuplexLimits = {},
): Promise<{ page: DuplexConnection; agent: WebSocket; served: Served; abort: AbortController }> {
  const served = await serve()
  const abort = new AbortController()
  const transport = webSocketTransport({ url: served.url, WebSocket, ...limits })
  const [page, agent] = await Promise.all([transport.connect({ signal: abort.signal }), served.next()])
  return { page, agent, served, abort }
}

/** All that comes until the connection ends, and what it ended with. */
async function readAll({ frames }: DuplexConnection): Promise<{ read: string[]; error?: unknown }> {
  const read: string[] = []
  try {
    for await (const batch of frames) read.push(...batch)
    return { read }
  } catch (error) {
    return { read, error }
  }
}

const heard = (socket: WebSocket): string[] => {
  const all: string[] = []
  socket.on('message', (data: Buffer) => all.push(data.toString()))
  return all
}

describe('a WebSocket', () => {
  it('carries frames both ways in order, and ends when the agent closes it', async () => {
    const { page, agent } = await meet()
    const sent = heard(agent)
    for (const frame of ['a', 'ä', '{"b":"\\n"}']) page.send(frame)
    await eventually(() => expect(sent).toEqual(['a', 'ä', '{"b":"\\n"}']))
    for (let i = 0; i < 100; i++) agent.send(`frame ${i}`)
    agent.close(1000)
    expect(await readAll(page)).toEqual({ read: Array.from({ length: 100 }, (_, i) => `frame ${i}`) })
    expect(() => page.send('late')).toThrow(expect.objectContaining({ code: 'network_error', severity: 'TRANSIENT' }))
  })

  it('gives frames that came while its reader was busy as one batch', async () => {
    const { page, agent } = await meet()
    const reader = page.frames[Symbol.asyncIterator]()
    agent.send('first')
    expect((await reader.next()).value).toEqual(['first'])
    for (let i = 0; i < 20; i++) agent.send(`${i}`)
    await new Promise((resolve) => agent.ping('', undefined, resolve))
    agent.close(1000)
    await eventually(() => expect(() => page.send('x')).toThrow('closed'))
    const batches: number[] = []
    for (let turn = await reader.next(); turn.done !== true; turn = await reader.next()) batches.push(turn.value.length)
    expect(batches).toEqual([20])
  })

  it.each([
    [1000, undefined],
    [1001, undefined],
    [1005, undefined],
    [1006, { code: 'network_error', severity: 'TRANSIENT' }],
    [1008, { code: 'forbidden', severity: 'FATAL' }],
    [1009, { code: 'invalid_request', severity: 'FATAL' }],
    [1011, { code: 'network_error', severity: 'TRANSIENT' }],
    [1012, { code: 'network_error', severity: 'TRANSIENT' }],
    [1013, { code: 'network_error', severity: 'TRANSIENT' }],
    [4000, { code: 'network_error', severity: 'TRANSIENT' }],
    [4401, { code: 'unauthorized', severity: 'FATAL' }],
    [4403, { code: 'forbidden', severity: 'FATAL' }],
  ] as const)('that is closed with code %i ends as that code says', async (code, error) => {
    const { page, agent } = await meet()
    agent.send('before')
    if (code === 1006) await new Promise((resolve) => agent.ping('', undefined, resolve)).then(() => agent.terminate())
    else if (code === 1005) agent.close()
    else agent.close(code, 'why not')
    const end = await readAll(page)
    expect(end.read).toEqual(['before'])
    if (error === undefined) expect(end.error).toBeUndefined()
    else expect(end.error).toMatchObject({ ...error, details: { closeCode: code } })
  })

  it('that nobody answers rejects: no server, a server that refuses, an abort before', async () => {
    const { url } = await serve()
    const connect = (address: string, signal = new AbortController().signal) =>
      webSocketTransport({ url: address, WebSocket }).connect({ signal })
    const error = expect.objectContaining({ code: 'network_error', severity: 'TRANSIENT' })
    const closed = createServer()
    await new Promise<void>((resolve) => void closed.listen(0, '127.0.0.1', resolve))
    // A server on a port is at such an address.
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    await expect(connect(`ws://127.0.0.1:${port}`)).rejects.toEqual(error)
    await expect(connect(url, AbortSignal.abort())).rejects.toEqual(error)
  })

  it('whose opening is never answered is abandoned by the abort', async () => {
    const mute = createServer()
    await new Promise<void>((resolve) => void mute.listen(0, '127.0.0.1', resolve))
    cleanUp.push(() => mute.close())
    // A server on a port is at such an address.
    const { port } = mute.address() as AddressInfo
    const taken = new Promise<{ destroyed: boolean }>((resolve) => mute.once('connection', resolve))
    const abort = new AbortController()
    const opening = webSocketTransport({ url: `ws://127.0.0.1:${port}`, WebSocket }).connect({ signal: abort.signal })
    const socket = await taken
    abort.abort()
    await expect(opening).rejects.toMatchObject({ code: 'network_error' })
    await eventually(() => expect(socket.destroyed).toBe(true))
  })

  it.each(['abort', 'close', 'return'] as const)('is closed by its reader, who gets nothing more: %s', async (how) => {
    const { page, agent, served, abort } = await meet()
    const reader = page.frames[Symbol.asyncIterator]()
    agent.send('one')
    expect((await reader.next()).value).toEqual(['one'])
    agent.send('two')
    await new Promise((resolve) => agent.ping('', undefined, resolve))
    if (how === 'abort') abort.abort()
    else if (how === 'close') page.close()
    else await reader.return?.()
    expect((await reader.next()).done).toBe(true)
    await eventually(() => expect(served.sockets.size).toBe(0))
  })

  it('that is half open stays silent until its reader gives it up', async () => {
    const { page, agent, abort } = await meet()
    agent.pause()
    for (let i = 0; i < 3; i++) page.send('is anybody there?')
    let isOver = false
    const all = readAll(page).then((end) => {
      isOver = true
      return end
    })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(isOver).toBe(false)
    abort.abort()
    expect(await all).toEqual({ read: [] })
  })

  it('closes with a typed error when a frame is too long, or more came than was read', async () => {
    const long = await meet({ maxFrameLength: 10 })
    long.agent.send('short')
    long.agent.send('a frame that is too long')
    expect(await readAll(long.page)).toEqual({
      read: ['short'],
      error: expect.objectContaining({ code: 'frame_too_large', severity: 'FATAL' }),
    })
    await eventually(() => expect(long.served.sockets.size).toBe(0))
    const full = await meet({ maxBufferedLength: 100 })
    for (let i = 0; i < 12; i++) full.agent.send('0123456789')
    await eventually(() => expect(full.served.sockets.size).toBe(0))
    const end = await readAll(full.page)
    expect(end.read).toHaveLength(10)
    expect(end.error).toMatchObject({ code: 'response_too_large', severity: 'TRANSIENT' })
  })

  it('ends with a typed error when a binary message comes', async () => {
    const { page, agent } = await meet()
    agent.send(Buffer.from([1, 2, 3]))
    expect((await readAll(page)).error).toMatchObject({ code: 'invalid_packet', severity: 'FATAL' })
  })
})

describe('a socket whose peer takes nothing in', () => {
  class FullSocket implements WebSocketLike {
    readyState = 1
    bufferedAmount = 0
    addEventListener: WebSocketLike['addEventListener'] = (type: string, listener: unknown) => {
      // The listener of an opening is called with nothing.
      if (type === 'open') queueMicrotask(listener as () => void)
    }
    send(frame: string): void {
      this.bufferedAmount += frame.length
    }
    close(): void {
      this.readyState = 3
    }
  }

  it('fails to send once its buffer is full, and is closed', async () => {
    const transport = webSocketTransport({ url: 'ws://agent.test', WebSocket: FullSocket, maxSendBuffer: 25 })
    const page = await transport.connect({ signal: new AbortController().signal })
    for (let i = 0; i < 3; i++) page.send('0123456789')
    expect(() => page.send('0123456789')).toThrow(expect.objectContaining({ code: 'network_error' }))
    expect((await readAll(page)).error).toMatchObject({ details: { waiting: 30 } })
    expect(() => page.send('late')).toThrow('closed')
  })
})

describe('the address of a socket', () => {
  it('is asked at each attempt when it is a function, and names the server when it is a text', async () => {
    const { url, next } = await serve()
    let tickets = 0
    const transport = webSocketTransport({ url: () => `${url}?ticket=${(tickets += 1)}`, WebSocket })
    for (let i = 0; i < 2; i++) {
      const accepted = next()
      const page = await transport.connect({ signal: new AbortController().signal })
      await accepted
      page.close()
    }
    expect([tickets, transport.server, webSocketTransport({ url, WebSocket }).server]).toEqual([
      2,
      undefined,
      new URL(url).host,
    ])
  })

  it('is useless on a platform without WebSocket, which is said', async () => {
    vi.stubGlobal('WebSocket', undefined)
    cleanUp.push(() => vi.unstubAllGlobals())
    const connecting = webSocketTransport({ url: 'ws://agent.test' }).connect({ signal: new AbortController().signal })
    await expect(connecting).rejects.toMatchObject({ code: 'invalid_config', severity: 'FATAL' })
  })
})
