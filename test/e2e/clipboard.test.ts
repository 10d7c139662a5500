import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { Browser, BrowserContext, Frame, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { ROOT } from '../layers/files.ts'
import { launchChromium } from './chromium.ts'

let browser: Browser
let server: Server
let port: number

beforeAll(async () => {
  const [{ outputFiles }, launched] = await Promise.all([
    build({
      entryPoints: [`${ROOT}test/e2e/clipboard-page.tsx`],
      bundle: true,
      write: false,
      outdir: ROOT,
      jsx: 'automatic',
      logLevel: 'error',
    }),
    launchChromium(),
  ])
  browser = launched
  const fileOf = (end: string): string => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? ''
  const html =
    '<!doctype html><html lang="en"><title>Chat</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/page.css"><body><script src="/page.js"></script>'
  // Of another origin than its page, and with no permission of it.
  const frame = (query: string): string =>
    `<!doctype html><html lang="en"><title>Page</title><link rel="icon" href="data:,"><body><iframe title="Chat" width="1000" height="800" src="http://localhost:${port}/chat${query}"></iframe>`
  server = createServer((req, res) => {
    const { pathname, search } = new URL(req.url ?? '/', 'http://page')
    const [type, content] =
      pathname === '/page.js'
        ? ['text/javascript', fileOf('.js')]
        : pathname === '/page.css'
          ? ['text/css', fileOf('.css')]
          : ['text/html', pathname === '/frame' ? frame(search) : html]
    res.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(content)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, resolve)
  })
  // A TCP server that listens has an AddressInfo.
  port = (server.address() as AddressInfo).port
})

afterAll(async () => {
  await browser?.close()
  server?.closeAllConnections()
  server?.close()
})

interface Opened {
  readonly context: BrowserContext
  readonly page: Page
  /** Where the chat is. */
  readonly frame: Frame
}

async function open(path: string, { without = false } = {}): Promise<Opened> {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  // As on a page over plain HTTP.
  if (without)
    await page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined }))
  await page.goto(`http://127.0.0.1:${port}${path}`)
  const frame = page.frames().find((each) => each.url().includes('/chat')) ?? page.mainFrame()
  await frame.locator('table').waitFor()
  return { context, page, frame }
}

/** What is on the clipboard, as another page finds it. */
async function clipboardOf(
  context: BrowserContext,
): Promise<{ readonly text: string; readonly html: string; readonly pasted: string }> {
  await context.grantPermissions(['clipboard-read'], { origin: `http://127.0.0.1:${port}` })
  const other = await context.newPage()
  await other.goto(`http://127.0.0.1:${port}/chat`)
  await other.locator('#paste').click()
  const read = await other.evaluate(async () => {
    const [item] = await navigator.clipboard.read()
    const of = async (type: string): Promise<string> =>
      item?.types.includes(type) === true ? (await item.getType(type)).text() : ''
    return { text: await of('text/plain'), html: await of('text/html') }
  })
  await other.keyboard.press('Control+V')
  const pasted = await other.locator('#paste').evaluate((element) => element.innerHTML)
  await other.close()
  return { ...read, pasted }
}

const cellsOf = (html: string): readonly string[] =>
  [...html.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/gs)].map(([, cell = '']) => cell.replace(/<[^>]+>/g, ''))
const copyIn = (frame: Frame, place: string) => frame.locator(place).getByRole('button', { name: 'Copy', exact: true })
const CELLS = ['Site', 'Bends', 'Ash Ford', '4', 'Oak Weir', '7']

describe.each([
  ['a page', '/chat', {}],
  ['a page without navigator.clipboard', '/chat', { without: true }],
  ['a shadow root without navigator.clipboard', '/chat?shadow', { without: true }],
  ['a frame that is not permitted to write', '/frame', {}],
  ['a shadow root in a frame that is not permitted to write', '/frame?shadow', {}],
] as const)('in %s', (_, path, options) => {
  it('Copy puts an answer with its table on the clipboard as markdown and HTML, and messages and code as text', async () => {
    const { context, frame } = await open(path, options)
    await frame.locator('[data-role="assistant"]').hover()
    await copyIn(frame, '.cs-message[data-role="assistant"] .cs-actions').click()
    await frame.getByRole('button', { name: 'Copied' }).waitFor()
    const { text, html, pasted } = await clipboardOf(context)
    expect(text).toContain('| Ash Ford | 4 |')
    expect(text).toContain('[1] River atlas https://atlas.example/')
    expect(cellsOf(html)).toEqual(CELLS)
    expect(html).not.toMatch(/class=|<script|<button|onclick/)
    expect(cellsOf(pasted)).toEqual(CELLS)
    expect(pasted).toMatch(/<ol[^>]*>\s*<li/)
    expect(pasted).toContain('href="https://maps.example/a"')
    await frame.locator('[data-role="user"]').hover()
    await copyIn(frame, '.cs-message[data-role="user"]').click()
    await frame.locator('[data-role="user"]').getByRole('button', { name: 'Copied' }).waitFor()
    expect(await clipboardOf(context)).toEqual({ text: 'Which *sites* bend?', html: '', pasted: 'Which *sites* bend?' })
    await copyIn(frame, '.cs-code').click()
    await frame.locator('.cs-code').getByRole('button', { name: 'Copied' }).waitFor()
    expect(await clipboardOf(context)).toMatchObject({ text: 'const bends = 4', html: '' })
  })
})

it('Copy reports a failure where nothing can be copied', async () => {
  const { frame } = await open('/chat', { without: true })
  await frame.evaluate(() => {
    Object.defineProperty(Document.prototype, 'execCommand', { value: () => false })
  })
  await copyIn(frame, '.cs-code').click()
  await frame.getByRole('button', { name: 'Couldn’t copy' }).waitFor()
})

it('what a user selects in an answer and copies has its table and its marks, and no labels of buttons', async () => {
  const { context, page, frame } = await open('/chat')
  await frame.locator('.cs-md').evaluate((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    getSelection()?.removeAllRanges()
    getSelection()?.addRange(range)
  })
  await page.keyboard.press('Control+C')
  const copied = await clipboardOf(context)
  expect(cellsOf(copied.html)).toEqual(CELLS)
  expect(copied.text).toContain('bend most.[1]')
  // The head of a block of code is not a part of the answer.
  expect(copied.text).not.toContain('Copy')
  expect(copied.html).not.toContain('<svg')
})

describe('a file that is dragged over a chat without onAttach', () => {
  it('and dropped on transcript, composer, header or list of conversations is not opened', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'capstan-drop-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const file = join(folder, 'gauges.html')
    await writeFile(file, '<title>Opened</title>')
    const { context, page } = await open('/chat')
    const session = await context.newCDPSession(page)
    const data = { items: [], files: [file], dragOperationsMask: 1 }
    const drop = async (place: string): Promise<void> => {
      const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator(place).first().boundingBox()) ?? {}
      for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
        await session.send('Input.dispatchDragEvent', { type, x: x + width / 2, y: y + height / 2, data })
    }
    for (const place of ['.cs-list-view', 'textarea', '.cs-chat > header', '.cs-threads']) await drop(place)
    // Outside of the chat the browser opens it: whatever was opened before would be there by now.
    const opened = Promise.race([context.waitForEvent('page'), page.waitForEvent('framenavigated')])
    expect(context.pages()).toHaveLength(1)
    expect(await page.title()).toBe('Chat')
    await drop('#outside')
    await opened
  })
})
