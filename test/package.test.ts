import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readManifest, ROOT } from './layers/files.ts'
import { scan } from './layers/scan.ts'

// What a user who installs capstan gets: these tests read dist, which `npm run build` makes.

const manifest = readManifest()
const targets = Object.values(manifest.exports).flatMap((target) =>
  typeof target === 'string' ? [target] : Object.values(target),
)
const entryPoints = Object.entries(manifest.exports).flatMap(([name, target]) =>
  typeof target === 'string' ? [] : [posix.join('capstan', name)],
)
/** The entry points by the file each leads to: `capstan/server/logs` is `server-logs`. */
const entries = Object.values(manifest.exports).flatMap((target) =>
  typeof target === 'string' ? [] : [posix.basename(target.default, '.js')],
)

function run(command: string, args: readonly string[]): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve) => {
    execFile(
      command,
      [...args],
      { cwd: ROOT, env: { ...process.env, NO_COLOR: '1' }, maxBuffer: 1e8 },
      (error, stdout, stderr) => {
        resolve({ ok: error === null, output: error === null ? stdout : stdout + stderr })
      },
    )
  })
}

/** An entry point and every module it includes, up to those that are `isLast`, with what each imports from outside and takes from its surroundings. */
function loadedBy(
  entryPoint: string,
  isLast: (file: string) => boolean = () => false,
): { file: string; packages: string[]; globals: string[] }[] {
  const loaded = new Map<string, { file: string; packages: string[]; globals: string[] }>()
  const load = (file: string): void => {
    if (loaded.has(file)) return
    const { imports, globals } = scan(file, readFileSync(ROOT + file, 'utf8'))
    const specifiers = imports.map(({ specifier }) => specifier)
    loaded.set(file, {
      file,
      packages: specifiers.filter((specifier) => !specifier.startsWith('.')),
      globals: globals.map(({ name }) => name),
    })
    if (isLast(file)) return
    for (const specifier of specifiers) if (specifier.startsWith('.')) load(posix.join(posix.dirname(file), specifier))
  }
  load(`dist/${entryPoint}.js`)
  return [...loaded.values()]
}

describe('the exports of the package', () => {
  it.each(targets)('%s is there', (target) => {
    expect(existsSync(ROOT + target)).toBe(true)
  })

  it.each(entryPoints)('%s can be imported by name in Node', async (entryPoint) => {
    const { ok, output } = await run(process.execPath, [
      '-e',
      `import('${entryPoint}').then((entryPoint) => console.log(Object.keys(entryPoint).length))`,
    ])
    expect(ok, output).toBe(true)
    expect(Number(output)).toBeGreaterThan(0)
  })
})

describe.each([
  'index',
  'schemas',
  'arcp',
  'arcp-runtime',
  'storage',
  'server',
  'server-cloudflare',
  'server-models',
  'server-logs',
])('the headless entry point %s', (entryPoint) => {
  it('includes neither React nor anything of Node', () => {
    const found = loadedBy(entryPoint).flatMap(({ file, packages }) =>
      packages.filter((name) => /^react\b/.test(name) || isBuiltin(name)).map((name) => `${file}: ${name}`),
    )
    expect(
      found,
      'An entry point without React or Node reaches these: find the import that leads there, and move what it takes to a layer below.',
    ).toEqual([])
  })

  it('never asks for a window or a document', () => {
    const found = loadedBy(entryPoint).flatMap(({ file, globals }) =>
      globals.filter((name) => /^(globalThis\.)?(window|document|React)$/.test(name)).map((name) => `${file}: ${name}`),
    )
    expect(found).toEqual([])
  })
})

