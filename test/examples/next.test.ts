import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium } from '../e2e/chromium.ts'
import { ROOT } from '../layers/files.ts'
import { requestBody } from '../server/peer.ts'
import { type CuttableProxy, createCuttableProxy } from './cuttable-proxy.ts'
import { type PackedPackage, packPackage } from './packed-package.ts'
import { freePort, type Program, run, start } from './program.ts'
import { ask, visit } from './watched-visit.ts'

// examples/next as a user gets it: a fresh copy, the package from its tarball, npm ci, build, start.

const EXAMPLE = `${ROOT}examples/next`
const MADE = /^(node_modules|\.next|next-env\.d\.ts|.*\.tsbuildinfo)$/
const ANSWER =
  'Water runs faster along the outer bank of a bend, and wears it away. Along the inner bank it is slow, and drops what it carries. [1] So each bend grows, and with the years it wanders down the valley. The distance from one bend to the next is some ten to fourteen widths of the river, for brooks and for great rivers alike.'
/** Which of the server's secrets may be anywhere but on the servers: none. */
const CANARY = `canary-${randomUUID()}`

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** Files that say a text, by their path below the folder. */
function filesThatSay(folder: string, text: string): string[] {
  return filesBelow(folder)
    .filter((file) => readFileSync(file).includes(text))
    .map((file) => file.slice(folder.length))
}

