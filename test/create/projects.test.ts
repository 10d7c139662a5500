import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium } from '../e2e/chromium.ts'
import { type PackedPackage, packPackage } from '../examples/packed-package.ts'
import { freePort, type Program, run, start } from '../examples/program.ts'
import { ask, visit } from '../examples/watched-visit.ts'
import { ROOT } from '../layers/files.ts'
import { serveVendor } from '../models/vendor-server.ts'
import { AGENTS, TEMPLATES } from './create-capstan.ts'

// From an empty folder to an answer in a browser, for every project that `npm create capstan` makes: both packages from their tarballs, all
// others from the registry, and a server on loopback in place of OpenAI.

const QUIET = ['--prefer-offline', '--no-audit', '--no-fund']
const PROJECTS = TEMPLATES.flatMap((template) => AGENTS.map((agent) => ({ template, agent })))

let packed: PackedPackage
let command: string
let browser: Browser
const started: Program[] = []

beforeAll(async () => {
  packed = await packPackage()
  const source = join(packed.folder, 'create-capstan')
  // A copy: npm leaves nothing in the repository.
  cpSync(join(ROOT, 'create-capstan'), source, { recursive: true })
  const name = await run('npm', ['pack', '--silent', '--pack-destination', packed.folder], { cwd: source })
  command = join(packed.folder, name.trim())
  browser = await launchChromium()
})

afterEach(() => Promise.all(started.splice(0).map((program) => program.stop())))

afterAll(async () => {
  await browser?.close()
  await packed?.remove()
})

/** What a model of OpenAI streams for an answer of one piece of text. */
function answerOf(text: string): readonly object[] {
  const response = { id: 'resp_1', created_at: 1, model: 'scripted', output: [] }
  const item = { id: 'msg_1', type: 'message', role: 'assistant', content: [] }
  const place = { item_id: 'msg_1', output_index: 0, content_index: 0 }
  const part = { type: 'output_text', text, annotations: [] }
  const whole = { ...item, status: 'completed', content: [part] }
  return [
    { type: 'response.created', response: { ...response, status: 'in_progress' } },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress' } },
    { type: 'response.output_text.delta', ...place, delta: text },
    { type: 'response.output_item.done', output_index: 0, item: whole },
    {
      type: 'response.completed',
      response: { ...response, status: 'completed', output: [whole], usage: { input_tokens: 1, output_tokens: 1 } },
    },
  ].map((event, sequence_number) => ({ ...event, sequence_number }))
}

/** Starts a script of the project and opens the page it serves; a failure says what both printed. */
async function open(
  cwd: string,
  script: 'dev' | 'start',
  env: Readonly<Record<string, string>>,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const program = start('npm', ['run', script], { cwd, env })
  started.push(program)
  const [, origin = ''] = await program.says(/(http:\/\/localhost:\d+)[\s\S]*?(?:Ready|\n)/)
  const { page, context, strangers, problems } = await visit(browser)
  try {
    await page.goto(origin)
    await use(page)
    expect({ strangers, problems }).toEqual({ strangers: [], problems: [] })
  } catch (error) {
    throw new Error([String(error), ...problems, program.output()].join('\n'), { cause: error })
  } finally {
    await context.close()
    await program.stop()
  }
}

/** Puts a key into .env.local while the development server runs, which restarts by itself and uses it. */
async function useKeyOfRunningServer(cwd: string): Promise<void> {
  const vendor = await serveVendor(() => ({ events: answerOf('Answer with a key.') }))
  const file = join(cwd, '.env.local')
  cpSync(join(cwd, '.env.example'), file)
  const program = start('npm', ['run', 'dev'], { cwd, env: {} })
  started.push(program)
  const [, origin = ''] = await program.says(/(http:\/\/localhost:\d+)[\s\S]*?(?:Ready|\n)/)
  const messages = [{ id: 'question', role: 'user', parts: [{ type: 'text', text: 'Hello' }] }]
  const answer = async (): Promise<string> => {
    const body = JSON.stringify({ id: crypto.randomUUID(), messages })
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
    // The server is away for a moment while it restarts.
    return fetch(`${origin}/agent/chat`, init).then((response) => response.text(), String)
  }
  expect(await answer()).toContain('OPENAI_API_KEY is not set')
  writeFileSync(file, `OPENAI_API_KEY=none\nOPENAI_BASE_URL=${vendor.origin}\n`)
  await expect.poll(answer).toContain('Answer with a key.')
  rmSync(file)
  await program.stop()
}

describe.each(PROJECTS)('a project of template $template with agent $agent', ({ template, agent }) => {
  const name = `${template}-${agent}`

  async function create(): Promise<string> {
    const at = join(packed.folder, 'projects')
    mkdirSync(at, { recursive: true })
    const choices = ['--template', template, '--agent', agent, '--capstan', packed.tarball]
    await run('npm', ['exec', '--yes', `--package=${command}`, '--', 'create-capstan', name, ...choices], { cwd: at })
    return join(at, name)
  }

  it('installs, builds, passes its test and answers', { timeout: 600_000 }, async () => {
    const cwd = await create()
    await run('npm', ['install', ...QUIET], { cwd })
    expect(readdirSync(join(cwd, 'node_modules', 'capstan'))).toContain('dist')
    await run('npm', ['run', 'build'], { cwd })
    expect(await run('npm', ['test'], { cwd })).toMatch(/Tests {2}\d+ passed/)

    const port = String(await freePort())
    if (agent === 'echo') {
      const talk = async (page: Page): Promise<void> => {
        await ask(page, 'Hello')
        await page.getByText('You said: Hello').waitFor()
        await ask(page, 'And now?')
        await page.getByText('Before that: Hello').waitFor()
      }
      await open(cwd, 'dev', {}, talk)
      await open(cwd, 'start', { PORT: port }, talk)
      return
    }

    await open(cwd, 'dev', { OPENAI_API_KEY: '' }, async (page) => {
      await ask(page, 'Hello')
      await page.getByText('OPENAI_API_KEY is not set. Copy .env.example to .env.local').first().waitFor()
    })
    if (template === 'vite') await useKeyOfRunningServer(cwd)
    const vendor = await serveVendor((ordinal) => ({ events: answerOf(`Answer ${ordinal + 1}.`) }))
    const env = { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: vendor.origin, PORT: port }
    await open(cwd, 'start', env, async (page) => {
      await ask(page, 'Hello')
      await page.getByText('Answer 1.').waitFor()
      await ask(page, 'And now?')
      await page.getByText('Answer 2.').waitFor()
    })
    // The model was told the whole conversation.
    expect(JSON.stringify(vendor.bodies[1])).toMatch(/Hello.*Answer 1\..*And now\?/)
  })
})
