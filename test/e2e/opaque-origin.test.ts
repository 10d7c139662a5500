import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { launchChromium } from './chromium.ts'
import { serveOpaque } from './serve-opaque.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchChromium()
})

afterAll(async () => {
  await browser?.close()
})

const ANSWERED = { statuses: ['complete', 'complete'], text: 'Answer' }
const NEVER = 'new Promise(() => {})'

/** What runs in the frame first: APIs that fail in other ways than those of Chromium. */
const PLATFORMS: Readonly<Record<string, string>> = {
  'as Chromium blocks it': '',
  'locks that never settle': `Object.defineProperty(navigator, 'locks', { value: { request: () => ${NEVER}, query: () => ${NEVER} } })`,
  'locks that throw': `Object.defineProperty(navigator, 'locks', { value: { request() { throw new Error('Blocked') } } })`,
  'a getter of locks that throws': `Object.defineProperty(navigator, 'locks', { get() { throw new Error('Blocked') } })`,
  'a channel that cannot be made': `BroadcastChannel = class { constructor() { throw new Error('Blocked') } }`,
  'a getter of channels that throws': `Object.defineProperty(window, 'BroadcastChannel', { get() { throw new Error('Blocked') } })`,
  'a channel that throws': `BroadcastChannel = class { postMessage() { throw new Error('Blocked') } addEventListener() { throw new Error('Blocked') } close() { throw new Error('Blocked') } }`,
  'a database that never opens': `Object.defineProperty(window, 'indexedDB', { value: { open: () => ({ addEventListener() {}, removeEventListener() {} }) } })`,
  'no database': `Object.defineProperty(window, 'indexedDB', { value: undefined })`,
}

it.each(Object.entries(PLATFORMS))(
  'chats in a frame of an opaque origin are answered: %s',
  async (_name, before) => {
    const server = await serveOpaque(before)
    onTestFinished(() => server.close())
    const page = await browser.newPage()
    onTestFinished(() => page.close())
    const errors: string[] = []
    page.on('pageerror', ({ message }) => errors.push(message))
    await page.goto(server.origin)
    const shown = (): Promise<unknown> => page.evaluate('shown')
    await expect.poll(shown, { timeout: 20_000 }).toMatchObject({ plain: ANSWERED, stored: ANSWERED })
    expect(server.asked.map((payload) => /Question of \w+/.exec(payload)?.[0]).toSorted()).toEqual([
      'Question of plain',
      'Question of stored',
    ])
    expect(errors).toEqual([])
    expect(await shown()).toMatchObject({ stored: { persistence: expect.stringContaining('unavailable') } })
  },
  60_000,
)
