import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CapClient, createChat, textOf } from '../../src/index.ts'
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

const plainPython = [process.env['PYTHON'], 'python3', '/usr/bin/python3'].find((python) => {
  try {
    return python !== undefined && execFileSync(python, ['-c', ''], { stdio: 'ignore' }) !== undefined
  } catch {
    return false
  }
})

describe.runIf(plainPython !== undefined)('the files of a message in the guide to FastAPI', () => {
  it('become content of a model', async () => {
    const code = snippetsOf(readPage('docs/models.md')).find((each) => each.code.includes('def content_of'))?.code
    const base64 = (text: string): string => Buffer.from(text).toString('base64')
    const { payload } = await new CapClient({ baseUrl: 'https://agent.test' }).createRequest({
      text: 'What is this?',
      conversationId: crypto.randomUUID(),
      requestId: crypto.randomUUID(),
      files: [
        'file-1',
        { data: base64('Gauge 7'), mimeType: 'text/plain', name: 'gauges.txt' },
        { data: 'AAAA', mimeType: 'image/png', name: 'bend.png' },
        { data: 'BBBB', mimeType: 'application/pdf', name: 'survey.pdf' },
      ],
    })
    const program = `${code}\nimport json, sys\nprint(json.dumps(content_of(json.load(sys.stdin), lambda file: "https://" + file)))`
    const printed = execFileSync(plainPython ?? '', ['-c', program], { input: JSON.stringify(payload.payload) })
    expect(JSON.parse(printed.toString())).toEqual([
      { type: 'input_image', image_url: 'https://file-1' },
      { type: 'input_text', text: 'gauges.txt:\nGauge 7' },
      { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
      { type: 'input_file', filename: 'survey.pdf', file_data: 'data:application/pdf;base64,BBBB' },
      { type: 'input_text', text: 'What is this?' },
    ])
  })
})

const python = findPython()
if (python === undefined)
  console.log('No Python with fastapi and uvicorn found (see PYTHON): the server of docs/models.md is not started.')

describe.runIf(python !== undefined)('the server of the guide to FastAPI', () => {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-fastapi-'))
  let server: ChildProcess | undefined
  let origin = ''

  beforeAll(async () => {
    const code = snippetsOf(readPage('docs/models.md')).find(({ language }) => language === 'python')?.code ?? ''
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

  it('continues where a connection was cut, and runs the agent once', async () => {
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
