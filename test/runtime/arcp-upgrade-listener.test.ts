import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import type { ArcpClientOptions } from '../../src/protocols/arcp/client/arcp-connection.ts'
import { ArcpClient } from '../../src/protocols/arcp/client/arcp-client.ts'
import { toArcpUpgradeListener } from '../../src/runtime/arcp-upgrade-listener.ts'
import type { DuplexTransport } from '../../src/wire/duplex-transport.ts'
import { stdioTransport } from '../../src/wire/stdio-transport.ts'
import { webSocketTransport } from '../../src/wire/web-socket-transport.ts'
import { AT_ONCE } from '../faults/meet.ts'
import { ROOT } from '../layers/files.ts'
import { canonicalRuntime, TOKEN } from './canonical-runtime.ts'

const ending: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).toReversed()) await end()
})

/** A runtime behind a real WebSocket, of its own pages and of those that are named. */
async function serveSockets(origins: readonly string[] = []) {
  const runtime = canonicalRuntime()
  const webSocketServer = new WebSocketServer({ noServer: true })
  const server = createServer().on('upgrade', toArcpUpgradeListener(runtime, { webSocketServer, origins }))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // The server listens on a port.
  const { port } = server.address() as AddressInfo
  ending.push(
    () => new Promise((resolve) => server.close(resolve)),
    () => runtime.close(),
  )
  return { runtime, port, transport: webSocketTransport({ url: `ws://127.0.0.1:${port}/arcp`, WebSocket }) }
}

/** The same runtime as a program. */
async function startProgram(): Promise<DuplexTransport> {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-arcp-'))
  ending.push(() => rmSync(folder, { recursive: true }))
  const outfile = join(folder, 'program.mjs')
  const entryPoints = [`${ROOT}test/runtime/stdio-program.ts`]
  await build({ entryPoints, bundle: true, platform: 'node', format: 'esm', outfile, absWorkingDir: ROOT })
  return stdioTransport({ command: process.execPath, args: [outfile] })
}

function connect(transport: DuplexTransport, options: Partial<ArcpClientOptions> = {}): ArcpClient {
  const arcp = new ArcpClient({ transport, auth: { scheme: 'bearer', token: TOKEN }, retry: AT_ONCE, ...options })
  ending.push(() => arcp.close())
  return arcp
}

/** The same on each transport: the session, a tool with progress and text, and a question that is answered. */
async function greet(arcp: ArcpClient): Promise<void> {
  const session = await arcp.connect()
  expect(session).toMatchObject({ phase: 'accepted', runtime: { kind: 'capstan' } })
  const job = arcp.invoke('greet', { name: 'Bob' })
  expect(await job.result).toEqual({ value: { name: 'Bob' }, ref: undefined })
  expect(arcp.getState().jobs.get(await job.accepted)).toMatchObject({ state: 'completed', percent: 50 })
  expect([...arcp.getState().streams.values()]).toMatchObject([{ text: 'Hello Bob, says the runtime of ada' }])
}

async function askedPrompt(arcp: ArcpClient): Promise<string> {
  return new Promise((resolve) => {
    const leave = arcp.onMessage(({ type, id }) => {
      if (type !== 'human.input.request') return
      leave()
      resolve(id)
    })
  })
}

describe('the runtime', () => {
  it('serves the client over a real WebSocket', async () => {
    const { transport } = await serveSockets()
    await greet(connect(transport))
  })

  it('serves the client as a program, over its standard input and output', async () => {
    await greet(connect(await startProgram()))
  })

  it('has a question answered over the socket that replaced the one it was asked on', async () => {
    const { runtime, transport } = await serveSockets()
    const arcp = connect(transport)
    const asked = askedPrompt(arcp)
    const job = arcp.invoke('ask')
    const promptId = await asked
    runtime.disconnect()
    expect(await arcp.answer(promptId, { type: 'value', value: 7 })).toEqual({ result: 'accepted' })
    expect((await job.result).value).toBe(7)
    expect(runtime.sessions).toHaveLength(2)
  })

  it('refuses a token that is not valid, over both', async () => {
    const { transport } = await serveSockets()
    for (const each of [transport, await startProgram()])
      await expect(
        connect(each, { auth: { scheme: 'bearer', token: 'guessed' } }).invoke('greet').result,
      ).rejects.toMatchObject({ code: 'unauthorized' })
  })

  it('refuses the pages of other origins, unless they are named', async () => {
    const close = (port: number, origin: string): Promise<number | undefined> =>
      new Promise((resolve) => {
        const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { origin })
        socket.on('close', resolve)
        // What is let in is not closed.
        socket.on('open', () => socket.on('message', () => undefined).ping())
        socket.on('pong', () => {
          if (socket.readyState === WebSocket.OPEN) resolve(undefined)
          socket.close()
        })
      })
    const { port } = await serveSockets(['https://app.example'])
    expect(await close(port, 'https://evil.example')).toBe(4403)
    expect(await close(port, 'https://app.example')).toBeUndefined()
    expect(await close(port, `http://127.0.0.1:${port}`)).toBeUndefined()
  })
})
