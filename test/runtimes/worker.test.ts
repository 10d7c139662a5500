import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAgentHandler } from '../../src/server/handler/agent-handler.ts'
import { toNodeListener } from '../../src/server/platforms/node-listener.ts'
import { agent } from './apps/agent.ts'
import { startWorker, type StartedWorker } from './start.ts'
import { answerOf, chatOf, clientOf, counted, cuttingFetch, shown, until } from './talk.ts'

describe.concurrent('a run in workerd whose request does not wait for it', () => {
  let app: StartedWorker
  beforeAll(async () => {
    app = await startWorker('worker.ts')
  })
  afterAll(() => app.stop())

  const askFor = (path: string) => clientOf(new URL('/forgetful', app.url).href, { path })

  it('has ended with it: whoever comes back is told so, and nobody waits for ever', async () => {
    const { fetch } = cuttingFetch(5)
    const client = clientOf(new URL('/forgetful', app.url).href, { fetch })
    let text = ''
    const reading = (async () => {
      for await (const delta of client.chat('count 1000')) text += delta
    })()
    await expect(reading).rejects.toMatchObject({ code: 'log_expired', severity: 'FATAL' })
    expect(counted(1_000).startsWith(text)).toBe(true)
    expect(text).not.toBe('')
  })

  it('has ended for those too who read along', async () => {
    const client = askFor('/assist')
    const requestId = crypto.randomUUID()
    const request = await client.createRequest({ text: 'wait', conversationId: requestId, requestId })
    const leaving = new AbortController()
    const began = await fetch(new URL('/forgetful/assist', app.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
      signal: leaving.signal,
    })
    await began.body?.getReader().read()
    const reading = (async () => {
      for await (const packet of client.assist(request)) if (packet.op === 'DELTA') leaving.abort()
    })()
    await expect(reading).rejects.toMatchObject({ code: 'log_expired', severity: 'FATAL' })
  })
})

describe('createAgentProxy in workerd', () => {
  let app: StartedWorker
  let server: Server
  beforeAll(async () => {
    server = createServer(toNodeListener(createAgentHandler({ agent }))).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    app = await startWorker({
      contents: `
        import { waitUntil } from 'cloudflare:workers'
        import { createAgentProxy, memoryEventLog } from 'capstan/server'

        const options = { headers: {}, onError: (e) => console.error(e?.stack, e?.cause?.stack), authorize: () => 'ann', waitUntil }
        const upstream = '${upstream}'
        const cap = createAgentProxy({ ...options, upstream, log: memoryEventLog() })
        const direct = createAgentProxy({ ...options, upstream })
        const wires = ['ag-ui', 'ai-sdk'].map((wire) => createAgentProxy({ ...options, wire, upstream: upstream + '/ag-ui' }))
        export default {
          fetch: (http) => (new URL(http.url).pathname.startsWith('/direct') ? direct : http.url.endsWith('/ag-ui') ? wires[0] : cap)(http),
        }`,
    })
  })
  afterAll(async () => {
    await app.stop()
    server.closeAllConnections()
    server.close()
  })

  it('answers a first, a second and a third request, with a log and without one', async () => {
    for (const path of ['', 'direct/'])
      for (const question of ['one', 'two', 'three'])
        expect(await answerOf(clientOf(app.url + path), question)).toBe(`You said ${question}.`)
  })

  it('answers two users at a time, and resumes an answer whose connection was cut', async () => {
    const { fetch, seen } = cuttingFetch(5)
    const answers = [answerOf(clientOf(app.url), 'count 40'), answerOf(clientOf(app.url, { fetch }), 'count 60')]
    expect(await Promise.all(answers)).toEqual([counted(40), counted(60)])
    expect(seen).toHaveLength(2)
  })

  it('stops a run', async () => {
    const chat = chatOf(clientOf(app.url))
    void chat.sendMessage('wait')
    await until(() => shown(chat) === 'Waiting. ')
    expect(await chat.stop()).toBe('cancelled')
  })

  it('gives the same answer to many who ask for the same run at once', async () => {
    const client = clientOf(app.url)
    const requestId = crypto.randomUUID()
    const request = await client.createRequest({ text: 'count 30', conversationId: requestId, requestId })
    const texts = Array.from({ length: 5 }, async () => {
      let text = ''
      for await (const packet of client.assist(request)) if (packet.op === 'DELTA') text += packet.p
      return text
    })
    expect(await Promise.all(texts)).toEqual(Array.from({ length: 5 }, () => counted(30)))
  })
})
