import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { webSocket } from '../../src/wire/frame-requests.ts'
import type { CapClient } from '../../src/protocols/cap/client/cap-client.ts'
import type { Transport } from '../../src/wire/transport.ts'
import { startDurable, type StartedWorker } from './start.ts'
import { answerOf, chatOf, clientOf, counted, openPrompt, shown, until } from './talk.ts'

let app: StartedWorker
beforeAll(async () => {
  app = await startDurable()
})
afterAll(() => app.stop())

/** A separate user for each test, so that each has its own object. */
function signIn(): { readonly user: string; readonly apiKey: string; ask(path: string): Promise<Response> } {
  const user = crypto.randomUUID()
  return {
    user: `Bearer ${user}`,
    apiKey: user,
    ask: (path) => fetch(new URL(path, app.url), { headers: { authorization: `Bearer ${user}` } }),
  }
}

const requestOf = (client: CapClient, text: string) =>
  client.createRequest({ text, conversationId: crypto.randomUUID(), requestId: crypto.randomUUID() })

describe('a run in a Durable Object', () => {
  it('continues after the request that began it has ended', async () => {
    const { user, apiKey, ask } = signIn()
    const client = clientOf(app.url, { apiKey })
    const request = await requestOf(client, 'count 100')
    const leaving = new AbortController()
    const began = await fetch(new URL('/assist', app.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: user },
      body: JSON.stringify(request),
      signal: leaving.signal,
    })
    await began.body?.getReader().read()
    leaving.abort()
    const instance = await (await ask('/instance')).text()
    let text = ''
    for await (const packet of client.assist(request)) if (packet.op === 'DELTA') text += packet.p
    expect(text).toBe(counted(100))
    expect(await (await ask('/instance')).text()).toBe(instance)
  })

  it('is dropped by an alarm once it has expired, also when nobody asks the object any more', async () => {
    const began = await fetch(new URL('/brief/assist', app.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(await requestOf(clientOf(app.url), 'count 3')),
    })
    await began.text()
    const entries = async (): Promise<string> => (await fetch(new URL('/brief/entries', app.url))).text()
    await expect.poll(entries, { timeout: 20_000 }).toBe('[{"count":0}]')
  })

  it('belongs to its user: no other can read it', async () => {
    const [ann, bob] = [signIn(), signIn()]
    const request = await requestOf(clientOf(app.url, ann), 'Hello')
    for await (const _ of clientOf(app.url, ann).assist(request));
    const read = await fetch(new URL('/assist', app.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: bob.user, 'last-event-id': '1' },
      body: JSON.stringify(request),
    })
    expect(read.status).toBe(409)
  })

  it('ends with a typed failure behind what was received when its instance is killed, and the conversation continues', async () => {
    const { apiKey, ask } = signIn()
    const chat = chatOf(clientOf(app.url, { apiKey }))
    const sent = chat.sendMessage('count 100000')
    await until(() => shown(chat).length > 20)
    const instance = await (await ask('/instance')).text()
    await ask('/kill')
    await sent
    const { error, status } = chat.getSnapshot()
    expect(status).toBe('error')
    expect(error).toMatchObject({ severity: 'FATAL', agentCode: 'run_interrupted' })
    expect(counted(100_000).startsWith(shown(chat))).toBe(true)
    expect(await (await ask('/instance')).text()).not.toBe(instance)
    expect(await chat.sendMessage('history')).toMatchObject({ status: 'accepted' })
    expect(shown(chat)).toContain('count 100000')
  })

  it('survives the end of the process with its log: an answer that is stored is read again, one in its middle ends typed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'capstan-durable-'))
    let running = await startDurable(folder)
    const apiKey = crypto.randomUUID()
    const client = clientOf('http://app.test', {
      apiKey,
      fetch: (url, init) => fetch(new URL(new URL(url).pathname, running.url), init),
    })
    const whole = await requestOf(client, 'count 5')
    const half = await requestOf(client, 'count 100000')
    const textOf = async (request: typeof whole, onText?: () => Promise<void>): Promise<string> => {
      let text = ''
      for await (const packet of client.assist(request)) {
        if (packet.op !== 'DELTA') continue
        text += packet.p
        await onText?.()
      }
      return text
    }
    expect(await textOf(whole)).toBe(counted(5))
    let isRestarted = false
    await expect(
      textOf(half, async () => {
        if (isRestarted) return
        isRestarted = true
        await running.stop()
        running = await startDurable(folder)
      }),
    ).rejects.toMatchObject({ agentCode: 'run_interrupted', severity: 'FATAL' })
    expect(await textOf(whole)).toBe(counted(5))
    await running.stop()
    rmSync(folder, { recursive: true })
  })
})

