import { describe, expect, it } from 'vitest'
import type { DuplexConnection } from '../../src/wire/duplex-transport.ts'
import type { StdioTransportOptions } from '../../src/wire/stdio-transport.ts'
import { stdioTransport } from '../../src/wire/stdio-transport.ts'

/** A program made of a script that sees `input`, its lines, and `say`. */
function connect(
  script: string,
  options: Partial<StdioTransportOptions> = {},
  signal = new AbortController().signal,
): Promise<DuplexConnection> {
  const program = `
    const say = (text) => process.stdout.write(text)
    const lines = require('node:readline').createInterface({ input: process.stdin })
    ${script}`
  return stdioTransport({ command: process.execPath, args: ['-e', program], ...options }).connect({ signal })
}

async function readAll({ frames }: DuplexConnection): Promise<{ read: string[]; error?: unknown }> {
  const read: string[] = []
  try {
    for await (const batch of frames) read.push(...batch)
    return { read }
  } catch (error) {
    return { read, error }
  }
}

describe('a program', () => {
  it('gets and gives one frame per line, and blank lines are skipped', async () => {
    const page = await connect(
      `lines.on('line', (line) => { say('\\n' + line.toUpperCase() + '\\n  \\n'); if (line === 'end') process.exit(0) })`,
    )
    for (const frame of ['{"a":"ä"}', 'b', 'end']) page.send(frame)
    expect(await readAll(page)).toEqual({ read: ['{"A":"Ä"}', 'B', 'END'] })
    expect(() => page.send('late')).toThrow(expect.objectContaining({ code: 'network_error' }))
  })

  it('may write a line in pieces, cut inside of a letter, and end without the end of a line', async () => {
    const page = await connect(`
      const bytes = Buffer.from('{"text":"für Ähnliches"}\\nlast')
      let at = 0
      const next = () => { if (at === bytes.length) process.exit(0); process.stdout.write(bytes.subarray(at, at += 1), () => setImmediate(next)) }
      next()`)
    expect(await readAll(page)).toEqual({ read: ['{"text":"für Ähnliches"}', 'last'] })
  })

  it('that fails gives a typed error with its code, after what it said', async () => {
    const page = await connect(`say('one\\n', ); process.exitCode = 3; process.stdin.destroy()`)
    expect(await readAll(page)).toEqual({
      read: ['one'],
      error: expect.objectContaining({ code: 'network_error', severity: 'TRANSIENT', details: { exitCode: 3 } }),
    })
  })

  it('that does not exist is a typed error', async () => {
    await expect(connect('', { command: 'no-such-program-anywhere' })).rejects.toMatchObject({ code: 'network_error' })
  })

  it.each(['abort', 'close'] as const)('is ended with its connection: %s', async (how) => {
    const abort = new AbortController()
    const page = await connect(`say(process.pid + '\\n')`, {}, abort.signal)
    const reader = page.frames[Symbol.asyncIterator]()
    const pid = Number((await reader.next()).value?.[0])
    if (how === 'abort') abort.abort()
    else page.close()
    expect((await reader.next()).done).toBe(true)
    await expect.poll(() => isRunning(pid)).toBe(false)
  })

  it('is held back while nothing is read, and everything comes in the end', async () => {
    const page = await connect(`
      let n = 0
      const line = 'x'.repeat(1000)
      const more = () => { while (n < 2000) { n += 1; if (!process.stdout.write(n + line + '\\n')) return process.stdout.once('drain', more) } process.stdin.destroy() }
      more()`)
    await new Promise((resolve) => setTimeout(resolve, 50))
    const { read } = await readAll(page)
    expect(read.map((line) => Number.parseInt(line, 10))).toEqual(Array.from({ length: 2000 }, (_, i) => i + 1))
  })

  it.each([
    ['with its end', `say('x'.repeat(50) + '\\n')`],
    ['without it', `say('x'.repeat(50))`],
  ])('that writes a line that is too long is ended with a typed error: %s', async (_, script) => {
    const page = await connect(script, { maxFrameLength: 20 })
    expect((await readAll(page)).error).toMatchObject({ code: 'frame_too_large', severity: 'FATAL' })
  })
})

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
