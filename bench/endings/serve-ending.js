// A server on loopback that breaks its first answer in one of the ways of endings.js.
import { createServer } from 'node:http'
import { HALF } from './wires.js'

/**
 * @param {ReturnType<(typeof import('./wires.js').WIRES)['ai-sdk']>} respond
 * @param {import('./endings.js').Ending} ending
 * @returns {Promise<{ url: string, posts(): number, reset(): void, close(): void }>} `reset` breaks the first response
 */
export async function serveEnding(respond, ending) {
  let posts = 0
  let isFirst = true
  let first
  const server = createServer((req, res) => void answer(req, res))
  async function answer(req, res) {
    const chunks = []
    for await (const chunk of req) chunks.push(chunk)
    if (req.method === 'POST' && !/\/(?:cancel|stop)$/.test(req.url)) posts += 1
    const fault = isFirst ? ending : { name: 'whole' }
    if (isFirst) first = res
    isFirst = false
    if (fault.instead) return answerInstead(fault.instead, res)
    const request = new Request(`http://${req.headers.host}${req.url}`, {
      method: req.method,
      headers: req.headers,
      ...(req.method === 'POST' && { body: Buffer.concat(chunks) }),
    })
    const does = ending.adds === 'error' ? 'fails' : ending.stops ? 'waits' : 'answers'
    return write(await respond(request, does), fault, res)
  }
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    posts: () => posts,
    reset: () => first?.socket?.resetAndDestroy(),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function answerInstead({ status, headers, body }, res) {
  if (status === 0) return void res.socket.resetAndDestroy()
  res.writeHead(status, headers).end(body)
}

async function write(answer, fault, res) {
  if (!('frames' in answer)) {
    res.writeHead(answer.status, Object.fromEntries(answer.headers))
    // A run that waits has no end: its response is passed on as it comes.
    if (fault.stops) return pipe(answer.body, res)
    return send(framesOf(await answer.text()), undefined, fault, res)
  }
  res.writeHead(200, answer.headers)
  return send(answer.frames, answer.error, fault, res)
}

const framesOf = (text) => text.match(/[\s\S]*?\n\n/g) ?? []

function send(frames, error, fault, res) {
  // Half of the answer is what ends with the second word.
  const half = frames.findIndex((frame) => frame.includes(HALF.split(' ')[1])) + 1
  const before = frames.slice(0, half).join('')
  const after = frames.slice(half).join('')
  if (fault.adds === 'error') return res.end(error === undefined ? before + after : before + error)
  if (fault.adds === 'malformed') return res.end(`${before}data: {"type": "text-del\n\n${after}`)
  const sent = {
    half: before,
    'inside a frame': before + after.slice(0, 14),
    nothing: '',
  }[fault.until]
  const text = sent ?? before + after
  const bytes = fault.crlf ? text.replaceAll('\n', '\r\n') : text
  if (fault.stops || fault.breaks) return res.write(bytes)
  return res.end(bytes)
}

async function pipe(body, res) {
  const reader = body.getReader()
  res.on('close', () => void reader.cancel().catch(() => {}))
  for (let read = await reader.read(); !read.done; read = await reader.read()) res.write(read.value)
  res.end()
}
