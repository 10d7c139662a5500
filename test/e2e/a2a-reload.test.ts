import { build } from 'esbuild'
import type { RequestHandler } from 'express'
import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ROOT } from '../layers/files.ts'
import { keepServerQuiet } from '../support/a2a/quiet-server.ts'
import type { SdkAgent } from '../support/a2a/sdk-agent.ts'
import { serveSdkAgent, wordsOf } from '../support/a2a/sdk-agent.ts'
import { launchChromium } from './chromium.ts'

const PAGE =
  '<!doctype html><html lang="en"><title>Page</title><link rel="icon" href="data:,"><body><script src="/page.js"></script>'

let browser: Browser
let context: BrowserContext
let script = ''

keepServerQuiet()

beforeAll(async () => {
  const [launched, built] = await Promise.all([
    launchChromium(),
    build({
      entryPoints: [`${ROOT}test/e2e/a2a-page.ts`],
      bundle: true,
      write: false,
      format: 'iife',
      logLevel: 'error',
    }),
  ])
  browser = launched
  script = built.outputFiles[0]?.text ?? ''
})

afterAll(() => browser?.close())

beforeEach(async () => {
  context = await browser.newContext()
})

afterEach(() => context.close())

/** Takes hold of the first message: `before` the agent receives it, or `after`, when the page hears nothing of the agent. */
function holdFirst(when: 'before' | 'after' | 'never'): RequestHandler {
  let isHeld = when === 'never'
  return (req, res, next) => {
    if (req.method === 'GET' && req.path !== '/.well-known/agent-card.json') {
      const isScript = req.path === '/page.js'
      res.type(isScript ? 'text/javascript' : 'text/html').send(isScript ? script : PAGE)
      return
    }
    // Tests send what the specification says.
    const { method } = (req.body ?? {}) as { readonly method?: string }
    if (isHeld || method !== 'SendStreamingMessage') return next()
    isHeld = true
    if (when === 'before') return
    res.writeHead = () => res
    res.flushHeaders = () => undefined
    res.write = () => true
    res.end = () => res
    next()
  }
}

interface OpenPage {
  readonly agent: SdkAgent
  readonly page: Page
  readonly url: string
}

async function open(when: 'before' | 'after' | 'never' = 'never', tickMs = 20): Promise<OpenPage> {
  const agent = await serveSdkAgent({ tickMs, first: holdFirst(when) })
  const page = await context.newPage()
  const url = `${agent.origin}/?conversation=${crypto.randomUUID()}`
  await page.goto(url)
  return { agent, page, url }
}

async function until(
  page: Page,
  what: 'text' | 'statuses' | 'prompts' | 'error' | 'bytes',
  value: string,
): Promise<void> {
  await expect.poll(() => page.evaluate((name) => window.a2a[name](), what), { timeout: 30_000 }).toBe(value)
}

const ask = (page: Page, text: string): Promise<void> => page.evaluate((words) => window.a2a.ask(words), text)

describe('a page with a task of A2A that is reloaded', () => {
  it('before the server received the message: it may have arrived, and is sent again only when the user says so', async () => {
    const { agent, page } = await open('before')
    await ask(page, 'stream 5')
    await expect.poll(() => agent.count('SendStreamingMessage')).toBe(1)
    await page.reload()
    await until(page, 'error', 'delivery_unknown')
    await until(page, 'statuses', 'error not-sent')
    expect([agent.count('SendStreamingMessage'), agent.runs]).toEqual([1, 0])
    await page.evaluate(() => window.a2a.retry())
    await until(page, 'text', wordsOf(5))
    await until(page, 'statuses', 'ready sent complete')
    expect([agent.count('SendStreamingMessage'), agent.runs]).toEqual([2, 1])
  })

  it('after the server received it: the task is found, with one message', async () => {
    const { agent, page } = await open('after')
    await ask(page, 'stream 40')
    await expect.poll(() => agent.runs).toBe(1)
    await page.reload()
    await until(page, 'text', wordsOf(40))
    await until(page, 'statuses', 'ready sent complete')
    expect([agent.count('SendStreamingMessage'), agent.runs]).toEqual([1, 1])
    expect(agent.count('ListTasks')).toBeGreaterThan(0)
  })

  it('while it works: the same task is followed, with one message', async () => {
    const { agent, page } = await open('never', 40)
    await ask(page, 'stream 40')
    await page.waitForFunction(() => window.a2a.text().length > 20)
    await page.reload()
    expect(await page.evaluate(() => window.a2a.text())).not.toBe(wordsOf(40))
    await until(page, 'text', wordsOf(40))
    await until(page, 'statuses', 'ready sent complete')
    expect([agent.count('SendStreamingMessage'), agent.runs]).toEqual([1, 1])
  })

  it('while it waits for an answer: the question is open, also in a second tab, and the answer goes to the task', async () => {
    const { agent, page, url } = await open()
    await ask(page, 'ask')
    await until(page, 'prompts', 'form open')
    await page.reload()
    await until(page, 'prompts', 'form open')
    const second = await context.newPage()
    await second.goto(url)
    await until(second, 'prompts', 'form open')
    expect(agent.count('SendStreamingMessage')).toBe(1)
    await second.evaluate(() => window.a2a.answer('the Loire'))
    for (const each of [page, second]) {
      await until(each, 'prompts', 'form answered')
      await until(each, 'text', 'You said the Loire.')
    }
    expect([agent.count('SendStreamingMessage'), agent.runs]).toEqual([2, 2])
  })

  it('while the user signs in elsewhere: the prompt is open, and settled when the task continues', async () => {
    const { agent, page } = await open()
    await ask(page, 'auth 4000')
    await until(page, 'prompts', 'sign-in open')
    await page.reload()
    await until(page, 'prompts', 'sign-in open')
    await until(page, 'text', 'Signed in.')
    await until(page, 'prompts', 'sign-in answered-elsewhere')
    expect([agent.count('SendStreamingMessage'), agent.runs]).toEqual([1, 1])
  })

  it('can still stop it: the task is cancelled', async () => {
    const { agent, page } = await open()
    await ask(page, 'slow 60000')
    await until(page, 'statuses', 'streaming sent streaming')
    await page.reload()
    await until(page, 'statuses', 'streaming sent streaming')
    expect(await page.evaluate(() => window.a2a.stop())).toBe('cancelled')
    expect([agent.count('CancelTask'), agent.count('SendStreamingMessage'), agent.runs]).toEqual([1, 1, 1])
  })
})

describe('bytes in a browser', () => {
  it('go out and come back as they were', async () => {
    const { page } = await open()
    const bytes = Buffer.from(Uint8Array.from({ length: 300 }, (_, at) => at % 256)).toString('base64')
    await page.evaluate((data) => window.a2a.ask('echo', data), bytes)
    await until(page, 'bytes', bytes)
    await until(page, 'statuses', 'ready sent complete')
  })
})

it('a finished task of A2A is not a cancelled request of the browser', async () => {
  const { page } = await open()
  const failed: (string | undefined)[] = []
  page.on('requestfailed', (request) => failed.push(request.failure()?.errorText))
  let streams = 0
  page.on('requestfinished', (request) => (streams += request.postData()?.includes('SendStreamingMessage') ? 1 : 0))
  for (let time = 1; time <= 3; time += 1) {
    await ask(page, 'stream 3')
    await expect.poll(() => streams + failed.length).toBe(time)
    await expect.poll(() => page.evaluate(() => window.a2a.statuses())).toMatch(/^ready /)
  }
  expect(failed).toEqual([])
})
