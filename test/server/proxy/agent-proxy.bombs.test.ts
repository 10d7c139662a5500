import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { post, REQUEST_ID } from '../peer.ts'
import { startInstance } from '../instance-process.ts'
import { serveUpstream } from '../serve-proxy.ts'

// An upstream whose few bytes inflate a thousand times. The proxy is a separate process, so that its memory can be measured.

/** What the bytes of each answer inflate to. */
const INFLATED_MB = 300
/** What a page reads of it before it leaves. */
const READ_MB = 40
/** More than a proxy needs for an answer at its limit of 16 MB, and far less than what is inflated. */
const MOST_GROWTH_MB = 200

const block = (text: string): Buffer => Buffer.from(text.repeat(Math.ceil(1_048_576 / text.length)))
const packet = `data: ${JSON.stringify({ seq: 1, op: 'DELTA', p: 'x'.repeat(1_000) })}\n\n`

/** The parts of a gzip body follow each other, so that a large one is made of a small one. */
const BODIES: readonly (readonly [name: string, encoding: string, pieces: () => readonly Uint8Array[]])[] = [
  ['one endless packet', 'gzip', () => Array<Uint8Array>(INFLATED_MB).fill(gzipSync(block('x')))],
  ['packets', 'gzip', () => Array<Uint8Array>(INFLATED_MB).fill(gzipSync(block(packet)))],
  [
    'gzip within gzip',
    'gzip, gzip',
    () => [gzipSync(Buffer.concat(Array<Uint8Array>(INFLATED_MB).fill(gzipSync(block('x')))))],
  ],
  ['brotli', 'br', () => [brotliCompressSync(Buffer.alloc(INFLATED_MB * 1_048_576, 'x'))]],
  ['deflate', 'deflate', () => [deflateSync(Buffer.alloc(INFLATED_MB * 1_048_576, 'x'))]],
]

describe.each([
  ['without a log', ''],
  ['with a log', 'memory'],
])('a proxy %s, whose upstream inflates a thousand times', (_log, log) => {
  it.each(BODIES)(
    'has bounded memory and refuses with typed errors: %s',
    { timeout: 600_000 },
    async (name, encoding, pieces) => {
      const body = pieces()
      expect(body.reduce((length, { byteLength }) => length + byteLength, 0)).toBeLessThan(INFLATED_MB * 3_000)
      let type = 'text/event-stream'
      let status = 200
      const upstream = await serveUpstream((_req, res) => {
        res.writeHead(status, { 'content-type': type, 'content-encoding': encoding })
        for (const piece of body) res.write(piece)
        res.end()
      })
      const { origin } = await startInstance({ UPSTREAM: upstream.origin, LOG: log }, 'measured-proxy.ts')
      const memory = async (): Promise<number> => Number(await (await fetch(`${origin}/memory`)).text())
      const ask = (signal?: AbortSignal): Promise<Response> =>
        post(`${origin}/v1/assist`, { requestId: crypto.randomUUID(), ...(signal && { signal }) })
      const cancel = (): Promise<Response> => post(`${origin}/v1/runs/${REQUEST_ID}/cancel`, { body: '{}' })
      const before = await memory()

      // One page reads nothing, and the other one for a while.
      const leaving = new AbortController()
      await ask(leaving.signal)
      let length = 0
      let end = ''
      try {
        for await (const bytes of (await ask(leaving.signal)).body ?? []) {
          end = (end + Buffer.from(bytes).toString()).slice(-1_000)
          if ((length += bytes.byteLength) > READ_MB * 1_048_576) break
        }
      } catch {
        // Packets under one number make no stream that could be ended: the connection is cut at the limit, which no client takes for an end.
        end = 'cut'
      }
      if (log === '') expect(length).toBeGreaterThan(READ_MB * 1_000_000)
      else expect(end).toMatch(name === 'packets' ? /"code":"answer_too_large"|^cut$/ : /"code":"answer_too_large"/)

      const answers: string[] = []
      const note = async (response: Response): Promise<void> => {
        const { code } = (await response.json()) as { code: string }
        answers.push(`${response.status} ${code}`)
      }
      type = 'application/json'
      await note(await ask())
      await note(await fetch(`${origin}/health`))
      await note(await cancel())
      status = 500
      await note(await ask())
      status = 409
      await note(await cancel())
      expect(answers).toEqual([
        ...Array<string>(3).fill('502 upstream_invalid'),
        '502 upstream_failed',
        '503 run_unavailable',
      ])
      expect((await memory()) - before).toBeLessThan(MOST_GROWTH_MB)
      leaving.abort()
    },
  )
})
