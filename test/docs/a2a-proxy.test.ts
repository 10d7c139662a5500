import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { transform } from 'esbuild'
import { afterAll, describe, expect, it } from 'vitest'
import { sendResponse, toRequest } from '../../playground/server/node-fetch.ts'
import { A2AClient, AgentCardResolver } from '../../src/a2a.ts'
import { createChat } from '../../src/state/chat.ts'
import { serve } from '../server/peer.ts'
import { keepServerQuiet } from '../support/a2a/quiet-server.ts'
import { serveSdkAgent, wordsOf } from '../support/a2a/sdk-agent.ts'
import { readPages, snippetsOf } from './pages.ts'

const folder = mkdtempSync(join(tmpdir(), 'capstan-route-'))

keepServerQuiet()

afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Route {
  GET(request: Request): Promise<Response>
  POST(request: Request): Promise<Response>
}

/** The route of the guide, as it is there, in front of an agent. */
async function routeTo(agent: string): Promise<Route> {
  const [snippet] = readPages()
    .flatMap(snippetsOf)
    .filter(({ code }) => code.includes('app/a2a/[[...path]]/route.ts'))
  const { code } = await transform(snippet?.code ?? '', { loader: 'ts', format: 'esm' })
  // Its address is read when it is loaded, so each agent has its own module.
  const file = join(folder, `route-${new URL(agent).port}.mjs`)
  writeFileSync(file, code)
  process.env['AGENT_URL'] = agent
  process.env['AGENT_KEY'] = 'secret-key'
  // The module has these two functions, or the test fails.
  return (await import(pathToFileURL(file).href)) as Route
}

describe('the route before an agent without CORS', () => {
  it('gives the card with its own address, and carries calls and streams with the key of the server', async () => {
    const keys = new Set<string | undefined>()
    const agent = await serveSdkAgent({
      tickMs: 5,
      first(req, _res, next) {
        keys.add(req.get('authorization'))
        next()
      },
    })
    const route = await routeTo(agent.origin)
    const origin = await serve((req, res) => {
      const request = toRequest(req, res)
      void (req.method === 'GET' ? route.GET(request) : route.POST(request)).then((response) =>
        sendResponse(response, res),
      )
    })
    const resolver = new AgentCardResolver()
    const card = await resolver.resolve(`${origin}/a2a`)
    expect(card).toMatchObject({
      name: 'Rivers',
      supportedInterfaces: [{ url: '/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    })
    const client = A2AClient.fromAgentCard(card)
    const chat = createChat({ client: () => client, conversationId: 'c1' })
    const seen = new Set<number>()
    chat.subscribe(() => {
      const [part] =
        chat
          .getSnapshot()
          .messages.at(-1)
          ?.parts.filter(({ type }) => type === 'text') ?? []
      if (part?.type === 'text') seen.add(part.text.length)
    })
    await chat.sendMessage('stream 20')
    const { messages, error } = chat.getSnapshot()
    expect(error).toBeUndefined()
    expect(messages.at(-1)?.parts).toContainEqual(expect.objectContaining({ type: 'text', text: wordsOf(20) }))
    // It came piece by piece, and not when all of it was there.
    expect(seen.size).toBeGreaterThan(3)
    expect(agent.count('SendStreamingMessage')).toBe(1)
    expect(agent.calls.every(({ version }) => version === '1.0')).toBe(true)
    expect(keys.has('Bearer secret-key')).toBe(true)
    await chat.dispose()
  })

  it('refuses what another site could send without asking first', async () => {
    const agent = await serveSdkAgent()
    const route = await routeTo(agent.origin)
    const request = new Request('http://page.test/a2a', {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: '{"jsonrpc":"2.0","id":1,"method":"SendMessage"}',
    })
    expect((await route.POST(request)).status).toBe(415)
    expect(agent.calls).toEqual([])
  })

  it('gives its key to no origin that the card or a redirect of the agent names', async () => {
    const stolen: unknown[] = []
    const other = await serve((req, res) => {
      stolen.push(req.url)
      res.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
    const card = { supportedInterfaces: [{ url: `${other}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }] }
    const naming = await serve((_req, res) =>
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(card)),
    )
    const redirecting = await serve((_req, res) => res.writeHead(307, { location: `${other}/a2a` }).end())
    for (const agent of [naming, redirecting]) {
      const route = await routeTo(agent)
      const headers = { 'content-type': 'application/json' }
      const post = new Request('http://page.test/a2a', { method: 'POST', headers, body: '{}' })
      await expect(route.POST(post)).rejects.toThrow(/own origin|fetch failed/)
    }
    await expect((await routeTo(redirecting)).GET(new Request('http://page.test/a2a'))).rejects.toThrow('fetch failed')
    expect(stolen).toEqual([])
  })
})
