import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { Browser, Frame, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { toNodeListener } from '../../src/server/platforms/node-listener.ts'
import { createAgentHandler } from '../../src/server/handler/agent-handler.ts'
import { ROOT } from '../layers/files.ts'
import { CHROMIUM_ARGS, findChromium, launchChromium } from './chromium.ts'

interface Served {
  readonly origin: string
  close(): void
}

let browser: Browser
let pages: Served
let agent: Served
let runs = 0
/** POSTs that reached the agent's server. */
let posts = 0

async function listen(listener: Parameters<typeof createServer>[1]): Promise<Served> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    // A TCP server that listens has an AddressInfo.
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/**
 * The agent, behind an app's own rule that lets frames of an opaque origin in: `cors.origins` of the handler takes no `null`. Below
 * `/strict` the handler's rule applies.
 */
function serveAgent(): Promise<Served> {
  const handler = createAgentHandler({
    cors: { origins: ['https://app.example'] },
    async *agent(_request, run) {
      const { text } = run
      runs += 1
      if (text === 'Ask') {
        const form = await run.ask<number>({ kind: 'form', message: 'How many?', schema: { type: 'integer' } })
        const options = Array.from({ length: 5 }, (_, at) => ({
          id: `${at}`,
          label: `Boat ${at}`,
          kind: 'neutral' as const,
        }))
        const choice = await run.ask({ kind: 'choice', message: 'Which?', options })
        yield `Answered ${JSON.stringify([form, choice].map((answer) => ('value' in answer ? answer.value : 'option' in answer ? answer.option.id : answer.type)))}.`
      } else yield `You said ${text}.`
    },
  })
  const listener = toNodeListener(async (request) => {
    const headers = new Headers(request.headers)
    for (const name of ['origin', 'sec-fetch-site']) headers.delete(name)
    const isPreflight = request.method === 'OPTIONS'
    if (!isPreflight) posts += request.method === 'POST' ? 1 : 0
    if (new URL(request.url).pathname.startsWith('/strict')) return handler(request)
    const response = isPreflight
      ? new Response(undefined, { status: 204 })
      : await handler(new Request(request, { headers }))
    response.headers.set('access-control-allow-origin', 'null')
    response.headers.set('access-control-expose-headers', 'cap-control')
    response.headers.set('access-control-allow-headers', '*')
    response.headers.set('access-control-allow-methods', 'GET, POST, DELETE')
    return response
  })
  return listen(listener)
}

/** The page, its frame, and an agent of the same origin. */
async function servePages(): Promise<Served> {
  const own = toNodeListener(
    createAgentHandler({
      async *agent(_request, run) {
        yield `You said ${run.text}.`
      },
    }),
  )
  const { outputFiles } = await build({
    entryPoints: [`${ROOT}test/e2e/opaque-page.tsx`],
    bundle: true,
    write: false,
    outdir: ROOT,
    jsx: 'automatic',
    logLevel: 'error',
  })
  const fileOf = (end: string): string => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? ''
  const chat =
    '<!doctype html><html lang="en"><title>Chat</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/page.css"><body><script src="/page.js"></script>'
  return listen((req, res) => {
    const url = new URL(req.url ?? '/', 'http://page')
    if (url.pathname.startsWith('/cap')) return own(req, res)
    const frame = `<!doctype html><html lang="en"><title>Page</title><link rel="icon" href="data:,"><body><iframe sandbox="allow-scripts" title="Chat" width="800" height="600" src="/chat${url.search.replaceAll('&', '&amp;')}"></iframe>`
    const [type, content] =
      url.pathname === '/page.js'
        ? ['text/javascript', fileOf('.js')]
        : url.pathname === '/page.css'
          ? ['text/css', fileOf('.css')]
          : ['text/html', url.pathname === '/chat' ? chat : frame]
    res.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(content)
  })
}

beforeAll(async () => {
  ;[browser, pages, agent] = await Promise.all([launchChromium(), servePages(), serveAgent()])
})

afterAll(async () => {
  await browser?.close()
  pages?.close()
  agent?.close()
})

interface Opened {
  readonly page: Page
  readonly frame: Frame
  /** What failed on the page without being caught. */
  readonly errors: readonly string[]
}

async function open(query: Readonly<Record<string, string>>): Promise<Opened> {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  await page.goto(`${pages.origin}/?${new URLSearchParams(query)}`)
  const frame = page.frames().find((each) => each !== page.mainFrame())
  if (frame === undefined) throw new Error('The page has no frame.')
  await frame.locator('textarea').waitFor()
  return { page, frame, errors }
}

async function send(frame: Frame, text: string): Promise<void> {
  await frame.locator('textarea').fill(text)
  await frame.locator('textarea').press('Enter')
}

const answers = (frame: Frame): Promise<string[]> =>
  frame.locator('.cs-message[data-role="assistant"][data-status="complete"]').allInnerTexts()

describe.each([
  ['that is not kept', {}],
  ['of a thread store', { kept: '' }],
])('a chat %s in a frame of an opaque origin', (_, query) => {
  it('sends a message once, shows its answer, and works without the storage that is blocked there', async () => {
    const before = { runs, posts }
    const { frame, errors } = await open({ agent: agent.origin, ...query })
    expect(await frame.evaluate(() => self.origin)).toBe('null')
    const blocked = await frame.evaluate(() => window.blocked)
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'locks']) expect(blocked).toContain(name)
    for (const text of ['Hello', 'Again']) {
      await send(frame, text)
      await expect
        .poll(async () => (await answers(frame)).join(' '), { timeout: 45_000 })
        .toContain(`You said ${text}.`)
    }
    expect({ runs: runs - before.runs, posts: posts - before.posts }).toEqual({ runs: 2, posts: 2 })
    expect(errors).toEqual([])
  })

  it('sends by its button, and answers a form and a choice', async () => {
    const { frame, errors } = await open({ agent: agent.origin, ...query })
    await frame.locator('textarea').fill('Ask')
    await frame.locator('.cs-send').click()
    await frame.locator('.cs-form input').fill('3')
    await frame.locator('.cs-prompt[data-ready] .cs-form button[type=submit]').click()
    await frame.locator('.cs-choice input').nth(1).check()
    await frame.locator('.cs-prompt[data-ready] .cs-choice button[type=submit]').click()
    await expect.poll(async () => (await answers(frame)).join(' '), { timeout: 45_000 }).toContain('Answered [3,"1"].')
    expect(errors).toEqual([])
  })
})

