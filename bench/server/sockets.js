import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import { fileURLToPath } from 'node:url'

/** A server of serve.js in its own process. */
export async function startServer(kind, redisUrl = '') {
  const child = fork(fileURLToPath(new URL('serve.js', import.meta.url)), [kind, redisUrl])
  process.once('exit', () => child.kill('SIGKILL'))
  const [{ port }] = await once(child, 'message')
  const cpu = async () => {
    child.send('cpu')
    const [{ cpuMs }] = await once(child, 'message')
    return cpuMs
  }
  return {
    port,
    /** Milliseconds of the processor that the server took meanwhile. */
    async cpuOf(work) {
      const before = await cpu()
      await work()
      return (await cpu()) - before
    },
    async stop() {
      if (child.connected) child.disconnect()
      await once(child, 'exit')
    },
  }
}

/** Many answers, so many at once, each read to its end. */
export async function answerMany({ port }, { answers, atOnce, packets, paceMs }) {
  // One for each call: a server closes what was idle for 5 s, maybe just when it is used again.
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
  let left = answers
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left-- > 0) await ask(port, { packets, paceMs }, agent)
    }),
  )
  agent.destroy()
}

/** So many requests in one moment, each on its own connection: milliseconds to the first byte of each, sorted. */
export async function herd({ port }, { requests, packets, paceMs }) {
  const asked = await Promise.all(Array.from({ length: requests }, () => ask(port, { packets, paceMs }, false)))
  return asked.toSorted((a, b) => a - b)
}

/** Milliseconds to the first byte of the body; resolves at its end. */
function ask(port, payload, agent) {
  const body = bodyOf(payload)
  const started = performance.now()
  return new Promise((resolve, reject) => {
    const req = httpRequest(
      {
        port,
        host: '127.0.0.1',
        path: '/assist',
        method: 'POST',
        agent,
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      },
      (res) => {
        let first
        let got = 0
        res.on('data', (bytes) => {
          first ??= performance.now() - started
          got += count(bytes)
        })
        res.once('error', reject)
        res.once('end', () =>
          got === payload.packets ? resolve(first) : reject(new Error(`Read ${got} packets of ${payload.packets}.`)),
        )
      },
    )
    req.once('error', reject)
    req.end(body)
  })
}

const WORDS = Buffer.from('of an answer about rivers')

function count(bytes) {
  let found = 0
  for (let at = bytes.indexOf(WORDS); at !== -1; at = bytes.indexOf(WORDS, at + 1)) found += 1
  return found
}

function bodyOf(payload) {
  const session_id = '6c1d5d0e-2f43-4f4c-8f0a-6d3f8b1f2a20'
  const id = '3f1f9a30-8f77-4a53-9a0a-31b6b5a5c001'
  const context = {
    session_id,
    agent_id: id,
    user: { user_id: 'bench', tier: 'free', locale: 'en' },
    trace: { trace_id: id, span_id: id },
    permissions: [],
    created_at: '2026-03-01T08:15:00Z',
  }
  return JSON.stringify({ request_id: crypto.randomUUID(), context, payload: { session_id, payload } })
}
