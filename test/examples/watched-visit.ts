import type { Browser, BrowserContext, Page } from 'playwright'
import { expect } from 'vitest'

/** A visit to an app, and what the browser saw meanwhile. */
export interface WatchedVisit {
  readonly page: Page
  readonly context: BrowserContext
  /** Requests that would have left this machine. They are not sent. */
  readonly strangers: readonly string[]
  /** What a content security policy refused. */
  readonly violations: readonly string[]
  /** Errors of scripts, and what the console was told as a warning or an error, but for connections that were cut and an icon that no page has. */
  readonly problems: readonly string[]
  /** Every POST of the page: its headers. */
  readonly posts: readonly Readonly<Record<string, string>>[]
  /** All that reached the browser: heads and bodies of responses, the console, what was thrown, what is stored. */
  everything(): Promise<string>
}

const LOOPBACK = /^(https?:\/\/(localhost|127\.0\.0\.1)(:\d+)?\/|data:|blob:)/

export async function visit(
  browser: Browser,
  options: { readonly colorScheme?: 'light' | 'dark' } = {},
): Promise<WatchedVisit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  const strangers: string[] = []
  const violations: string[] = []
  const problems: string[] = []
  const seen: string[] = []
  const posts: Readonly<Record<string, string>>[] = []
  const reading: Promise<void>[] = []

  await context.route(
    (url) => !LOOPBACK.test(url.href),
    async (route) => {
      strangers.push(route.request().url())
      await route.abort()
    },
  )
  await context.exposeBinding('__violated', (_source, violation: string) => void violations.push(violation))
  await context.addInitScript(() => {
    // The binding above, which the types of a page cannot know.
    const { __violated } = globalThis as unknown as { __violated(violation: string): void }
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
      __violated(`${violatedDirective} ${blockedURI} ${sample}`),
    )
  })
  context.on('request', (request) => {
    if (request.method() === 'POST') posts.push(request.headers())
  })
  context.on('response', (response) => {
    seen.push(response.url(), JSON.stringify(response.headers()))
    // A redirect has no body, and one that was cut has none to read any more.
    reading.push(
      response.text().then(
        (text) => void seen.push(text),
        () => {},
      ),
    )
  })
  const page = await context.newPage()
  // Only a hang is a failure: a development server compiles the page while it is waited for.
  page.setDefaultTimeout(90_000)
  page.on('console', (message) => {
    seen.push(message.text())
    const isExpected = /net::ERR_/.test(message.text()) || message.location().url.endsWith('/favicon.ico')
    if (['warning', 'error'].includes(message.type()) && !isExpected) problems.push(message.text())
  })
  page.on('pageerror', (error) => {
    seen.push(String(error.stack))
    problems.push(error.message)
  })

  return {
    page,
    context,
    strangers,
    violations,
    problems,
    posts,
    async everything() {
      await Promise.all(reading)
      const stored = await context.storageState({ indexedDB: true })
      const inSession = await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)))
      return [...seen, JSON.stringify(stored), inSession].join('\n')
    },
  }
}

/** Types a question and sends it, as soon as the page listens: what a server rendered is there before its scripts run. */
export async function ask(page: Page, question: string): Promise<void> {
  const box = page.getByRole('textbox', { name: 'Message' })
  const send = page.getByRole('button', { name: 'Send' })
  const type = async (): Promise<boolean> => {
    await box.fill('')
    await box.fill(question)
    return send.isEnabled()
  }
  await expect.poll(type, { timeout: 90_000 }).toBe(true)
  await box.press('Enter')
}
