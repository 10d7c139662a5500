import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { launchChromium } from './chromium.ts'
import type { StorageServer } from './serve-storage.ts'
import { serveStorage, wholeAnswer } from './serve-storage.ts'

const TABS = 7
const WORDS = 30

let server: StorageServer
let browser: Browser
/** Words the agent may say. */
let allowed = 0

beforeAll(async () => {
  const turn = async (word: number, run: { sleep(ms: number): Promise<void> }): Promise<void> => {
    while (word > allowed) await run.sleep(5)
  }
  ;[server, browser] = await Promise.all([serveStorage(WORDS, turn), launchChromium()])
})

afterAll(async () => {
  await browser?.close()
  server?.close()
})

beforeEach(() => {
  allowed = 0
  server.connections.most = 0
  server.connections.opened = 0
})

async function openTabs(count: number): Promise<{ readonly context: BrowserContext; readonly tabs: Page[] }> {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const address = `${server.origin}/?conversation=${crypto.randomUUID()}`
  const tabs: Page[] = []
  while (tabs.length < count) {
    const tab = await context.newPage()
    await tab.goto(address)
    tabs.push(tab)
  }
  return { context, tabs }
}

/** Waits until every tab shows just this. */
async function allShow(tabs: readonly Page[], words: number, statuses: string): Promise<void> {
  const wanted = { text: wholeAnswer(words), statuses }
  await Promise.all(
    tabs.map((tab) =>
      tab.waitForFunction(
        (look) => window.chat.text() === look.text && window.chat.statuses() === look.statuses,
        wanted,
        { polling: 20 },
      ),
    ),
  )
}

const runsBefore = (): number => [...server.runs.values()].reduce((sum, runs) => sum + runs, 0)

describe('seven tabs with one conversation', { timeout: 120_000 }, () => {
  it('have one connection between them; any of them can ask and stop', async () => {
    const { tabs } = await openTabs(TABS)
    const before = runsBefore()
    await tabs[3]?.evaluate(() => window.chat.ask('Count'))
    allowed = 10
    await allShow(tabs, 10, 'sent streaming')
    expect(server.connections).toEqual({ now: 1, most: 1, opened: 1 })
    await tabs[6]?.evaluate(() => window.chat.stop())
    await allShow(tabs, 10, 'sent stopped')
    await expect.poll(() => server.connections.now).toBe(0)
    expect(runsBefore() - before).toBe(1)
  })

  it('continue in another when the one that leads is closed, and nothing is doubled', async () => {
    const { tabs } = await openTabs(TABS)
    const before = runsBefore()
    await tabs[0]?.evaluate(() => window.chat.ask('Count'))
    // The first that came leads; it is closed, and then the one that came after it. The server may learn of a closed tab after the next
    // has connected, so that it is counted before each is closed: one connection for each tab that has led, and no second one.
    for (const [closed, words] of [10, 20].entries()) {
      allowed = words
      await allShow(tabs, words, 'sent streaming')
      await expect.poll(() => server.connections).toMatchObject({ now: 1, opened: closed + 1 })
      await tabs.shift()?.close()
    }
    // A tab that is about to be gone may still share what comes: the next has to lead before the agent continues.
    await expect.poll(() => server.connections).toMatchObject({ now: 1, opened: 3 })
    allowed = WORDS
    await allShow(tabs, WORDS, 'sent complete')
    expect(server.connections.opened).toBe(3)
    expect(runsBefore() - before).toBe(1)
  })

  it('are all empty once the user has signed out in one, and so is the disk', async () => {
    const { context, tabs } = await openTabs(2)
    await tabs[0]?.evaluate(() => window.chat.ask('Count'))
    allowed = WORDS
    await allShow(tabs, WORDS, 'sent complete')
    const kept = (): Promise<number | undefined> | undefined =>
      tabs[1]?.evaluate(async () => (await indexedDB.databases()).length)
    expect(await kept()).toBe(1)
    await tabs[1]?.evaluate(() => window.chat.wipe())
    await allShow(tabs, 0, '')
    await expect.poll(kept).toBe(0)
    const local = await tabs[0]?.evaluate(() => localStorage.length + sessionStorage.length)
    expect(local).toBe(0)
    expect((await context.cookies()).length).toBe(0)
  })
})

describe('a page whose storage is blocked', { timeout: 60_000 }, () => {
  it('answers all the same, from memory, and says so', async () => {
    const context = await browser.newContext()
    onTestFinished(() => context.close())
    await context.addInitScript(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException('Access is denied.', 'SecurityError')
      }
    })
    const page = await context.newPage()
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(String(error)))
    await page.goto(server.origin)
    await page.evaluate(() => window.chat.ask('Count'))
    allowed = WORDS
    await allShow([page], WORDS, 'sent complete')
    expect(await page.evaluate(() => window.chat.persistence())).toBe('{"where":"memory","reason":"unavailable"}')
    expect(errors).toEqual([])
  })
})

describe('a page whose storage is full', { timeout: 60_000 }, () => {
  it('shows what was kept, answers all the same, and says that nothing more is kept', async () => {
    const { tabs, context } = await openTabs(1)
    const [first] = tabs
    if (first === undefined) throw new Error('There is no tab.')
    await first.evaluate(() => window.chat.ask('Count'))
    allowed = WORDS
    await allShow([first], WORDS, 'sent complete')
    await first.waitForFunction(isAnswerStored, undefined, { polling: 100 })
    const address = first.url()
    await first.close()
    const page = await context.newPage()
    // As a browser does that has no space. Its own quota cannot be relied on in a test: it is asked for only now and then.
    await page.addInitScript(() => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('There is no space left.', 'QuotaExceededError')
      }
    })
    await page.goto(address)
    await allShow([page], WORDS, 'sent complete')
    await page.evaluate(() => window.chat.ask('Again'))
    await page.waitForFunction(() => window.chat.statuses() === 'sent complete sent complete')
    await page.waitForFunction(() => window.chat.persistence() === '{"where":"memory","reason":"full"}')
  })
})

/** Runs in the page: whether an answer is in its database that is complete. */
async function isAnswerStored(): Promise<boolean> {
  const outcomeOf = <Value>(request: IDBRequest<Value>): Promise<Value> =>
    new Promise((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result))
      request.addEventListener('error', () => reject(request.error ?? new Error('The request failed.')))
    })
  const database = await outcomeOf(indexedDB.open('capstan page u1'))
  // As src/storage writes them.
  const messages = (await outcomeOf(database.transaction('messages').objectStore('messages').getAll())) as readonly {
    readonly role: string
    readonly status: string
  }[]
  database.close()
  return messages.some(({ role, status }) => role === 'assistant' && status === 'complete')
}
