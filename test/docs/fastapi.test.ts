import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CapClient } from '../../src/cap.ts'
import { createChat, textOf } from '../../src/index.ts'
import { serveCut } from '../support/cutting-server.ts'
import { readPage, snippetsOf } from './pages.ts'

/** A Python with what the guide installs; undefined where there is none. */
function findPython(): string | undefined {
  return [process.env['PYTHON'], 'python3', '/usr/bin/python3'].find((python) => {
    if (python === undefined) return false
    try {
      execFileSync(python, ['-c', 'import fastapi, uvicorn'], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  })
}

const python = findPython()
if (python === undefined)
  console.log('No Python with fastapi and uvicorn found (see PYTHON): the server of docs/fastapi.md is not started.')

describe.runIf(python !== undefined)('the server of the guide to FastAPI', () => {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-fastapi-'))
  let server: ChildProcess | undefined
  let origin = ''

  beforeAll(async () => {
    const code = snippetsOf(readPage('docs/fastapi.md')).find(({ language }) => language === 'python')?.code ?? ''
    writeFileSync(join(folder, 'main.py'), code)
    server = spawn(python ?? '', ['-m', 'uvicorn', 'main:app', '--port', '0', '--host', '127.0.0.1'], { cwd: folder })
    const { stderr } = server
    if (stderr === null) throw new Error('The server has no output.')
    origin = await new Promise((resolve, reject) => {
      const said: string[] = []
      createInterface({ input: stderr }).on('line', (line) => {
        said.push(line)
        const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? []
        if (found !== undefined) resolve(found)
      })
      server?.once('exit', () => reject(new Error(said.join('\n'))))
    })
  })
  afterAll(() => {
    server?.kill()
    rmSync(folder, { recursive: true })
  })

  it('remembers the question before, and is healthy', async () => {
    const client = new CapClient({ baseUrl: `${origin}/cap` })
    const chat = createChat({ client: () => client, conversationId: crypto.randomUUID() })
    await chat.sendMessage('Why?')
    await chat.sendMessage('And?')
    const said = chat.getSnapshot().messages.map((message) => [message.status, textOf(message)])
    expect(said).toEqual([
      ['sent', 'Why?'],
      ['complete', 'You asked: Why?'],
      ['sent', 'And?'],
      ['complete', 'You asked: And? Before that: Why?'],
    ])
    expect(await client.health()).toMatchObject({ status: 'ok', version: '1.0.0' })
  })

  it('goes on where a connection was cut, and runs the agent once', async () => {
    const passOn = async (request: Request): Promise<Response> =>
      fetch(`${origin}${new URL(request.url).pathname}`, {
        method: request.method,
        headers: { 'content-type': 'application/json' },
        body: await request.text(),
      })
    const cut = await serveCut(passOn, [{ afterBytes: 250, how: 'reset' }])
    const client = new CapClient({ baseUrl: `${cut.origin}/cap`, environment: { random: () => 0 } })
    const chat = createChat({ client: () => client, conversationId: crypto.randomUUID() })
    await chat.sendMessage('Why?')
    await chat.sendMessage('And?')
    const said = chat.getSnapshot().messages.filter(({ role }) => role === 'assistant')
    expect(said.map(textOf)).toEqual(['You asked: Why?', 'You asked: And? Before that: Why?'])
    expect(cut.seen.length).toBe(3)
  })
})