const isClient = (file: string): boolean => /^(['"])use client\1/.test(readFileSync(ROOT + file, 'utf8'))

describe.each(['highlight', 'math'])('the entry point %s of client components', (entryPoint) => {
  it("starts with 'use client'", () => {
    expect(isClient(`dist/${entryPoint}.js`)).toBe(true)
  })
})

describe.each(['react', 'components'])('the entry point %s of client and server components', (entryPoint) => {
  it("has no 'use client', with which a page that uses one part would load all", () => {
    expect(isClient(`dist/${entryPoint}.js`)).toBe(false)
  })

  it("leads a server component to no React but through modules with 'use client'", () => {
    const reached = loadedBy(entryPoint, isClient)
    expect(reached.some(({ file }) => isClient(file))).toBe(true)
    expect(
      reached.map(({ file }) => file).filter((file) => file.startsWith('dist/shared-react')),
      "A module that server components run imports React: begin it with 'use client'.",
    ).toEqual([])
  })
})

describe.each(['react', 'components', 'highlight', 'math'])('the React entry point %s', (entryPoint) => {
  it('leaves React to the application', () => {
    const files = loadedBy(entryPoint)
    expect(files.flatMap(({ packages }) => packages)).toContain('react')
    expect(files.filter(({ file }) => !file.startsWith('dist/') || file.includes('node_modules'))).toEqual([])
  })
})

describe('React in the build', () => {
  it.each(['react', 'react/jsx-runtime'])('%s is imported by one module, for all others', (name) => {
    const importing = entries.flatMap((entryPoint) =>
      loadedBy(entryPoint).flatMap(({ file, packages }) => (packages.includes(name) ? [file] : [])),
    )
    expect([...new Set(importing)]).toEqual([`dist/shared-${name.replace('/', '-')}.js`])
  })
})

describe('the query entry point', () => {
  it('is for servers and pages alike: each hook says that it is for pages, nothing else does', () => {
    expect(isClient('dist/query.js')).toBe(false)
    const said = loadedBy('query')
      .map(({ file }) => file)
      .filter((file) => file.startsWith('dist/query/'))
    expect(said.filter(isClient).toSorted()).toEqual(['dist/query/hooks.js'])
  })

  it('is the only one that brings React Query along', () => {
    expect(
      entries.filter((entryPoint) =>
        loadedBy(entryPoint).some(({ packages }) => packages.includes('@tanstack/react-query')),
      ),
    ).toEqual(['query'])
  })
})

describe('the entry point to highlighting', () => {
  it('is the only one that brings shiki along', () => {
    const withShiki = entries.filter((entryPoint) =>
      loadedBy(entryPoint).some(({ packages }) => packages.some((name) => name.startsWith('shiki/'))),
    )
    expect(withShiki).toEqual(['highlight'])
  })

  it('fetches it when it is needed, and no grammar before', () => {
    const source = (file: string): string => readFileSync(`${ROOT}dist/components/highlight/${file}.js`, 'utf8')
    expect(source('highlighted-code')).toMatch(/import\("\.\/shiki-tokenizer\.js"\)/)
    expect(source('common-languages')).not.toMatch(/^import|from ["']/m)
  })
})

describe('the entry point to formulas', () => {
  it('is the only one that brings KaTeX along', () => {
    expect(
      entries.filter((entryPoint) => loadedBy(entryPoint).some(({ packages }) => packages.includes('katex'))),
    ).toEqual(['math'])
  })
})

describe('the style sheet', () => {
  it('is one file that loads no other', () => {
    expect(readFileSync(`${ROOT}dist/styles.css`, 'utf8')).not.toMatch(/@import|url\(\s*['"]?(https?:)?\/\//)
  })
})

describe('the tarball', () => {
  it('holds what is built, the guides, the items for shadcn and five pages of paper, nothing else', async () => {
    const { ok, output } = await run('npm', ['pack', '--dry-run', '--json'])
    expect(ok, output).toBe(true)
    // The documented shape of npm's report.
    const [pack] = JSON.parse(output) as { files: { path: string }[] }[]
    const others = pack?.files
      .map(({ path }) => path)
      .filter((path) => !/^dist\/[\w/-]+(\.browser)?(\.d\.ts|\.js|\.css)$/.test(path))
      .filter((path) => !/^(docs\/(reference\/)?[\w-]+\.md|registry\/[a-z-]+\.json)$/.test(path))
    expect(
      others?.toSorted(),
      'The tarball holds dist, as `npm run build` makes it, docs, registry and these files. Take others out of "files" in package.json; what an app needs at run time belongs into src.',
    ).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'SKILL.md',
      'docs/llms-full.txt',
      'docs/llms.txt',
      'package.json',
    ])
    const paths = pack?.files.map(({ path }) => path)
    expect(paths).toEqual(
      expect.arrayContaining(['docs/getting-started.md', 'docs/reference/react.md', 'registry/assistant-chat.json']),
    )
  })

  it('has nothing for publint or "Are the types wrong?" to complain of', async () => {
    const { ok, output } = await run('npm', ['run', '--silent', 'check:package'])
    expect(ok, output).toBe(true)
  })
})
