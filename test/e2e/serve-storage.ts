import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'
import { toRequest, writeHead } from '../../playground/server/node-fetch.ts'
import type { Agent, AgentRun } from '../../src/server/run/agent.ts'
import { createAgentHandler } from '../../src/server/handler/agent-handler.ts'
import { ROOT } from '../layers/files.ts'

export interface StorageServer {
  readonly origin: string
  /** How often the agent was set to work on a request, by its id. */
  readonly runs: ReadonlyMap<string, number>
  /** Connections that are open now, the most there were at once, and all that were ever opened. */
  readonly connections: { now: number; most: number; opened: number }
  close(): void
}

const PAGE =
  '<!doctype html><html lang="en"><title>Page</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/page.css"><body><script src="/page.js"></script>'

/** Serves the page of a kept conversation, and an agent that says so many words, each when `turn` lets it. */
export function serveStorage(
  words: number,
  turn: (word: number, run: AgentRun) => Promise<void>,
): Promise<StorageServer> {
  return serveAgent('test/e2e/storage-page.ts', async function* count(_request, run) {
    for (let word = 1; word <= words; word += 1) {
      await turn(word, run)
      yield wordOf(word)
    }
  })
}

/** Serves a page, by the path of its script in the repository, and an agent that is a generator. */
export async function serveAgent(
  page: string,
  agent: (...given: Parameters<Agent>) => AsyncGenerator<string>,
): Promise<StorageServer> {
  const { outputFiles } = await build({
    entryPoints: [`${ROOT}${page}`],
    bundle: true,
    write: false,
    outdir: ROOT,
    jsx: 'automatic',
    logLevel: 'error',
  })
  const [script = '', sheet = ''] = ['.js', '.css'].map(
    (end) => outputFiles.find(({ path }) => path.endsWith(end))?.text,
  )
  const runs = new Map<string, number>()
  const connections = { now: 0, most: 0, opened: 0 }
  const handler = createAgentHandler({
    agent(request, run) {
      runs.set(run.requestId, (runs.get(run.requestId) ?? 0) + 1)
      return agent(request, run)
    },
  })
  const server = createServer((req, res) => {
    if (req.method !== 'POST') {
      const [type, content] =
        req.url === '/page.js'
          ? ['text/javascript', script]
          : req.url === '/page.css'
            ? ['text/css', sheet]
            : ['text/html', PAGE]
      res.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(content)
      return
    }
    connections.now += 1
    connections.opened += 1
    connections.most = Math.max(connections.most, connections.now)
    res.on('close', () => {
      connections.now -= 1
    })
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      const answer = async (): Promise<void> => {
        const response = await handler(toRequest(req, res, Buffer.concat(chunks)))
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
    runs,
    connections,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function wordOf(word: number): string {
  return `word${word} `
}

/** The whole answer of the agent. */
export function wholeAnswer(words: number): string {
  return Array.from({ length: words }, (_, index) => wordOf(index + 1)).join('')
}
