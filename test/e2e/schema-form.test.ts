import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename } from 'node:path'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { stepsTo } from '../components/schema-form/enter-value.ts'
import type { Step } from '../components/schema-form/enter-value.ts'
import { ELICITATION, KEYWORDS } from '../components/schema-form/form-schemas.ts'
import { ROOT } from '../layers/files.ts'
import { kitSheets } from '../theming/sheets.ts'
import { launchChromium } from './chromium.ts'

/** The policy that capstan promises to keep, and none of the form's own may be sent anywhere. */
const POLICY =
  "default-src 'self'; style-src 'self'; script-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"

let server: Server
let browser: Browser
let page: Page
let origin: string
/** Scripts that were asked for. */
const asked: string[] = []
/** Whether what is asked for can be had. */
let isOnline = true

beforeAll(async () => {
  const [{ outputFiles }, sheets, launched] = await Promise.all([
    build({
      entryPoints: [`${ROOT}test/e2e/schema-form-page.tsx`],
      bundle: true,
      splitting: true,
      format: 'esm',
      outdir: 'out',
      write: false,
      jsx: 'automatic',
      define: { 'process.env.NODE_ENV': '"production"' },
      logLevel: 'error',
    }),
    kitSheets(),
    launchChromium(),
  ])
  browser = launched
  const scripts = new Map(outputFiles.map(({ path, text }) => [`/${basename(path)}`, text]))
  const files: Readonly<Record<string, readonly [type: string, content: string]>> = {
    '/': [
      'text/html',
      '<!doctype html><html lang="en"><title>Page</title><link rel="stylesheet" href="/page.css"><body><script type="module" src="/schema-form-page.js"></script></body></html>',
    ],
    '/page.css': ['text/css', `${sheets['styles.css']} main { padding: 1rem }`],
    '/favicon.ico': ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  }
  server = createServer((req, res) => {
    const path = req.url ?? ''
    const script = scripts.get(path)
    if (script !== undefined) asked.push(path)
    const [type, content] = script === undefined ? (files[path] ?? ['text/plain', '']) : ['text/javascript', script]
    res
      .writeHead(isOnline ? 200 : 503, { 'content-type': `${type}; charset=utf-8`, 'content-security-policy': POLICY })
      .end(content)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  // A TCP server that listens has an AddressInfo.
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  page = await browser.newPage({ viewport: { width: 320, height: 640 } })
})

afterAll(async () => {
  await browser?.close()
  server?.closeAllConnections()
  server?.close()
})

beforeEach(async () => {
  isOnline = true
  await page.goto(origin)
  await page.getByRole('form').waitFor()
})

const press = (key: string): Promise<void> => page.keyboard.press(key)

/** Where the focus is: the field of the control, and of a group which of its controls. */
function focused(): Promise<{
  readonly id: string | undefined
  readonly box: number
  readonly isAdd: boolean
  readonly isSubmit: boolean
}> {
  return page.evaluate(() => {
    const control = document.activeElement
    const field = control?.closest<HTMLElement>('[data-field]')
    return {
      id: field?.dataset['field'],
      box: [...(field?.querySelectorAll(':scope > .cs-check input') ?? [])].findIndex((box) => box === control),
      isAdd: control?.matches('fieldset > .cs-button') === true,
      isSubmit: control instanceof HTMLButtonElement && control.type === 'submit',
    }
  })
}

/** Continues with the Tab key until the focus is where it should be. */
async function tabTo(isThere: (at: Awaited<ReturnType<typeof focused>>) => boolean): Promise<void> {
  for (let presses = 0; presses < 200; presses += 1) {
    if (isThere(await focused())) return
    await press('Tab')
  }
  throw new Error('The Tab key never gets there.')
}

/** Does a step with keys alone. */
async function take({ id, act, entry }: Step): Promise<void> {
  if (act === 'add') {
    await tabTo((at) => at.id === id && at.isAdd)
    await press('Enter')
    return
  }
  await tabTo((at) => at.id === id && !at.isAdd && (act !== 'check' || at.box === -1 || at.box === Number(entry)))
  if (act === 'check') await press('Space')
  else if (act === 'choose') {
    await press('Home')
    for (let option = entry === '' ? 0 : Number(entry) + 1; option > 0; option -= 1) await press('ArrowDown')
  } else await type(entry)
}

async function type(entry: string): Promise<void> {
  const kind = await page.evaluate(() =>
    document.activeElement instanceof HTMLInputElement ? document.activeElement.type : 'text',
  )
  // The boxes of a date take the parts one by one, in the order of the language.
  const [, year = '', month = '', day = '', hour, minute = '', second = '00'] =
    /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(entry) ?? []
  if (kind === 'date') await page.keyboard.type(`${month}${day}${year}`)
  else if (kind === 'datetime-local') {
    if (hour === undefined) return
    await page.keyboard.type(`${month}${day}${year}`)
    await press('Tab')
    await page.keyboard.type(`${String(Number(hour) % 12 || 12).padStart(2, '0')}${minute}${second}`)
    await press(Number(hour) < 12 ? 'a' : 'p')
  } else {
    await press('ControlOrMeta+a')
    await press('Delete')
    await page.keyboard.type(entry)
  }
}

/** Enters a value with keys alone and submits it: what was handed over, or what the form says is wrong. */
async function submitted(schema: object, value: unknown): Promise<unknown> {
  await page.evaluate((schema) => {
    window.forms.submitted.length = 0
    window.forms.show(schema as Record<string, unknown>)
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  }, schema)
  for (const step of stepsTo(schema as Record<string, unknown>, value)) await take(step)
  await tabTo(({ isSubmit }) => isSubmit)
  await press('Enter')
  // What is wrong is shown first, and leads the focus to it in the same frame or the next: it never stays on the button.
  await page.waitForFunction(() => {
    const { activeElement } = document
    const isLed = activeElement !== document.body && activeElement?.matches('[type="submit"]') === false
    return window.forms.submitted.length > 0 || (document.querySelector('.cs-form-summary') !== null && isLed)
  })
  return page.evaluate(() => {
    const wrong = document.querySelector('.cs-form-summary')
    return wrong === null ? { value: window.forms.submitted[0] } : { wrong: wrong.textContent }
  })
}

/** Times are sent in UTC. */
const sent = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, item: unknown) =>
      typeof item === 'string' && /^\d{4}-\d\d-\d\dT/.test(item) ? new Date(item).toISOString() : item,
    ),
  )

