import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium } from '../e2e/chromium.ts'
import { ROOT } from '../layers/files.ts'
import { stepsOf } from './guide-steps.ts'
import { type PackedPackage, packPackage } from './packed-package.ts'
import { freePort, type Program, run, start } from './program.ts'
import { ask, visit } from './watched-visit.ts'

// Does what docs/getting-started.md says, command by command and file by file, in an empty folder. Three things stand in for
// what a reader would have: the tarball for the package of a registry, for all other packages the versions that this
// repository is tested with, and a free port for the agent's.

const GUIDE = 'docs/getting-started.md'
/** Commands that stay, each in its own terminal, and what they say when they are ready. */
const STAYING: Readonly<Record<string, RegExp>> = {
  'node agent.js': /The agent listens/,
  'npx vite': /Local:\s+(http:\/\/localhost:\d+)/,
  'npx next dev': /Local:\s+(http:\/\/localhost:\d+)[\s\S]*Ready in/,
}

/** The versions of one package.json here. JSON.parse gives `any`; npm has read both files before. */
function versionsOf(path: string): Record<string, string> {
  const manifest = JSON.parse(readFileSync(ROOT + path, 'utf8')) as {
    dependencies?: Record<string, string>
    devDependencies?: Record<string, string>
  }
  return { ...manifest.dependencies, ...manifest.devDependencies }
}
const VERSIONS = { ...versionsOf('package.json'), ...versionsOf('examples/next/package.json') }

let packed: PackedPackage
let browser: Browser
const started: Program[] = []

beforeAll(async () => {
  packed = await packPackage()
  browser = await launchChromium()
})

afterAll(async () => {
  await browser?.close()
  await Promise.all(started.map((program) => program.stop()))
  await packed?.remove()
})

function substituted(command: string): string {
  if (!command.startsWith('npm install ')) return command
  const words = command.split(' ').map((word) => {
    if (word === 'capstan') return packed.tarball
    return VERSIONS[word] === undefined ? word : `${word}@${VERSIONS[word]}`
  })
  return `${words.join(' ')} --prefer-offline --no-audit --no-fund`
}

/** Follows a section; gives the address that its last command printed. */
async function follow(heading: string, folder: string): Promise<string> {
  const port = String(await freePort())
  let cwd = join(packed.folder, folder)
  let address = ''
  await mkdir(cwd, { recursive: true })
  for (const step of stepsOf(GUIDE, heading)) {
    if (step.do === 'save') {
      const file = join(cwd, step.path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, step.code.replaceAll('8000', port))
      continue
    }
    const ready = STAYING[step.command]
    if (step.command.startsWith('cd ')) cwd = join(cwd, step.command.slice('cd '.length))
    else if (ready === undefined) await run('sh', ['-c', substituted(step.command)], { cwd })
    else {
      const program = start('sh', ['-c', step.command], { cwd })
      started.push(program)
      address = (await program.says(ready))[1] ?? address
    }
  }
  return address
}

describe.each([
  ['Vite', 'How do I begin with Vite?'],
  ['Next.js', 'How do I begin with Next.js?'],
])('a reader who begins with %s and does what the guide says', (name, heading) => {
  it('has a chat that answers', { timeout: 300_000 }, async () => {
    const address = await follow(heading, name)
    const { page, context, strangers, problems } = await visit(browser)
    const chat = async (): Promise<void> => {
      await page.goto(address)
      await ask(page, 'Why do rivers meander?')
      await page
        .getByText('You asked: Why do rivers meander? The outer bank wears away and the inner bank grows.')
        .waitFor()
    }
    await chat().catch((error: unknown) => {
      // A timeout says nothing of what went wrong.
      throw new Error([String(error), ...problems, ...started.map((program) => program.output())].join('\n'), {
        cause: error,
      })
    })
    expect({ strangers, problems }).toEqual({ strangers: [], problems: [] })
    await context.close()
  })
})

describe('the guide', () => {
  it('says for every block of code which file it is', () => {
    const files = ['How do I begin with Vite?', 'How do I begin with Next.js?'].map((heading) =>
      stepsOf(GUIDE, heading).flatMap((step) => (step.do === 'save' ? [step.path] : [])),
    )
    expect(files).toEqual([
      ['agent.js', 'vite.config.ts', 'index.html', 'main.tsx'],
      ['app/layout.tsx', 'app/page.tsx', 'app/api/agent/[...path]/route.ts'],
    ])
  })
})
