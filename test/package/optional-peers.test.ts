import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packPackage, type PackedPackage } from '../examples/packed-package.ts'
import { run } from '../examples/program.ts'
import { readManifest, ROOT } from '../layers/files.ts'

// An app that has installed the package and its dependencies, and none of the optional peers, none of the SDKs and databases that the
// server is written for, and no types of Node.

const manifest = readManifest()

/** Entry points for React and for other peers. Everything else works without any. */
const NEEDS_A_PEER = [
  'capstan/react',
  'capstan/components',
  'capstan/query',
  'capstan/fetch-event-source',
  'capstan/diagram',
]

const entryPoints = Object.entries(manifest.exports).flatMap(([name, target]) => {
  if (typeof target === 'string') return []
  const isClient = /^(['"])use client\1/.test(readFileSync(ROOT + target.default, 'utf8'))
  return isClient ? [] : [posix.join('capstan', name)]
})
const free = entryPoints.filter((name) => !NEEDS_A_PEER.includes(name) && name !== 'capstan/markdown')

let packed: PackedPackage
let app: string

beforeAll(async () => {
  packed = await packPackage()
  app = join(packed.folder, 'app')
  const modules = join(app, 'node_modules')
  mkdirSync(modules, { recursive: true })
  await run('tar', ['-xzf', packed.tarball, '-C', modules], { cwd: packed.folder })
  await run('mv', ['package', 'capstan'], { cwd: modules })
  for (const name of Object.keys(manifest.dependencies ?? {})) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name), 'junction')
  }
  writeFileSync(join(app, 'package.json'), '{ "type": "module" }')
})
afterAll(() => packed?.remove())

describe('without any optional peer', () => {
  it('the entry points of the server are among those that are tried', () => {
    expect(free).toEqual(
      expect.arrayContaining(['capstan', 'capstan/server', 'capstan/server/models', 'capstan/server/logs']),
    )
  })

  it.each(['nodenext', 'bundler'])(
    'the types are complete, libraries checked, for resolution %s',
    async (resolution) => {
      writeFileSync(
        join(app, 'app.ts'),
        free.map((name, index) => `export * as from${index} from '${name}'\n`).join(''),
      )
      const compilerOptions = {
        target: 'ES2022',
        lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
        module: resolution === 'bundler' ? 'ESNext' : resolution,
        moduleResolution: resolution,
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
        preserveSymlinks: true,
        noEmit: true,
        types: [],
      }
      writeFileSync(join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['app.ts'] }))
      expect(
        await run('node', [`${ROOT}node_modules/typescript/bin/tsc`, '-p', '.', '--pretty', 'false'], { cwd: app }),
      ).toBe('')
    },
  )

  it('Node loads them', async () => {
    const code = `for (const name of ${JSON.stringify(free)}) console.log(name, Object.keys(await import(name)).length > 0)`
    const output = await run('node', ['--preserve-symlinks', '--input-type=module', '-e', code], { cwd: app })
    expect(output.trim().split('\n')).toEqual(free.map((name) => `${name} true`))
  })
})
