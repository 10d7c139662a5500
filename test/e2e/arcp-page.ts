import type { BrowserContext, Locator, Page } from 'playwright'
import { expect } from 'vitest'
import { ARCP_CONTROL, ARCP_TOKEN } from '../../playground/server/arcp/arcp-scenarios.ts'
import type { Bench } from './open-bench.ts'
import { openBench } from './open-bench.ts'

const FIRST_VISIT_MS = 50_000
const STEP_MS = 20_000
/** How long no socket is accepted after all were cut: long enough for a page to say so. */
const DOWN_MS = 1_500

/** The tab ARCP of the playground, in one browser whose pages share what it keeps. */
export interface ArcpBench {
  /** A page with a scenario; the first of a context, or another tab of it. */
  open(scenario: string, context?: BrowserContext): Promise<Page>
  /** Breaks every socket. @param refuseMs how long none is accepted then */
  cut(refuseMs?: number): Promise<void>
  /** How many sockets are open. */
  sockets(): Promise<number>
  /**
   * What a socket can meet at any moment: it is cut, which the chat says, and healed; then it is cut again and the page is reloaded
   * before it is back.
   */
  disturb(page: Page): Promise<void>
  /** Fails when the token of the session is in the page, in what it keeps, says on a channel or writes to the console. */
  expectNoToken(page: Page, known: string): Promise<void>
  close(): Promise<void>
}

export async function openArcpBench(): Promise<ArcpBench> {
  const bench: Bench = await openBench()
  const control = `${bench.origin}${ARCP_CONTROL}`
  const written: string[] = []
  const contexts = new Set<BrowserContext>()

  const own: ArcpBench = {
    async open(scenario, given) {
      const context = given ?? (await bench.browser.newContext({ reducedMotion: 'reduce' }))
      if (given === undefined) await context.addInitScript(recordChannels)
      contexts.add(context)
      const page = await context.newPage()
      page.setDefaultTimeout(STEP_MS)
      page.on('console', (message) => written.push(message.text()))
      page.on('pageerror', (error) => written.push(String(error)))
      await page.goto(`${bench.origin}/playground/index.html#${scenario}`, { timeout: FIRST_VISIT_MS })
      return page
    },
    async cut(refuseMs = 0) {
      await fetch(`${control}?refuseMs=${refuseMs}`, { method: 'POST' })
    },
    async sockets() {
      // Our own server.
      const { sockets } = (await (await fetch(control)).json()) as { readonly sockets: number }
      return sockets
    },
    async disturb(page) {
      await connected(page)
      await own.cut(DOWN_MS)
      await statusOf(page).getByText('Reconnecting').waitFor()
      await connected(page)
      await expect.poll(own.sockets).toBe(1)
      await own.cut(DOWN_MS)
      await page.reload({ timeout: FIRST_VISIT_MS })
    },
    async expectNoToken(page, known) {
      const kept = await page.evaluate(readAll)
      // What is searched has what it must have.
      expect(kept.page).toContain(known)
      expect(kept.storage).toContain(known)
      expect(kept.channel).toContain('hello')
      expect(JSON.stringify(kept)).not.toContain(ARCP_TOKEN)
      expect(written.join('\n')).not.toContain(ARCP_TOKEN)
    },
    async close() {
      for (const context of contexts) await context.close()
      await bench.close()
    },
  }
  return own
}

/** The state of the connection, as the header of the chat says it. */
export function statusOf(page: Page): Locator {
  return page.locator('.cs-header .cs-pill')
}

/** Waits for a connection: the status says instead when a prompt is open. */
function connected(page: Page): Promise<void> {
  return statusOf(page)
    .getByText(/^(?:Connected|Waiting for you)$/)
    .waitFor()
}

/** Runs in the page, before all else: everything that is said on a channel is remembered over reloads. */
function recordChannels(): void {
  const { postMessage } = BroadcastChannel.prototype
  const said: string[] = []
  Object.assign(globalThis, { said })
  BroadcastChannel.prototype.postMessage = function post(message) {
    said.push(
      JSON.stringify(message, (_, value: unknown) =>
        value instanceof Map || value instanceof Set ? [...(value as Iterable<unknown>)] : value,
      ),
    )
    postMessage.call(this, message)
  }
}

/** Runs in the page: what it shows, keeps and has said to other tabs. */
async function readAll(): Promise<Readonly<Record<'page' | 'storage' | 'channel', string>>> {
  const write = (value: unknown): string =>
    JSON.stringify(value, (_, inner: unknown) =>
      inner instanceof Map || inner instanceof Set ? [...(inner as Iterable<unknown>)] : inner,
    )
  const ask = <Value>(request: IDBRequest<Value>): Promise<Value> =>
    new Promise((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result))
      request.addEventListener('error', () => reject(request.error ?? new Error('The database does not answer.')))
    })
  const stored = [write(Object.entries(localStorage)), write(Object.entries(sessionStorage))]
  for (const { name = '' } of await indexedDB.databases()) {
    const database = await ask(indexedDB.open(name))
    for (const store of database.objectStoreNames)
      stored.push(write(await ask(database.transaction(store).objectStore(store).getAll())))
    database.close()
  }
  const { said } = globalThis as unknown as { readonly said: readonly string[] }
  return {
    page: `${location.href}\n${document.documentElement.outerHTML}`,
    storage: stored.join('\n'),
    channel: said.join('\n'),
  }
}