describe('a WebSocket of a Durable Object', () => {
  /** The class of the package `ws`, whose connections can be broken. */
  function sockets(): { readonly all: WebSocket[]; readonly transport: Transport } {
    const all: WebSocket[] = []
    class Noted extends WebSocket {
      constructor(url: string) {
        super(url)
        all.push(this)
      }
    }
    return { all, transport: webSocket({ WebSocket: Noted }) }
  }

  // The key is in the first frame, so all of them reach the object of nobody.
  const clientOverSockets = (transport: Transport): CapClient =>
    clientOf(app.url, { apiKey: crypto.randomUUID(), transport })

  it('answers, one after the other and at a time', async () => {
    const client = clientOverSockets(sockets().transport)
    expect(await answerOf(client, 'one')).toBe('You said one.')
    expect(await answerOf(client, 'two')).toBe('You said two.')
    expect(await Promise.all([answerOf(client, 'count 20'), answerOf(client, 'count 30')])).toEqual([
      counted(20),
      counted(30),
    ])
    expect(await client.health()).toMatchObject({ status: 'ok' })
  })

  it('is resumed when it breaks', async () => {
    const opened = sockets()
    const client = clientOverSockets(opened.transport)
    let text = ''
    for await (const delta of client.chat('count 60')) {
      if (text === '') opened.all[0]?.terminate()
      text += delta
    }
    expect(text).toBe(counted(60))
    expect(opened.all).toHaveLength(2)
  })

  it('carries a stop and an approval', async () => {
    const client = clientOverSockets(sockets().transport)
    const stopped = chatOf(client)
    void stopped.sendMessage('wait')
    await until(() => shown(stopped) === 'Waiting. ')
    expect(await stopped.stop()).toBe('cancelled')
    const chat = chatOf(client)
    const sent = chat.sendMessage('mail')
    await until(() => openPrompt(chat) !== undefined)
    const { id = '', options, subject } = openPrompt(chat) ?? {}
    const optionId = options?.find(({ kind }) => kind === 'allow-once')?.id ?? ''
    expect(await chat.answer(id, { type: 'option', optionId, digest: subject?.digest })).toEqual({ status: 'accepted' })
    await sent
    expect(shown(chat)).toBe('It is sent.')
  })

  it('is resumed when the instance is killed, and the run ends with a typed failure', async () => {
    const opened = sockets()
    const chat = chatOf(clientOverSockets(opened.transport))
    const sent = chat.sendMessage('count 100000')
    await until(() => shown(chat).length > 20)
    await fetch(new URL('/kill', app.url))
    await sent
    expect(chat.getSnapshot().error).toMatchObject({ severity: 'FATAL', agentCode: 'run_interrupted' })
    expect(counted(100_000).startsWith(shown(chat))).toBe(true)
  })

  it('is refused for pages of other origins', async () => {
    const socket = new WebSocket(app.url.replace('http', 'ws') + 'assist', { origin: 'https://evil.example' })
    const frames: string[] = []
    socket.on('message', (data: Buffer) => frames.push(data.toString()))
    socket.on('open', () => socket.send('{}'))
    await new Promise((resolve) => socket.once('close', resolve))
    expect(JSON.parse(frames[0] ?? '')).toMatchObject({ status: 403 })
  })
})
