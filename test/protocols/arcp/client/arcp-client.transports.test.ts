import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { ArcpClient } from '../../../../src/protocols/arcp/client/arcp-client.ts'
import { createArcpRuntime } from '../../../../src/runtime/arcp-runtime.ts'
import type { DuplexTransport } from '../../../../src/wire/duplex-transport.ts'
import { memoryTransport } from '../../../../src/wire/memory-transport.ts'
import { stdioTransport } from '../../../../src/wire/stdio-transport.ts'
import {
  webSocketConnection,
  type WebSocketConstructor,
  webSocketTransport,
} from '../../../../src/wire/web-socket-transport.ts'
import { loadArcpOnDemand } from '../../../support/load-arcp-on-demand.ts'

// What is loaded on demand is there.
beforeAll(loadArcpOnDemand)

function runtimeOf(): ReturnType<typeof createArcpRuntime> {
  const runtime = createArcpRuntime({
    tools: {
      async add({ a, b }, { progress, stream }) {
        progress({ percent: 50 })
        await stream('text').write('two numbers')
        return Number(a) + Number(b)
      },
    },
  })
  onTestFinished(() => runtime.close())
  return runtime
}

/** A real server on loopback until the test ends. */
async function serveSockets(): Promise<string> {
  const { accept } = runtimeOf()
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  server.on('connection', (socket) => void accept(webSocketConnection(socket)))
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    for (const socket of server.clients) socket.terminate()
    server.close()
  })
  // A server on a port is at such an address.
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/arcp`
}

/** A whole runtime of one tool, as a program, over its standard input and output. */
const PROGRAM = `
  const at = () => new Date().toISOString()
  let ids = 0
  const say = (type, payload, members) =>
    console.log(JSON.stringify({ arcp: '1.0', id: 'msg_' + ++ids, type, timestamp: at(), session_id: 's', payload, ...members }))
  const take = (frame) => {
    const { id, type, payload } = JSON.parse(frame)
    const reply = { correlation_id: id }
    if (type === 'session.open')
      say('session.accepted', { session_id: 's', runtime: { kind: 'program', version: '1' }, capabilities: {} }, reply)
    if (type === 'ping') say('pong', { ack_for: id, received_at: at() }, reply)
    if (type === 'session.close') process.exit(0)
    if (type !== 'tool.invoke') return
    const job = { job_id: 'j' }
    say('job.accepted', { job_id: 'j', accepted_at: at() }, { ...job, ...reply })
    say('job.progress', { percent: 50 }, job)
    say('stream.open', { kind: 'text', related_job_id: 'j' }, { stream_id: 't' })
    say('stream.chunk', { sequence: 0, data: 'two numbers' }, { stream_id: 't' })
    say('tool.result', { value: payload.arguments.a + payload.arguments.b }, { ...job, ...reply })
  }
  void (async () => {
    for await (const frame of require('node:readline').createInterface({ input: process.stdin })) take(frame)
  })()`

/** That of the platform, which Node 20 does not have: there it is the one of the package again. */
const platform: { readonly WebSocket?: WebSocketConstructor } = globalThis
const Own = platform.WebSocket ?? WebSocket

const TRANSPORTS: readonly [name: string, open: () => Promise<DuplexTransport>][] = [
  ['memory', async () => memoryTransport(runtimeOf().accept)],
  ['a WebSocket of the package ws', async () => webSocketTransport({ url: await serveSockets(), WebSocket })],
  ['the WebSocket of the platform', async () => webSocketTransport({ url: await serveSockets(), WebSocket: Own })],
  ['a program', async () => stdioTransport({ command: process.execPath, args: ['-e', PROGRAM] })],
]

describe.each(TRANSPORTS)('a client over %s', (_, open) => {
  it('shakes hands, invokes a tool, hears its progress and stream, and gets its value', async () => {
    const arcp = new ArcpClient({ transport: await open() })
    expect(await arcp.connect()).toMatchObject({ phase: 'accepted', id: expect.any(String) })
    const heard: string[] = []
    const handle = arcp.invoke('add', { a: 2, b: 40 }, { onMessage: ({ type }) => heard.push(type) })
    expect(await handle.result).toEqual({ value: 42, ref: undefined })
    const jobId = await handle.accepted
    expect(arcp.getState().jobs.get(jobId)).toMatchObject({ state: 'completed', percent: 50 })
    expect([...arcp.getState().streams.values()]).toMatchObject([{ kind: 'text', text: 'two numbers', jobId }])
    expect(heard).toEqual(expect.arrayContaining(['job.accepted', 'job.progress', 'stream.chunk', 'tool.result']))
    arcp.close()
    expect(arcp.connection.phase).toBe('paused')
  })
})
