import type { BrowserContext, Page } from 'playwright'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { launchChromium } from './chromium.ts'
import type { StorageServer } from './serve-storage.ts'
import { serveStorage } from './serve-storage.ts'

let server: StorageServer
let browser: Browser
/** Words the agent may say: the last one stands for what it would do. */
let allowed = 0
/** How often an agent was told to stop, and how often one has reached its last word. */
let cancels = 0
let ends = 0

const WORDS = 3

beforeAll(async () => {
  ;[server, browser] = await Promise.all([
    serveStorage(WORDS, async (word, run) => {
      if (word === 1) run.signal.addEventListener('abort', () => (cancels += 1), { once: true })
      while (word > allowed) await run.sleep(5)
      if (word === WORDS) ends += 1
    }),
    launchChromium(),
  ])
})

afterAll(async () => {
  await browser?.close()
  server?.close()
})

beforeEach(() => {
  ;[allowed, cancels, ends] = [1, 0, 0]
})

async function openTab(context: BrowserContext, address: string): Promise<Page> {
  const tab = await context.newPage()
  await tab.goto(address)
  return tab
}

/** A browser with a tab that leads, in which the agent is at work. */
async function asked(): Promise<{ readonly context: BrowserContext; readonly leader: Page; readonly address: string }> {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const address = `${server.origin}/?conversation=${crypto.randomUUID()}`
  const leader = await openTab(context, address)
  await leader.evaluate(() => window.chat.ask('Go'))
  await shows(leader, 'sent streaming')
  return { context, leader, address }
}

async function shows(tab: Page, statuses: string): Promise<void> {
  await tab.waitForFunction((wanted) => window.chat.statuses() === wanted, statuses, { polling: 20 })
}

/** Resolves when the disk has the run as the agent has named it: a tab that crashes before that leaves nothing to tell the agent by. */
async function isOnDisk(tab: Page): Promise<void> {
  const find = async (): Promise<boolean> => {
    const settled = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () =>
          reject(new Error('The disk could not be read.', { cause: request.error })),
        )
      })
    const records: unknown[] = []
    for (const { name } of await indexedDB.databases()) {
      const database = await settled(indexedDB.open(name ?? ''))
      for (const store of database.objectStoreNames)
        records.push(...(await settled(database.transaction(store).objectStore(store).getAll())))
      database.close()
    }
    return JSON.stringify(records).includes('"handle"')
  }
  await expect.poll(() => tab.evaluate(find)).toBe(true)
}

const stop = (tab: Page): Promise<string> => tab.evaluate(() => window.chat.stop())

async function crash(context: BrowserContext, tab: Page): Promise<void> {
  const session = await context.newCDPSession(tab)
  // It never answers.
  session.send('Page.crash').catch(() => {})
  await tab.waitForEvent('crash')
}

describe('a stop in a tab that does not lead', { timeout: 120_000 }, () => {
  it('is confirmed by the agent when the tab was opened a moment ago', async () => {
    const { context, leader, address } = await asked()
    const follower = await openTab(context, `${address}&stop`)
    expect(await follower.evaluate(() => window.chat.stopAtOnce)).toBe('cancelled')
    expect(cancels).toBe(1)
    allowed = WORDS
    await Promise.all([shows(leader, 'sent stopped'), shows(follower, 'sent stopped')])
    expect(ends).toBe(0)
  })

  it('is confirmed by the agent after the tab that led has crashed', async () => {
    const { context, leader, address } = await asked()
    const follower = await openTab(context, address)
    await shows(follower, 'sent streaming')
    await crash(context, leader)
    expect(await stop(follower)).toBe('cancelled')
    expect(cancels).toBe(1)
    allowed = WORDS
    await shows(follower, 'sent stopped')
    expect(ends).toBe(0)
  })

  it('is confirmed by the agent in a tab that is opened after the only one has crashed', async () => {
    const { context, leader, address } = await asked()
    await isOnDisk(leader)
    await crash(context, leader)
    const next = await openTab(context, `${address}&stop`)
    expect(await next.evaluate(() => window.chat.stopAtOnce)).toBe('cancelled')
    expect(cancels).toBe(1)
    await shows(next, 'sent stopped')
  })

  it('is left after the tab that led has crashed when the agent does not confirm it', async () => {
    const { context, leader, address } = await asked()
    const follower = await openTab(context, address)
    await shows(follower, 'sent streaming')
    let refused = 0
    await context.route('**/runs/**', async (route) => {
      refused += 1
      await route.fulfill({ status: 403, body: '' })
    })
    await crash(context, leader)
    expect(await stop(follower)).toBe('left')
    expect(refused).toBeGreaterThan(0)
    expect(cancels).toBe(0)
    await shows(follower, 'sent stopped')
    allowed = WORDS
    await expect.poll(() => ends).toBe(1)
  })
})
