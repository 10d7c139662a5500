// One server in its own process: node bench/server/serve.js <kind> [url of Redis]. Talks to its parent by messages.
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const [kind, redisUrl] = process.argv.slice(2)

/** What every server says, at the same pace: so many words, and so many milliseconds between two of them. */
async function* words({ packets, paceMs }) {
  for (let packet = 0; packet < packets; packet++) {
    await sleep(paceMs)
    yield `packet ${packet} of an answer about rivers `
  }
}

const listeners = {
  /** The least that answers: what an agent says as events, nothing checked, nothing kept. */
  bare: async () => async (req, res) => {
    const { payload } = await bodyOf(req)
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    for await (const text of words(payload.payload)) res.write(`data: ${JSON.stringify({ type: 'text', text })}\n\n`)
    res.end('data: [DONE]\n\n')
  },
  'AI SDK': async () => {
    const { createUIMessageStream, pipeUIMessageStreamToResponse } = await import('ai')
    return async (req, res) => {
      const { payload } = await bodyOf(req)
      const stream = createUIMessageStream({
        async execute({ writer }) {
          writer.write({ type: 'text-start', id: '1' })
          for await (const delta of words(payload.payload)) writer.write({ type: 'text-delta', id: '1', delta })
          writer.write({ type: 'text-end', id: '1' })
        },
      })
      await pipeUIMessageStreamToResponse({ response: res, stream })
    }
  },
  memory: async () => capstanListener(undefined),
  redis: async () => {
    const { createClient } = await import('redis')
    const { redisEventLog } = await import('../../dist/server-logs.js')
    const client = createClient({ url: redisUrl })
    client.on('error', () => {})
    await client.connect()
    return capstanListener(redisEventLog({ client }))
  },
}

async function capstanListener(log) {
  const { createAgentHandler, toNodeListener } = await import('../../dist/server.js')
  return toNodeListener(createAgentHandler({ agent: ({ payload }) => words(payload.payload), log }))
}

async function bodyOf(req) {
  let text = ''
  for await (const bytes of req.setEncoding('utf8')) text += bytes
  return JSON.parse(text)
}

const listener = await listeners[kind]()
const server = createServer(listener)
server.listen({ port: 0, host: '127.0.0.1', backlog: 2_048 }, () => process.send({ port: server.address().port }))

process.on('message', (message) => {
  if (message !== 'cpu') return
  const { user, system } = process.cpuUsage()
  process.send({ cpuMs: (user + system) / 1_000 })
})
process.on('disconnect', () => process.exit())
