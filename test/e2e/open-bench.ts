import { join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright'
import type { Plugin } from 'vite'
import { createServer } from 'vite'
import { readDocsPages } from '../../playground/server/docs/docs-page.ts'
import type { NetworkCommand, NetworkState, RunRecord } from '../../playground/server/network/network-state.ts'
import type { Pace } from '../../playground/server/pace.ts'
import { createPlayground } from '../../playground/server/playground.ts'
import { ROOT } from '../layers/files.ts'
import { BenchPage } from './bench-page.ts'
import { launchChromium } from './chromium.ts'

/** Slow enough to be seen on its way, fast enough for a test. */
const briskPace: Pace = { deltaMs: 0, jitterMs: 12, stepMs: 25, random: () => Math.random() }

/** A dev server with the page of the playground, and a browser to look at it. */
export interface Bench {
  readonly origin: string
  readonly browser: Browser
  /** The page; with options, in its own context. Without, pages share what the browser has cached. */
  open(options?: BrowserContextOptions): Promise<BenchPage>
  /** What the connection remembers of a run, log included. */
  run(requestId: string): Promise<RunRecord>
  command(command: NetworkCommand): Promise<NetworkState>
  close(): Promise<void>
}

export async function openBench(pace: Pace = briskPace): Promise<Bench> {
  const server = await createServer({
    root: ROOT,
    configFile: join(ROOT, 'vite.config.ts'),
    // Not the one of `npm run dev`, which may be running meanwhile, nor that of another worker.
    cacheDir: join(ROOT, `node_modules/.vite-e2e-${process.env['VITEST_POOL_ID'] ?? ''}`),
    logLevel: 'error',
    plugins: [await agentAtPace(pace)],
    optimizeDeps: { entries: ['playground/index.html'] },
    // Files that are saved meanwhile must not reload a page under test.
    server: { port: 0, hmr: false, watch: null },
  })
  await server.listen()
  const origin = new URL(server.resolvedUrls?.local[0] ?? '').origin
  const browser = await launchChromium()
  const contextWith = (options?: BrowserContextOptions): Promise<BrowserContext> =>
    browser.newContext({ reducedMotion: 'reduce', viewport: { width: 1280, height: 800 }, ...options })
  const shared = await contextWith()

  const bench: Bench = {
    origin,
    browser,
    async open(options) {
      const context = options === undefined ? shared : await contextWith(options)
      const page = new BenchPage(await context.newPage())
      await page.visit(`${origin}/playground/index.html`)
      return page
    },
    async run(requestId) {
      const state = await json(await fetch(`${origin}/__network?requestId=${requestId}`))
      const [run] = state.runs
      if (run === undefined) throw new Error(`The connection knows no run ${requestId}.`)
      return run
    },
    command: async (command) =>
      json(
        await fetch(`${origin}/__network`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(command),
        }),
      ),
    async close() {
      await browser.close()
      await server.close()
    },
  }
  // The first visit makes the server bundle what the page needs; every later one finds it done.
  await (await bench.open()).close()
  return bench
}

/** The playground's own server; its plugin stays silent under a test runner. */
async function agentAtPace(pace: Pace): Promise<Plugin> {
  const playground = createPlayground({ pages: await readDocsPages(ROOT), pace })
  return {
    name: 'test:agent-at-pace',
    enforce: 'pre',
    configureServer(server) {
      server.middlewares.use((req, res, next) => playground.handle(req, res, next))
      server.httpServer?.on('upgrade', playground.upgrade).once('close', () => playground.dispose())
    },
  }
}

/** Our own server, typed by the same file. */
async function json(response: Response): Promise<NetworkState> {
  return (await response.json()) as NetworkState
}