it('a message from a frame whose origin the agent does not allow is not sent, with a typed reason, and reaches no agent', async () => {
  const before = { runs, posts }
  const { frame, errors } = await open({ agent: `${agent.origin}/strict`, once: '' })
  await send(frame, 'Hello')
  await frame.locator('.cs-message[data-role="user"][data-status="not-sent"]').waitFor()
  await frame.locator('.cs-banner summary').click()
  expect(await frame.locator('.cs-banner').textContent()).toContain('network_error')
  expect({ runs, posts }).toEqual(before)
  expect(errors).toEqual([])
})

it.each([
  ['that is not kept', {}],
  ['of a thread store', { kept: '' }],
])('a chat %s works in a browser that blocks site data', async (_, query) => {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-blocked-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, 'Default'))
  // 2 blocks: the setting "Block all cookies", which covers storage.
  const preferences = { profile: { default_content_setting_values: { cookies: 2 } } }
  await writeFile(join(folder, 'Default/Preferences'), JSON.stringify(preferences))
  const { chromium } = await import('playwright')
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: findChromium() ?? 'chromium',
    args: CHROMIUM_ARGS,
  })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  await page.goto(`${pages.origin}/chat?${new URLSearchParams(query)}`)
  expect(await page.evaluate(() => window.blocked)).toContain('localStorage')
  await send(page.mainFrame(), 'Hello')
  await expect
    .poll(() => answers(page.mainFrame()), { timeout: 45_000 })
    .toEqual([expect.stringContaining('You said Hello.')])
  expect(errors).toEqual([])
})
