import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { extname, join } from 'node:path'
import type { Browser } from 'playwright'
import { build } from 'vite'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { arabicPack } from '../../src/strings/arabic-pack.ts'
import { chinesePack } from '../../src/strings/chinese-pack.ts'
import { germanPack } from '../../src/strings/german-pack.ts'
import { createCapstan } from '../create/create-capstan.ts'
import { ROOT } from '../layers/files.ts'
import { listen } from '../support/listen.ts'
import { launchChromium } from './chromium.ts'

// The smallest app that `npm create capstan` makes, built with the package from dist: how many files it has, and which a page loads.

const MOST_FILES = 20

/** A sentence of each pack that no other language has. */
const SENTENCES = {
  german: germanPack.threads.empty,
  arabic: arabicPack.threads.empty,
  chinese: chinesePack.threads.empty,
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
}

interface App {
  readonly folder: string
  /** The scripts of the page, by their names. */
  readonly scripts: ReadonlyMap<string, string>
}

let browser: Browser
const folders: string[] = []
const servers: Server[] = []

/** @param settings the module that says what the chat is like; absent: the template's own */
async function buildApp(settings?: string): Promise<App> {
  await mkdir(join(ROOT, 'test-results'), { recursive: true })
  // Inside of the repository, so that React and Vite are found.
  const project = await mkdtemp(join(ROOT, 'test-results', 'minimal-app-'))
  folders.push(project)
  const made = createCapstan(project, ['.', '--template', 'vite', '--agent', 'echo'])
  if (made.status !== 0) throw new Error(made.stderr)
  if (settings !== undefined) await writeFile(join(project, 'src/chat-settings.ts'), settings)
  await mkdir(join(project, 'node_modules/capstan'), { recursive: true })
  for (const name of ['package.json', 'dist']) await symlink(ROOT + name, join(project, 'node_modules/capstan', name))
  const folder = join(project, 'dist/page')
  // vitest has set another one, which Vite would keep.
  vi.stubEnv('NODE_ENV', 'production')
  await build({
    root: project,
    logLevel: 'error',
    resolve: { preserveSymlinks: true },
    build: { outDir: folder },
  })
  const names = (await readdir(join(folder, 'assets'))).filter((name) => name.endsWith('.js'))
  const read = async (name: string): Promise<[string, string]> => [
    name,
    await readFile(join(folder, 'assets', name), 'utf8'),
  ]
  return { folder, scripts: new Map(await Promise.all(names.map(read))) }
}

/** Opens the page and returns the scripts it has loaded once the transcript is complete, without their hashes. */
async function loadedBy({ folder }: App): Promise<readonly string[]> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const file = pathname === '/' ? '/index.html' : pathname
    readFile(join(folder, file)).then(
      (bytes) =>
        response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(bytes),
      () => response.writeHead(404).end(),
    )
  })
  servers.push(server)
  const page = await browser.newPage()
  const loaded: string[] = []
  page.on('request', (request) => {
    const name = /assets\/([\w-]+)-[\w-]{8}\.js$/.exec(request.url())?.[1]
    if (name !== undefined) loaded.push(name)
  })
  await page.goto(await listen(server))
  // Fetched after everything that a page fetches by itself: an effect of the chat's root asks for the language before.
  await page.getByRole('textbox').waitFor()
  await expect.poll(() => loaded).toContain('part-components')
  await page.waitForLoadState('networkidle')
  await page.close()
  return loaded.toSorted()
}

beforeAll(async () => {
  browser = await launchChromium()
})

afterEach(() => {
  vi.unstubAllEnvs()
})

afterAll(async () => {
  await browser?.close()
  for (const server of servers) server.close()
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
})

describe('the minimal app', () => {
  it('has few files, each language in one of its own, and loads none of them for English', async () => {
    const app = await buildApp()
    expect([...app.scripts.keys()].length).toBeLessThanOrEqual(MOST_FILES)
    for (const [language, sentence] of Object.entries(SENTENCES)) {
      const holding = [...app.scripts].filter(([, code]) => code.includes(sentence)).map(([name]) => name)
      expect(holding).toEqual([expect.stringMatching(`^${language}-pack-`)])
    }
    expect(await loadedBy(app)).toEqual(['index', 'part-components', 'rare-packets', 'shared'])
  })

  it('loads the language of the page and no other', async () => {
    const app = await buildApp(
      "import { german } from 'capstan/locales'\nexport const chatSettings = { strings: german }\n",
    )
    expect(app.scripts.size).toBeLessThanOrEqual(MOST_FILES)
    expect(await loadedBy(app)).toEqual(['german-pack', 'index', 'part-components', 'rare-packets', 'shared'])
  })
})
