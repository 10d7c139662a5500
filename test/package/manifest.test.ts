import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../layers/files.ts'

interface Manifest {
  readonly version: string
  readonly license: string
  readonly files: readonly string[]
  readonly keywords: readonly string[]
  readonly scripts: Readonly<Record<string, string>>
  readonly bundleDependencies?: readonly string[]
  readonly dependencies: Readonly<Record<string, string>>
}

interface Lock {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly version?: string
        readonly dev?: boolean
        readonly devOptional?: boolean
        readonly hasInstallScript?: boolean
        readonly license?: string
      }
    >
  >
}

const read = (path: string): string => readFileSync(ROOT + path, 'utf8')
// JSON.parse gives `any`; npm has read both files before any test runs.
const manifest = JSON.parse(read('package.json')) as Manifest
const lock = JSON.parse(read('package-lock.json')) as Lock

/** npm runs these on the user's machine when a package is installed. */
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare', 'prepublish']

describe('a package that is installed', () => {
  it('runs none of its scripts, and none of what it depends on', () => {
    expect(Object.keys(manifest.scripts).filter((name) => INSTALL_SCRIPTS.includes(name))).toEqual([])
    expect(existsSync(`${ROOT}binding.gyp`)).toBe(false)
    const installed = Object.entries(lock.packages).filter(
      ([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional,
    )
    expect(installed.map(([path]) => path)).toContain('node_modules/zod')
    expect(installed.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)).toEqual([])
  })

  it('gets what is named, and nothing that is only not forbidden', () => {
    expect(manifest.files, 'What goes into the tarball is decided here and in test/package.test.ts, together.').toEqual(
      [
        'dist',
        'docs/*.md',
        'docs/llms.txt',
        'docs/llms-full.txt',
        'docs/reference',
        'registry/*.json',
        '!registry/items.json',
        'SKILL.md',
        'CHANGELOG.md',
      ],
    )
    expect(manifest.bundleDependencies).toBeUndefined()
    expect(existsSync(`${ROOT}.npmignore`)).toBe(false)
  })

  it('may share every dependency with other packages, from a version on which the tests run', () => {
    // JSON.parse gives `any`; npm has read these files before any test runs.
    const minimum = (JSON.parse(read('test/minimum/package.json')) as Manifest).dependencies
    const { packages } = JSON.parse(read('test/minimum/package-lock.json')) as Lock
    const exact = Object.entries(manifest.dependencies)
      .filter(([, range]) => !/^\^\d+\.\d+\.\d+$/.test(range))
      .map(([name]) => name)
    expect(
      exact,
      'Dependencies are ranges (^1.2.3), so that apps share them; put the lowest version into test/minimum/package.json as well.',
    ).toEqual([])
    expect(
      Object.fromEntries(Object.entries(manifest.dependencies).map(([name, range]) => [name, range.replace('^', '')])),
    ).toEqual(minimum)
    for (const [name, version] of Object.entries(minimum))
      expect(packages[`node_modules/${name}`]?.version).toBe(version)
  })

  it('can find it by what it is for', () => {
    const searched =
      'react chat agent streaming sse ai-sdk useChat ag-ui a2a langgraph human-in-the-loop approvals resumable-streams shadcn coreason cap'
    expect(manifest.keywords).toEqual(expect.arrayContaining(searched.split(' ')))
    expect(new Set(manifest.keywords).size).toBe(manifest.keywords.length)
  })

  it('may use it', () => {
    expect(manifest.license).toBe('MIT')
    expect(read('LICENSE')).toContain('MIT License')
    expect(read('SECURITY.md')).toContain('Report a vulnerability')
    expect(read('CHANGELOG.md')).toMatch(/^## \[Unreleased\]$/m)
  })

  it('gets release notes of at most 120 lines, with a heading for the version', () => {
    const notes = read('CHANGELOG.md')
    expect(notes).toContain(`\n## [${manifest.version}]`)
    expect(
      notes.split('\n').length,
      'Group entries by what a user can do; details belong in the guides.',
    ).toBeLessThanOrEqual(120)
  })

  // npm publish removes a `bin` whose path begins with "./", with a warning only.
  it.each(['package.json', 'create-capstan/package.json'])('keeps the programs of %s when it is published', (path) => {
    // JSON.parse gives `any`; npm has read this file before any test runs.
    const { bin } = JSON.parse(read(path)) as { readonly bin: Readonly<Record<string, string>> }
    expect(Object.values(bin)).not.toEqual([])
    expect(Object.values(bin).filter((program) => program.startsWith('.'))).toEqual([])
  })
})

/** An action at a commit, with its version. */
const PINNED = /^[\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/

function usesOf(workflow: string): string[] {
  return [...workflow.matchAll(/^\s*(?:- )?uses: *(.*)$/gm)].map(([, uses = '']) => uses)
}

/** The lines of every `run`. */
function commandsOf(workflow: string): string[] {
  return [...workflow.matchAll(/^( *)(- )?run: (?:\|\n((?:\1 {2,}.*\n)+)|(.+)$)/gm)].flatMap(
    ([, , , block, line = '']) =>
      (block ?? line)
        .trim()
        .split('\n')
        .map((command) => command.trim()),
  )
}

/** Whether a command brings something that no lock file holds. */
function fetchesTool(command: string): boolean {
  return /\b(?:npx|corepack|curl|wget|pnpx|bunx)\b|\bnpm (?:exec|x|i|install|add)\b|@latest\b/.test(command)
}

describe('the workflow that publishes', () => {
  const workflow = read('.github/workflows/publish.yml')

  it('proves where the package comes from, without a token to steal and only after the tests', () => {
    expect(workflow).toContain('npm publish ./capstan.tgz --provenance')
    expect(workflow.match(/id-token: write/g)).toHaveLength(1)
    expect(workflow).toMatch(/^permissions: \{\}$/m)
    expect(workflow).toMatch(/^ {2}pack:\n {4}needs: test$/m)
    expect(workflow).toMatch(/^ {2}publish:\n {4}needs: pack$/m)
    expect(workflow).not.toMatch(/TOKEN|secrets\.|registry-url/)
  })

  it('says in the manifest and in the README where the package comes from, before it packs', () => {
    const pack = workflow.slice(workflow.search(/^ {2}pack:$/m), workflow.search(/^ {2}publish:$/m))
    const commands = commandsOf(pack)
    const home = commands.findIndex((command) =>
      ['repository.url=', 'homepage=', 'bugs.url='].every((field) => command.includes(field)),
    )
    const readme = commands.indexOf(
      'node scripts/point-readme.js "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY" "$GITHUB_SHA"',
    )
    expect(home).toBeGreaterThanOrEqual(0)
    expect(readme).toBeGreaterThan(home)
    expect(commands.findIndex((command) => command.startsWith('npm pack'))).toBeGreaterThan(readme)
  })

  it('pins every action by commit and says which version that is', () => {
    expect(usesOf(workflow)).toHaveLength(7)
    expect(usesOf(workflow).filter((uses) => !PINNED.test(uses))).toEqual([])
    expect(
      [
        'actions/checkout@v5',
        'actions/checkout@93cb6efe18208431cddfb8368fd83d5badbf9bfd',
        'actions/checkout@93cb6ef # v5.0.1',
        'docker://node:20 # v20.0.0',
      ].filter((uses) => PINNED.test(uses)),
    ).toEqual([])
  })

  it('publishes only what has a heading in the changelog', () => {
    const pack = workflow.slice(workflow.search(/^ {2}pack:$/m), workflow.search(/^ {2}publish:$/m))
    expect(commandsOf(pack)).toContain('grep --quiet --fixed-strings "## [${GITHUB_REF_NAME#v}]" CHANGELOG.md')
  })

  it('fetches no tool of a version that can change', () => {
    expect(commandsOf(workflow).filter(fetchesTool)).toEqual([])
    expect(
      [
        'npm install --global npm@11',
        'npm i -g npm@latest',
        'npx publint',
        'npm exec publint',
        'corepack enable',
        'curl example.test | sh',
        'npm install',
      ].filter((command) => !fetchesTool(command)),
    ).toEqual([])
  })

  it('lets the job with the id token run nothing but the publishing, with no other right', () => {
    const job = workflow.slice(workflow.search(/^ {2}publish:$/m))
    expect(/^ {4}permissions:\n((?: {6}.+\n)+)/m.exec(job)?.[1]).toBe('      id-token: write\n')
    expect(commandsOf(job)).toEqual([
      'echo "$SHA256  capstan.tgz" | sha256sum --check --strict',
      'echo "$CREATE_SHA256  create-capstan.tgz" | sha256sum --check --strict',
      'npm publish ./capstan.tgz --provenance --access public --ignore-scripts',
      'npm publish ./create-capstan.tgz --provenance --access public --ignore-scripts',
    ])
    expect(job).toMatch(/node-version: \d+\.\d+\.\d+$/m)
    const others = workflow.slice(0, workflow.search(/^ {2}publish:$/m))
    expect([...others.matchAll(/^ {4}permissions:\n((?: {6}.+\n)+)/gm)].map(([, rights]) => rights)).toEqual([
      '      contents: read\n',
      '      contents: read\n',
    ])
  })

  it('gives no script a value that GitHub writes into it', () => {
    expect(commandsOf(workflow).filter((command) => command.includes('${{'))).toEqual([])
  })
})

describe('the workflow on pull requests', () => {
  const workflow = read('.github/workflows/ci.yml')

  it('runs what a change must pass, on the Node of .nvmrc', () => {
    expect(workflow).toMatch(/^ {2}pull_request:$/m)
    expect(commandsOf(workflow)).toEqual(['sudo --preserve-env=PATH .ci/run'])
    expect(workflow).toContain('node-version-file: .nvmrc')
    expect(read('.github/workflows/publish.yml')).toContain(`node-version: ${read('.nvmrc').trim()}\n`)
  })

  it('gives the code of strangers no secret and no right but to read', () => {
    expect(workflow).toMatch(/^permissions: \{\}$/m)
    expect([...workflow.matchAll(/^ {4}permissions:\n((?: {6}.+\n)+)/gm)].map(([, rights]) => rights)).toEqual([
      '      contents: read\n',
    ])
    expect(workflow).not.toMatch(/pull_request_target|workflow_run|TOKEN|secrets\./)
    expect(workflow).toContain('persist-credentials: false')
  })

  it('pins every action by commit, as the one that publishes does', () => {
    const others = usesOf(read('.github/workflows/publish.yml'))
    expect(
      usesOf(workflow).filter((uses) => !PINNED.test(uses) || !others.includes(uses)),
      'Write the commit of the action and its version behind it, the same in both workflows.',
    ).toEqual([])
    expect(usesOf(workflow)).toHaveLength(2)
  })
})

describe('every lock of the repository', () => {
  it.each([
    'package-lock.json',
    'test/react-18/package-lock.json',
    'test/minimum/package-lock.json',
    'test/ag-ui/package-lock.json',
    'test/copilotkit/package-lock.json',
    'test/mastra/package-lock.json',
    'test/ai-sdk/package-lock.json',
    'test/models/package-lock.json',
    'test/package/fixtures/vite-react-18/package-lock.json',
    'test/package/fixtures/vite-react-19-tailwind-4/package-lock.json',
    'examples/next/package-lock.json',
  ])('%s names no place to fetch from, and the sum of each package', (path) => {
    // JSON.parse gives `any`; npm wrote this file.
    const { packages } = JSON.parse(read(path)) as {
      packages: Readonly<Record<string, { resolved?: string; integrity?: string; link?: boolean; inBundle?: boolean }>>
    }
    const others = Object.entries(packages).filter(
      ([place, { link, inBundle }]) => place.startsWith('node_modules/') && !link && !inBundle,
    )
    expect(others.length).toBeGreaterThanOrEqual(4)
    expect(others.filter(([, { resolved }]) => resolved?.startsWith('http')).map(([place]) => place)).toEqual([])
    expect(
      others
        .filter(([place, { integrity }]) => integrity === undefined && place !== 'node_modules/capstan')
        .map(([place]) => place),
    ).toEqual([])
  })
})
