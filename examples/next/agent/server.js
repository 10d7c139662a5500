import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { createAgentHandler, toNodeListener } from 'capstan/server'
import { createRiverAgent } from './river-agent.js'

// The agent's side: a separate program with an address and a key. Yours may be anywhere, and written in anything that speaks CAP.

const digest = (text) => createHash('sha256').update(text).digest()

/** Starts the agent on loopback, and gives its address. Whoever calls must show the key. */
export async function startAgent({ key, port = 0, msPerWord }) {
  const { agent, historyOf } = createRiverAgent({ msPerWord })
  const secret = digest(`Bearer ${key}`)

  /** The visitor that the page's server names, once that server has shown the key. */
  function authorize({ headers }) {
    const isKnown = timingSafeEqual(digest(headers.get('authorization') ?? ''), secret)
    return (isKnown && headers.get('x-visitor')) || new Response('Show the key, and say who asks.', { status: 401 })
  }

  const assist = createAgentHandler({ agent, authorize })

  /** GET /history/<conversation>: what was said so far. All else is CAP. */
  async function answer(request) {
    const [, conversation] = /\/history\/([\w-]+)$/.exec(new URL(request.url).pathname) ?? []
    if (conversation === undefined) return assist(request)
    const visitor = authorize(request)
    return visitor instanceof Response ? visitor : Response.json(historyOf(visitor, conversation))
  }

  const server = createServer(toNodeListener(answer))
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${server.address().port}` }
}
