import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAgentHandler } from '../../src/server/handler/agent-handler.ts'
import { ROOT } from '../layers/files.ts'
import { serveCut } from '../support/cutting-server.ts'
import { readPages, snippetsOf } from './pages.ts'
import { runProgram } from './run-program.ts'

const snippets = readPages().flatMap(snippetsOf)
const VENDOR_MODULES = `${ROOT}test/models/node_modules`
/** Packages of model vendors, or the folders of their scopes, that guides use: their types are those of test/models. */
const VENDORS = ['ai', 'openai', '@anthropic-ai', '@langchain']
const hasVendors = existsSync(`${VENDOR_MODULES}/openai`)
if (!hasVendors && process.env['CI'])
  throw new Error('CI is set and the packages of model vendors are not installed: npm ci --prefix test/models')
if (!hasVendors) console.log('Guides with packages of model vendors are not compiled: npm ci --prefix test/models')
const ofVendor = new RegExp(`from '(?:${VENDORS.join('|')})[/']`)
const typed = snippets.filter(
  ({ language, code }) => (language === 'ts' || language === 'tsx') && (hasVendors || !ofVendor.test(code)),
)
const programs = snippets.filter(({ language, code }) => language === 'js' && !code.includes('createServer('))
const documents = snippets.filter(({ language }) => language === 'json')

describe('the programs of the guides', () => {
  it.each(programs)('$name runs in plain Node as it is', async ({ code }) => {
    const { origin } = await serveCut(
      createAgentHandler({
        agent: async function* () {
          yield 'Rivers meander.'
        },
      }),
      [],
    )
    const outcome = await runProgram(code, [origin]).ended
    expect(outcome.errors).toBe('')
    expect(outcome.code, outcome.output).toBe(0)
    expect(outcome.output).not.toBe('')
  })
})

describe('the JSON of the guides', () => {
  it.each(documents)('$name can be read', ({ code }) => {
    expect(() => JSON.parse(code) as unknown).not.toThrow()
  })
})

describe('the typed code of the guides', () => {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-guides-'))

  function check(): Promise<string> {
    return new Promise((resolve) => {
      const compiler = `${ROOT}node_modules/typescript/bin/tsc`
      execFile(
        process.execPath,
        [compiler, '-p', folder, '--pretty', 'false'],
        { cwd: folder },
        (error, stdout, stderr) => {
          resolve(error === null ? '' : stdout + stderr)
        },
      )
    })
  }

  beforeAll(() => {
    // What an app that installed the package would see, without installing it.
    const modules = join(folder, 'node_modules')
    mkdirSync(modules)
    for (const [of, names] of [
      [`${ROOT}node_modules`, readdirSync(`${ROOT}node_modules`).filter((name) => !VENDORS.includes(name))],
      [VENDOR_MODULES, hasVendors ? VENDORS : []],
    ] as const)
      for (const name of names) symlinkSync(join(of, name), join(modules, name), 'junction')
    const compilerOptions = {
      target: 'ES2022',
      lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
      module: 'ESNext',
      moduleResolution: 'bundler',
      moduleDetection: 'force',
      jsx: 'react-jsx',
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: true,
      noEmit: true,
      types: ['node'],
      paths: {
        capstan: [`${ROOT}dist/index.d.ts`],
        'capstan/server/*': [`${ROOT}dist/server-*.d.ts`],
        'capstan/arcp/runtime': [`${ROOT}dist/arcp-runtime.d.ts`],
        'capstan/*': [`${ROOT}dist/*.d.ts`],
      },
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*'] }))
    writeFileSync(join(folder, 'styles.d.ts'), "declare module '*.css'\n")
    for (const { name, language, code } of typed)
      writeFileSync(join(folder, `${name.replaceAll(/\W+/g, '-')}.${language}`), code)
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('fits the types of the package', async () => {
    expect(readdirSync(folder).filter((file) => /-tsx?-\.tsx?$/.test(file))).toHaveLength(typed.length)
    expect(typed.length).toBeGreaterThan(0)
    expect(await check()).toBe('')
  })

  it('would not pass with a name the package does not have', async () => {
    const planted = join(folder, 'planted.ts')
    writeFileSync(planted, "import { NoSuchClient } from 'capstan'\nexport const client = new NoSuchClient()\n")
    expect(await check()).toContain('NoSuchClient')
    rmSync(planted)
  })
})