/** Only a hang is a failure: how long a busy machine takes says nothing. */
const LONG = 300_000

describe('a form by keyboard alone, on a page of 320 px under a strict policy', () => {
  it.each([
    ['MCP elicitation', ELICITATION],
    ['the keywords of JSON Schema', KEYWORDS],
  ])(
    'takes what fits and refuses what does not: %s',
    async (_, cases) => {
      for (const { name, schema, valid, invalid } of cases) {
        for (const value of valid) expect(await submitted(schema, value), name).toEqual({ value: sent(value) })
        for (const value of invalid)
          expect(await submitted(schema, value), name).toEqual({ wrong: expect.stringMatching(/\S/) })
      }
      expect(await page.evaluate(() => window.forms.faults)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    },
    LONG,
  )

  it('refuses what the browser cannot read, rather than leaving it out', async () => {
    await page.evaluate(() =>
      window.forms.show({
        type: 'object',
        properties: { a: { type: 'number' }, b: { type: 'string', format: 'date' } },
      }),
    )
    await tabTo(({ id }) => id === '/a')
    await page.keyboard.type('1e')
    await tabTo(({ id }) => id === '/b')
    await page.keyboard.type('02')
    await press('Enter')
    await page.getByRole('group', { name: 'Correct 2 fields' }).waitFor()
    expect(await page.getByText('Enter a number.').count()).toBe(2)
    expect(await page.getByText('Enter a complete date.').count()).toBe(2)
    expect((await focused()).id).toBe('/a')
    expect(await page.evaluate(() => window.forms.submitted)).toEqual([])
  })

  it('shows what the agent refused, takes the correction, and keeps a draft over a reload', async () => {
    const schema = {
      type: 'object',
      properties: {
        name: { type: 'string', title: 'Name' },
        note: { type: 'string', title: 'Note' },
        token: { type: 'string', title: 'Token' },
      },
      required: ['name'],
    }
    const open = (): Promise<number> =>
      page.evaluate((schema) => window.forms.show(schema, { draftKey: 'trip' }), schema)
    await open()
    await tabTo(({ id }) => id === '/name')
    await page.keyboard.type('Ada')
    await press('Tab')
    await page.keyboard.type('Window seat')
    await press('Tab')
    await page.keyboard.type('canary-secret')
    await page.reload()
    await page.getByRole('form').waitFor()
    await open()
    await page.waitForFunction(() => document.querySelector('input')?.value === 'Ada')
    expect(await page.getByLabel('Note').inputValue()).toBe('Window seat')
    expect(await page.getByLabel('Token').inputValue()).toBe('')
    expect(await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)))).not.toContain('canary')
    await tabTo(({ id }) => id === '/note')
    await press('Enter')
    await page.waitForFunction(() => window.forms.submitted.length === 1)
    await page.evaluate(() => window.forms.refuse([{ path: '/name', message: 'This name is taken' }]))
    await page.getByRole('group', { name: 'Correct 1 field' }).waitFor()
    expect((await focused()).id).toBe('/name')
    await press('End')
    await page.keyboard.type(' L')
    await press('Enter')
    await page.waitForFunction(() => window.forms.submitted.length === 2)
    expect(await page.evaluate(() => window.forms.submitted[1])).toEqual({ name: 'Ada L', note: 'Window seat' })
    // The form goes after it was submitted: nothing is left of it.
    await page.evaluate(() => window.forms.show({}))
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
    expect(await page.evaluate(() => window.forms.faults)).toEqual([])
  })

  it('fetches the validator with the first submission, and lets the agent judge where it cannot be had', async () => {
    await page.evaluate(() =>
      window.forms.show({ type: 'object', properties: { a: { type: 'string', not: { const: 'x' } } } }),
    )
    isOnline = false
    const before = asked.length
    await tabTo(({ id }) => id === '/a')
    await page.keyboard.type('x')
    await press('Enter')
    await page.waitForFunction(() => window.forms.submitted.length === 1)
    expect(asked.length).toBeGreaterThan(before)
    expect(await page.evaluate(() => window.forms.submitted)).toEqual([{ a: 'x' }])
  })

  it.each([
    ['deep', 1_000],
    ['large', 100_000],
    ['long', 10_000_000],
  ] as const)('shows a schema that is %s, of %i, as JSON text that can be sent', async (kind, size) => {
    await page.evaluate(([kind, size]) => window.forms.showAbsurd(kind, size), [kind, size] as const)
    expect(await page.locator('main *').count()).toBeLessThan(30)
    await tabTo(({ id }) => id === '')
    await page.keyboard.type('{"a": 1}')
    await tabTo(({ isSubmit }) => isSubmit)
    await press('Enter')
    await page.waitForFunction(() => window.forms.submitted.length === 1)
    expect(await page.evaluate(() => window.forms.submitted)).toEqual([{ a: 1 }])
    expect(await page.evaluate(() => window.forms.faults)).toEqual([])
  })
})
