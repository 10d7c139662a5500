import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAgentHandler } from '../../src/server/handler/agent-handler.ts'
import { toNodeListener } from '../../src/server/platforms/node-listener.ts'
import { ROOT } from '../layers/files.ts'
import { launchChromium } from './chromium.ts'
import type { FinishedClient } from './finished-page.ts'

const PAGE =
  '<!doctype html><html lang="en"><title>Page</title><link rel="icon" href="data:,"><body><script src="/page.js"></script>'
const CLIENTS: readonly FinishedClient[] = ['cap', 'fetch-event-source', 'ag-ui', 'ai-sdk']

let server: Server
let browser: Browser
let origin: string
/** Keeps the end of a response back, as networks do. Undefined: it comes with the answer. */
let heldEnds: (() => void)[] | undefined

/** Ends a response apart from what was written before. */
function endLater(res: ServerResponse): void {
  const end = res.end.bind(res)
  res.end = () => {
    if (heldEnds === undefined) setImmediate(end)
    else heldEnds.push(end)
    return res
  }
}

beforeAll(async () => {
  const [launched, { outputFiles }] = await Promise.all([
    launchChromium(),
    build({
      entryPoints: [`${ROOT}test/e2e/finished-page.ts`],
      bundle: true,
      write: false,
      format: 'iife',
      logLevel: 'error',
    }),
  ])
  browser = launched
  const handler = toNodeListener(
    createAgentHandler({
      agent: async function* () {
        yield 'Rivers '
        yield 'bend.'
      },
    }),
  )
  server = createServer((req, res) => {
    if (req.method === 'POST') {
      endLater(res)
      handler(req, res)
      return
    }
    const isScript = req.url === '/page.js'
    res.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
    res.end(isScript ? outputFiles[0]?.text : PAGE)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  // A TCP server that listens has an AddressInfo.
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(async () => {
  await browser?.close()
  server?.closeAllConnections()
  server?.close()
})

interface Opened {
  readonly page: Page
  /** Why requests failed, as the browser lists them. */
  readonly failed: string[]
  /** Requests that ended in order. */
  finished(): number
}

async function open(): Promise<Opened> {
  const page = await browser.newPage()
  await page.goto(origin)
  const failed: string[] = []
  let finished = 0
  page.on('requestfailed', (request) => failed.push(request.failure()?.errorText ?? ''))
  page.on('requestfinished', () => (finished += 1))
  return { page, failed, finished: () => finished }
}

describe.each(CLIENTS)('a finished answer over %s', (client) => {
  it('is not a cancelled request of the browser', async () => {
    heldEnds = undefined
    const { page, failed, finished } = await open()
    for (let time = 1; time <= 5; time += 1) {
      expect(await page.evaluate((name) => window.askOnce(name), client)).toBe('complete Rivers bend.')
      await expect.poll(() => finished() + failed.length).toBe(time)
    }
    expect(failed).toEqual([])
    await page.close()
  })
})

describe.each(['impatient', 'impatient fetch-event-source'] as const)('the end of an answer over %s', (client) => {
  it('does not wait for the end of its response', async () => {
    heldEnds = []
    const { page, failed } = await open()
    expect(await page.evaluate((name) => window.askOnce(name), client)).toBe('complete Rivers bend.')
    // A server that keeps the connection open is left.
    await expect.poll(() => failed).toEqual(['net::ERR_ABORTED'])
    for (const end of heldEnds) end()
    await page.close()
  })
})
