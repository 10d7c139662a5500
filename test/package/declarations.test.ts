import { copyFileSync, mkdtempSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from '../examples/program.ts'
import { readManifest, ROOT } from '../layers/files.ts'
import { runNode } from './run-node.ts'

// A library on top of capstan emits declarations. TypeScript can write down the type of what it made only when an entry point exports the
// name of that type.

const entryPoints = Object.entries(readManifest().exports).flatMap(([name, target]) =>
  typeof target === 'string' ? [] : [posix.join('capstan', name)],
)

/** Prints the functions of each entry point, with the methods of those that are classes. */
const LIST_FUNCTIONS = `
const found = {}
for (const name of ${JSON.stringify(entryPoints)}) {
  const functions = Object.entries(await import(name)).filter(([, value]) => typeof value === 'function')
  found[name] = functions.map(([key, value]) => {
    const isClass = /^class\\b/.test(Function.prototype.toString.call(value))
    const methods = Object.entries(Object.getOwnPropertyDescriptors(value.prototype ?? {}))
    return [key, isClass ? methods.flatMap(([method, { value }]) => (method !== 'constructor' && typeof value === 'function' ? [method] : [])) : null]
  })
}
console.log(JSON.stringify(found))`

/** A module that exports the result of each function, and of each method of the classes. */
function callsOf(name: string, functions: readonly (readonly [string, readonly string[] | null])[]): string {
  const lines = functions.flatMap(([key, methods]) =>
    methods === null
      ? [`export function ${key}(...args: Parameters<typeof entry.${key}>) { return entry.${key}(...args) }`]
      : methods.map(
          (method) =>
            `export function ${key}_${method}(it: entry.${key}, ...args: Parameters<entry.${key}['${method}']>) { return it.${method}(...args) }`,
        ),
  )
  return `import * as entry from '${name}'\n${lines.join('\n')}\nexport {}\n`
}

let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'capstan-declarations-'))
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  for (const name of readdirSync(`${ROOT}node_modules`))
    if (name !== 'capstan') symlinkSync(join(ROOT, 'node_modules', name), join(modules, name), 'junction')
  const own = join(modules, 'capstan')
  mkdirSync(own)
  symlinkSync(join(ROOT, 'dist'), join(own, 'dist'), 'junction')
  copyFileSync(join(ROOT, 'package.json'), join(own, 'package.json'))
  // The program prints exactly this shape.
  const found = JSON.parse(await runNode(LIST_FUNCTIONS)) as Readonly<Record<string, Parameters<typeof callsOf>[1]>>
  for (const [name, functions] of Object.entries(found))
    writeFileSync(join(folder, `${name.replaceAll('/', '-')}.ts`), callsOf(name, functions))
  const compilerOptions = {
    target: 'ES2022',
    lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
    module: 'ESNext',
    moduleResolution: 'bundler',
    strict: true,
    skipLibCheck: true,
    preserveSymlinks: true,
    declaration: true,
    emitDeclarationOnly: true,
    outDir: 'out',
    types: [],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the declarations of a library on top of this package', () => {
  it('can name what every function, hook and method returns', async () => {
    await run('node', [`${ROOT}node_modules/typescript/bin/tsc`, '-p', '.', '--pretty', 'false'], { cwd: folder })
    expect(readdirSync(join(folder, 'out'))).toHaveLength(entryPoints.length)
  })
})
