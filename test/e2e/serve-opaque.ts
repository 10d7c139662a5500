import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'
import { toRequest, writeHead } from '../../playground/server/node-fetch.ts'
import { createAgentHandler } from '../../src/server/handler/agent-handler.ts'
import { ROOT } from '../layers/files.ts'

export interface OpaqueServer {
  readonly origin: string
  /** Questions that were posted. */
  readonly asked: readonly string[]
  close(): void
}

/** A page with a frame of an opaque origin: scripts run in it, and everything that is kept for an origin is blocked. */
const PAGE = `<!doctype html><html lang="en"><title>Page</title><link rel="icon" href="data:,"><body>
<script>shown = {}; addEventListener('message', ({ data }) => { shown[data.chat] = data })</script>
<iframe sandbox="allow-scripts" src="/frame"></iframe>`

/** Serves the frame of `opaque-page.ts`, what runs in it before its script, and an agent that any page may ask. */
export async function serveOpaque(before = ''): Promise<OpaqueServer> {
  const { outputFiles } = await build({
    entryPoints: [`${ROOT}test/e2e/opaque-page.ts`],
    bundle: true,
    write: false,
    outdir: ROOT,
    logLevel: 'error',
  })
  const script = outputFiles.find(({ path }) => path.endsWith('.js'))?.text ?? ''
  const asked: string[] = []
  const handler = createAgentHandler({
    async *agent({ payload }) {
      asked.push(JSON.stringify(payload))
      yield 'Answer'
    },
  })
  const server = createServer((req, res) => {
    // The app allows each origin itself: that of a sandboxed frame is "null", which no list of origins can name.
    res.setHeader('access-control-allow-origin', '*')
    res.setHeader('access-control-allow-headers', '*')
    if (req.method === 'OPTIONS') return void res.writeHead(204).end()
    if (req.method === 'GET') {
      const frame = `<!doctype html><title>Frame</title><body><script>${before}</script><script src="/page.js"></script>`
      const [type, content] =
        req.url === '/page.js' ? ['text/javascript', script] : ['text/html', req.url === '/frame' ? frame : PAGE]
      return void res.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(content)
    }
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      const answer = async (): Promise<void> => {
        const request = toRequest(req, res, Buffer.concat(chunks))
        const headers = new Headers(request.headers)
        for (const name of ['origin', 'sec-fetch-site']) headers.delete(name)
        const response = await handler(new Request(request, { headers }))
        writeHead(response, res)
        for await (const chunk of response.body ?? []) res.write(chunk)
        res.end()
      }
      // A page that goes breaks its connection.
      answer().catch(() => res.destroy())
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  // A TCP server that listens has an AddressInfo.
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    asked,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
