import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { ArcpClient } from '../../src/protocols/arcp/client/arcp-client.ts'
import { createArcpRuntime, toArcpUpgradeListener } from '../../src/runtime/arcp-runtime.ts'
import { stdioTransport } from '../../src/wire/stdio-transport.ts'
import { webSocketTransport } from '../../src/wire/web-socket-transport.ts'
import { AT_ONCE } from '../faults/meet.ts'
import { ROOT } from '../layers/files.ts'
import { serveUpgrades } from '../support/frame-agent.ts'

// A frame that does not end, over standard input or a WebSocket: the side that reads it stops with a typed error, and holds no more than its limit.

const PIECE = 65_536
const ENDLESS_MB = 200
/** A frame at the limit of 10 million characters, as bytes and as text, and what is collected late. */
const MOST_GROWTH_MB = 120

const folder = mkdtempSync(join(tmpdir(), 'capstan-frames-'))
const program = join(folder, 'program.mjs')
afterAll(() => rmSync(folder, { recursive: true }))

beforeAll(async () => {
  await build({
    entryPoints: [`${ROOT}test/runtime/stdio-program.ts`],
    bundle: true,
    outfile: program,
    platform: 'node',
    format: 'esm',
  })
})

/** The most memory that a process had, in MB; undefined where the system does not say. */
function mostMemory(pid: number | undefined): number | undefined {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1_024
}

describe('a frame that does not end', () => {
  it.each([
    ['is one', ''],
    ['follows messages', '{"arcp":"1.0","id":"m1","type":"ping","timestamp":"2026-03-01T08:15:00Z","payload":{}}\n'],
    ['follows blank lines', '\n\n\n'],
    ['is in a string', '{"arcp":"1.0","payload":"'],
  ])('ends a runtime over standard input, with bounded memory, when it %s', async (_name, before) => {
    const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    const { stdin } = child
    let hasEnded = false
    let wake = (): void => {}
    const end = (): void => {
      hasEnded = true
      wake()
    }
    child.once('exit', end)
    // It closes its input before everything is written.
    stdin.on('error', end)
    stdin.on('drain', () => wake())
    stdin.write(before)
    const piece = 'x'.repeat(PIECE)
    let written = 0
    let most = 0
    const first = mostMemory(child.pid) ?? 0
    while (!hasEnded && written < ENDLESS_MB * 1_048_576) {
      written += PIECE
      if (!stdin.write(piece)) await new Promise<void>((resolve) => (hasEnded ? resolve() : (wake = resolve)))
      if (!hasEnded && child.exitCode === null) most = Math.max(most, mostMemory(child.pid) ?? 0)
    }
    await expect.poll(() => child.exitCode).not.toBeNull()
    expect(written).toBeLessThan(30_000_000)
    expect(most - first).toBeLessThan(MOST_GROWTH_MB)
  })

  it('ends the session of a client whose program writes it, with a typed error', async () => {
    const endless = `const more = () => { while (process.stdout.write('x'.repeat(${PIECE}))); process.stdout.once('drain', more) }; more()`
    const transport = stdioTransport({ command: process.execPath, args: ['--eval', endless] })
    const arcp = new ArcpClient({ transport, auth: { scheme: 'none' }, retry: { ...AT_ONCE, maxAttempts: 1 } })
    onTestFinished(() => arcp.close())
    await expect(arcp.invoke('greet').result).rejects.toMatchObject({ code: 'frame_too_large', severity: 'FATAL' })
  })
})

describe('a WebSocket frame that is too long', () => {
  const long = 'x'.repeat(20_000_000)

  it('ends the session of a client with a typed error', async () => {
    const { origin } = await serveUpgrades((server) => (req, socket, head) => {
      // The listener is given what Node gives it.
      server.handleUpgrade(req as never, socket as never, Buffer.from(head), (accepted) => accepted.send(long))
    })
    const transport = webSocketTransport({ url: origin.replace('http', 'ws'), WebSocket })
    const arcp = new ArcpClient({ transport, auth: { scheme: 'none' }, retry: { ...AT_ONCE, maxAttempts: 1 } })
    onTestFinished(() => arcp.close())
    await expect(arcp.invoke('greet').result).rejects.toMatchObject({ code: 'frame_too_large', severity: 'FATAL' })
  })

  it('closes the connection of a runtime, whose other sessions continue', async () => {
    const runtime = createArcpRuntime({
      tools: { greet: async () => 'Hello' },
      auth: { none: true },
      mayAccess: () => true,
    })
    onTestFinished(() => runtime.close())
    const { origin } = await serveUpgrades((webSocketServer) => toArcpUpgradeListener(runtime, { webSocketServer }))
    const url = origin.replace('http', 'ws')
    const arcp = new ArcpClient({ transport: webSocketTransport({ url, WebSocket }), auth: { scheme: 'none' } })
    onTestFinished(() => arcp.close())
    expect((await arcp.invoke('greet').result).value).toBe('Hello')
    const socket = new WebSocket(url)
    const closed = new Promise<number>((resolve) => void socket.once('close', resolve))
    socket.once('open', () => socket.send(long))
    expect(await closed).toBe(1009)
    expect((await arcp.invoke('greet').result).value).toBe('Hello')
  })
})
