import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium } from '../e2e/chromium.ts'
import { packPackage, type PackedPackage } from '../examples/packed-package.ts'
import { type Program, run, start } from '../examples/program.ts'
import { visit } from '../examples/watched-visit.ts'
import { ROOT } from '../layers/files.ts'

// Apps that install the package from its tarball, as from a registry, each with its own lock and nothing of this repository.

const APPS = [
  { name: 'vite-react-18', react: '18.3.1', padding: '0px' },
  { name: 'vite-react-19-tailwind-4', react: '19.3.1', padding: '9px' },
] as const
const FIXTURES = `${ROOT}test/package/fixtures/`
const QUIET = ['--prefer-offline', '--no-audit', '--no-fund']

let packed: PackedPackage
let browser: Browser
const started: Program[] = []

async function install(name: string): Promise<void> {
  const app = join(packed.folder, name)
  await mkdir(app)
  await cp(FIXTURES + name, app, {
    recursive: true,
    filter: (path) => !path.slice(FIXTURES.length).includes('node_modules'),
  })
  await cp(`${FIXTURES}serve.js`, join(app, 'serve.js'))
  await run('npm', ['ci', ...QUIET], { cwd: app })
  // A peer that does not fit would end it here.
  await run('npm', ['install', '--no-save', ...QUIET, packed.tarball], { cwd: app })
}

beforeAll(async () => {
  packed = await packPackage()
  browser = await launchChromium()
  // One after the other: two installers at once ask for the same packages twice.
  for (const { name } of APPS) await install(name)
})

afterAll(async () => {
  await browser?.close()
  await Promise.all(started.map((program) => program.stop()))
  await packed?.remove()
})

describe.each(APPS)('its own app, $name', ({ name, react, padding }) => {
  it('builds, types included, and shows an answer while it streams, under a strict policy', async () => {
    const cwd = join(packed.folder, name)
    await run('npm', ['run', 'build'], { cwd })
    const server = start('node', ['serve.js'], { cwd })
    started.push(server)
    const [origin] = await server.says(/http:\S+/)

    const { page, context, strangers, violations, problems } = await visit(browser)
    await page.goto(origin)
    await page.getByText(`React ${react}`).waitFor()
    await page.getByRole('textbox', { name: 'Message' }).fill('Why do rivers bend?')
    await page.keyboard.press('Enter')
    await page.getByText('You asked: Why do rivers bend?').waitFor()
    expect(await page.getByText('The outer bank').count()).toBe(0)
    await fetch(`${origin}/go-on`)
    await page.getByText('The outer bank wears away.').waitFor()
    // The engine of the markdown came by itself, as its own chunk.
    await page.locator('strong', { hasText: 'wears away' }).waitFor()
    expect(
      await page
        .locator('.cs-chat')
        .evaluate((chat) => [getComputedStyle(chat).display, getComputedStyle(chat).paddingLeft]),
    ).toEqual(['flex', padding])
    expect({ strangers, violations, problems }).toEqual({ strangers: [], violations: [], problems: [] })
    await context.close()
  })
})