describe('the Next.js example, installed and built again', () => {
  let packed: PackedPackage
  let app: string
  let server: Program
  let port: number
  let proxy: CuttableProxy
  let browser: Browser
  const started: Program[] = []

  async function serve(env: Readonly<Record<string, string>>): Promise<{ program: Program; port: number }> {
    const at = await freePort()
    const program = start('npm', ['start', '--', '-H', '127.0.0.1', '-p', String(at)], { cwd: app, env })
    started.push(program)
    await program.says(/Ready in/)
    return { program, port: at }
  }

  beforeAll(async () => {
    packed = await packPackage()
    // `file:../..` of the copy is the tarball, unpacked.
    const unpacked = join(packed.folder, 'package')
    app = join(unpacked, 'examples', 'next')
    await run('tar', ['-xzf', packed.tarball], { cwd: packed.folder })
    await mkdir(app, { recursive: true })
    await cp(EXAMPLE, app, {
      recursive: true,
      filter: (path) =>
        !path
          .slice(EXAMPLE.length)
          .split(sep)
          .some((name) => MADE.test(name)),
    })
    const began = Date.now()
    await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: app })
    const installed = Date.now()
    await run('npm', ['run', 'build'], { cwd: app, env: { AGENT_KEY: CANARY } })
    console.log(`examples/next: installed in ${installed - began} ms, built in ${Date.now() - installed} ms`)
    const served = await serve({ AGENT_KEY: CANARY })
    server = served.program
    port = served.port
    proxy = await createCuttableProxy(port)
    browser = await launchChromium()
  }, 480_000)

  afterAll(async () => {
    await browser?.close()
    proxy?.close()
    await Promise.all(started.map((program) => program.stop()))
    await packed?.remove()
  })

  it('streams an answer, continues with it over a connection that was cut, and shows it again after a reload', async () => {
    const { page, context, strangers, violations, problems, posts, everything } = await visit(browser)
    await page.goto(proxy.origin)
    await page.waitForURL(/\/chat\/[0-9a-f-]{36}$/)
    await ask(page, 'Why do rivers meander?')
    await page.getByText('and wears it away').waitFor()
    expect(await page.getByText('great rivers alike').count()).toBe(0)

    expect(proxy.cut()).toBeGreaterThan(0)
    await page.getByText('great rivers alike.').waitFor()
    const paragraph = page.getByRole('paragraph').filter({ hasText: 'great rivers alike.' })
    expect((await paragraph.innerText()).replaceAll(/\s+/g, ' ').replace('[ 1 ]', '[1]').trim()).toBe(ANSWER)
    const [first, second, ...more] = posts.filter((headers) => 'x-request-id' in headers)
    expect(second?.['x-request-id']).toBe(first?.['x-request-id'])
    expect(first?.['last-event-id']).toBeUndefined()
    expect(second?.['last-event-id']).toMatch(/./)
    expect(more).toEqual([])

    await page.reload()
    await page.getByText('great rivers alike.').waitFor()
    // The server had it in the page: no script is needed to read it.
    const html = await (await context.request.get(page.url())).text()
    expect(html).toContain('Why do rivers meander?</')
    expect(html).toContain('great rivers alike.')
    // For whoever asked, and for nobody who only has the address.
    expect(await (await fetch(page.url(), { headers: { cookie: `visitor=${randomUUID()}` } })).text()).not.toContain(
      'great rivers alike.',
    )

    await page.getByRole('link', { name: 'New conversation' }).click()
    await page.getByRole('heading', { name: 'What would you like to know about rivers?' }).waitFor()
    await page.goBack()
    await page.getByText('great rivers alike.').waitFor()

    expect({ strangers, violations, problems }).toEqual({ strangers: [], violations: [], problems: [] })
    const seen = await everything()
    expect(seen).toContain('great rivers alike.')
    expect(seen).not.toContain(CANARY)
    await context.close()
  })

  it('continues with an answer after a reload in its middle, and shows it in every tab', async () => {
    const { page, context, strangers, violations, problems, posts, everything } = await visit(browser)
    await page.goto(proxy.origin)
    await page.waitForURL(/\/chat\/[0-9a-f-]{36}$/)
    const tab = await context.newPage()
    await tab.goto(page.url())
    await ask(page, 'Where does a flood go?')
    await tab.getByText('A flood is a river in its larger bed.').waitFor()
    expect(await page.getByText('see a lower crest.').count()).toBe(0)
    await page.reload()
    await page.getByText('see a lower crest.').waitFor()
    await tab.getByText('see a lower crest.').waitFor()
    expect(await page.getByText('A flood is a river in its larger bed.').count()).toBe(1)
    expect(await tab.getByText('A flood is a river in its larger bed.').count()).toBe(1)

    // One question, asked by one tab at a time: after the reload it was taken up under its own id, after the last packet.
    const asked = posts.filter((headers) => 'x-request-id' in headers)
    expect(new Set(asked.map((headers) => headers['x-request-id'])).size).toBe(1)
    expect(asked.map((headers) => 'last-event-id' in headers)).toEqual([false, true])
    expect({ strangers, violations, problems }).toEqual({ strangers: [], violations: [], problems: [] })
    expect(await everything()).not.toContain(CANARY)
    await context.close()
  })

  it('does what is allowed once, when that is said in another tab after a reload', async () => {
    const { page, context, strangers, violations, problems } = await visit(browser)
    await page.goto(proxy.origin)
    await page.waitForURL(/\/chat\/[0-9a-f-]{36}$/)
    await ask(page, 'Tell me when the river rises')
    const card = page.locator('.cs-prompt', { hasText: 'May I set an alarm for this gauge?' })
    await card.waitFor()
    await page.reload()
    await card.waitFor()
    const tab = await context.newPage()
    await tab.goto(page.url())
    await tab.locator('.cs-prompt[data-ready]').getByRole('button', { name: 'Allow once' }).click()
    for (const each of [page, tab]) {
      await each.getByText('Alarm 1 is set: you hear of it when Lower Ferry is above 3 m.').waitFor()
      expect(await each.locator('.cs-prompt').count()).toBe(0)
    }
    await ask(page, 'Warn me again')
    await page.locator('.cs-prompt[data-ready]').getByRole('button', { name: 'Deny' }).click()
    await page.getByText('No alarm is set.').waitFor()
    expect({ strangers, violations, problems }).toEqual({ strangers: [], violations: [], problems: [] })
    await context.close()
  })

  it('sends every page under a strict policy with its own nonce', async () => {
    const policies = await Promise.all(
      [1, 2].map(
        async () =>
          (await fetch(`http://127.0.0.1:${port}/chat/${randomUUID()}`)).headers.get('content-security-policy') ?? '',
      ),
    )
    for (const policy of policies) {
      expect(policy).toMatch(/script-src 'self' 'nonce-[\w-]{36}' 'strict-dynamic';/)
      expect(policy).toContain("style-src 'self';")
      expect(policy).toContain("require-trusted-types-for 'script'")
      expect(policy).not.toMatch(/unsafe/)
    }
    expect(policies[0]).not.toBe(policies[1])
  })

  it('keeps the dark mode that was chosen, from the first byte of the next page', async () => {
    const { page, context, violations } = await visit(browser)
    await page.goto(proxy.origin)
    const ground = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const light = await ground()
    // Until the page listens, a choice changes nothing.
    await expect
      .poll(async () => {
        await page.getByLabel('Theme').selectOption('light')
        await page.getByLabel('Theme').selectOption('dark')
        return ground()
      })
      .not.toBe(light)
    expect(await (await context.request.get(page.url())).text()).toMatch(/<html[^>]* data-theme="dark"/)
    expect(violations).toEqual([])
    await context.close()
  })

  it('says that the agent does not answer, and not why', async () => {
    const nowhere = `http://127.0.0.1:${await freePort()}`
    const { port: other } = await serve({ AGENT_URL: nowhere, AGENT_KEY: CANARY })
    const { page, context, violations, everything } = await visit(browser)
    const origin = `http://127.0.0.1:${other}`
    await page.goto(origin)
    await page.getByRole('heading', { name: 'The conversation could not be loaded' }).waitFor()
    const refused = await context.request.post(`${origin}/api/agent/assist`, { data: requestBody() })
    expect(refused.status()).toBeGreaterThanOrEqual(500)
    const heard = (await everything()) + (await refused.text()) + JSON.stringify(refused.headers())
    expect(heard).not.toContain(CANARY)
    expect(heard).not.toContain(nowhere)
    expect(violations).toEqual([])
    await context.close()
  })

  it('refuses users without a name', async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/agent/assist`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.status).toBe(401)
  })

  it('has the key in no bundle and no line it prints', () => {
    // The names that the server reads are found where the server is, so the search finds what is there.
    expect(filesThatSay(join(app, '.next', 'server'), 'AGENT_KEY')).not.toEqual([])
    expect(filesThatSay(join(app, '.next'), CANARY)).toEqual([])
    expect(filesThatSay(join(app, '.next', 'static'), 'AGENT_')).toEqual([])
    expect(server.output()).not.toContain(CANARY)
  })
})
