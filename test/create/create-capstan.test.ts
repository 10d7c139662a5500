import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ROOT } from '../layers/files.ts'
import { AGENTS, createCapstan, type Outcome, TEMPLATES } from './create-capstan.ts'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

// JSON.parse gives `any`; npm or the command under test wrote the file.
const readManifest = (path: string): Manifest => JSON.parse(readFileSync(path, 'utf8')) as Manifest

const PROJECTS = TEMPLATES.flatMap((template) =>
  AGENTS.map((agent) => ({ template, agent, name: `${template} ${agent}` })),
)

/** Where each project is made once, and what the command said about it. */
const made = mkdtempSync(join(tmpdir(), 'create-capstan-'))
const said = new Map<string, Outcome>()
beforeAll(() => {
  const env = { npm_config_user_agent: 'pnpm/10.0.0 npm/? node/v20.19.0' }
  for (const { name, template, agent } of PROJECTS)
    said.set(name, createCapstan(made, [name, '--template', template, '--agent', agent], env))
})
afterAll(() => rmSync(made, { recursive: true, force: true }))

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'create-capstan-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function filesOf(project: string): string[] {
  return readdirSync(project, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(project.length + 1))
    .toSorted()
}

const SHARED = [
  '.gitignore',
  'README.md',
  'package.json',
  'src/agent/agent.test.ts',
  'src/agent/agent.ts',
  'src/agent/authorize.test.ts',
  'src/agent/authorize.ts',
  'src/agent/handler.ts',
  'src/agent/open-conversation.ts',
  'src/chat-page.tsx',
  'src/chat-settings.ts',
  'src/page.css',
  'tsconfig.json',
]
const OF_MODELS = ['.env.example', 'src/agent/missing-key.test.ts', 'src/agent/missing-key.ts']
const OF_TEMPLATE = {
  vite: ['index.html', 'public/icon.svg', 'src/main.tsx', 'src/server.ts', 'vite.config.ts'],
  next: [
    'next.config.ts',
    'src/app/agent/[...path]/route.ts',
    'src/app/icon.svg',
    'src/app/layout.tsx',
    'src/app/page.tsx',
  ],
}

describe.each(PROJECTS)('a project of template $template with agent $agent', ({ template, agent, name }) => {
  it('has its files and a manifest with every script, and is told what to type next', () => {
    const { status, stdout, stderr } = said.get(name) ?? {}
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toContain(`cd "${name}"\n  pnpm install\n`)
    expect(stdout?.includes('.env.local')).toBe(agent !== 'echo')

    expect(filesOf(join(made, name))).toEqual(
      [...SHARED, ...OF_TEMPLATE[template], ...(agent === 'echo' ? [] : OF_MODELS)].toSorted(),
    )
    expect(readFileSync(join(made, name, 'README.md'), 'utf8').startsWith(`# ${name}\n\nA chat and its agent`)).toBe(
      true,
    )
    const manifest = readManifest(join(made, name, 'package.json'))
    expect(manifest.name).toBe(`${template}-${agent}`)
    expect(Object.keys(manifest.scripts).toSorted()).toEqual(['build', 'dev', 'start', 'test'])
    for (const dependencies of [manifest.dependencies, manifest.devDependencies])
      expect(Object.keys(dependencies)).toEqual(Object.keys(dependencies).toSorted())
  })
})

it.each(PROJECTS)('a project of $name serves this machine only, and asks who is calling', ({ template, name }) => {
  const { scripts } = readManifest(join(made, name, 'package.json'))
  const textOf = (path: string): string => readFileSync(join(made, name, path), 'utf8')
  if (template === 'next') {
    expect([scripts['dev'], scripts['start']]).toEqual([
      'next dev --hostname localhost',
      'next start --hostname localhost',
    ])
  } else {
    // Vite's own server takes localhost unless it is told otherwise.
    expect(scripts['dev']).toBe('vite')
    expect(textOf('vite.config.ts')).not.toMatch(/\bhost\b/)
    expect(textOf('src/server.ts')).toContain("process.env.HOST ?? 'localhost'")
    expect(textOf('src/server.ts')).toContain('Other machines can reach this server')
  }
  expect(textOf('src/agent/handler.ts')).toMatch(/\bauthorize\b/)
})

it.each(PROJECTS)('a project of $name has an icon, and suggestions that fit its agent', ({ template, agent, name }) => {
  const textOf = (path: string): string => readFileSync(join(made, name, path), 'utf8')
  // Next.js serves what has this name.
  expect(textOf(template === 'next' ? 'src/app/icon.svg' : 'public/icon.svg')).toContain('<svg ')
  if (template === 'vite')
    expect(textOf('index.html')).toContain('<link rel="icon" type="image/svg+xml" href="/icon.svg" />')
  const settings = textOf('src/chat-settings.ts')
  expect(settings).toMatch(
    agent === 'echo' ? /suggestions: \['Hello, echo!', / : /suggestions: \['What can you help me with\?', /,
  )
  // That is what the guides and the playground talk about.
  expect(settings).not.toMatch(/river/i)
})

describe('the versions of a project', () => {
  const versionsOf = (path: string): [name: string, version: string][] => {
    const { dependencies, devDependencies } = readManifest(path)
    return Object.entries({ ...dependencies, ...devDependencies })
  }

  it('are those that this repository is tested with', () => {
    const tested = [
      'package.json',
      'examples/next/package.json',
      'test/models/package.json',
      'test/ai-sdk/package.json',
    ]
      .flatMap((path) => versionsOf(ROOT + path))
      .map(([name, version]) => (name === 'ai-6' ? version.replace('npm:', '') : `${name}@${version}`))
    /** What test/create/projects.test.ts alone tries, with the newest version of Next.js that needs no switch for TypeScript 7. */
    const triedAsProjects = ['@ai-sdk/openai@3.0.141', 'next@16.4.6', 'sirv@3.0.2']
    const used = PROJECTS.flatMap(({ name }) => versionsOf(join(made, name, 'package.json')))
      .filter(([name]) => name !== 'capstan')
      .map(([name, version]) => `${name}@${version}`)
    expect(
      [...new Set(used)].filter((version) => !tested.includes(version) && !triedAsProjects.includes(version)),
      'Change create-capstan/templates/*/_package.json together with the package.json of the repository.',
    ).toEqual([])
    expect(used).toEqual(expect.arrayContaining(triedAsProjects))
  })

  it('are exact, but for that of capstan, which is that of the command', () => {
    const { version } = readManifest(`${ROOT}package.json`)
    expect(readManifest(`${ROOT}create-capstan/package.json`).version).toBe(version)
    const used = PROJECTS.flatMap(({ name }) => versionsOf(join(made, name, 'package.json')))
    expect(used.filter(([name]) => name === 'capstan')).toEqual(PROJECTS.map(() => ['capstan', `^${version}`]))
    expect(used.filter(([name, range]) => name !== 'capstan' && !/^\d+\.\d+\.\d+$/.test(range))).toEqual([])
  })

  it('take a capstan of the user: a version, or a tarball', () => {
    createCapstan(folder, ['a', '-t', 'vite', '-a', 'echo', '--capstan', '0.0.1'])
    writeFileSync(join(folder, 'capstan.tgz'), '')
    createCapstan(folder, ['b', '-t', 'vite', '-a', 'echo', '--capstan', 'capstan.tgz'])
    expect(readManifest(join(folder, 'a', 'package.json')).dependencies['capstan']).toBe('0.0.1')
    expect(readManifest(join(folder, 'b', 'package.json')).dependencies['capstan']).toMatch(/^file:.+capstan\.tgz$/)
  })
})

describe('the command', () => {
  it.each<[args: string[], message: string]>([
    [['a', '--template', 'svelte'], 'There is no template "svelte". Choose --template vite or --template next.'],
    [
      ['a', '-t', 'vite', '--agent', 'toString'],
      'There is no agent "toString". Choose --agent echo, --agent ai-sdk or --agent openai.',
    ],
    [['a', '--colour', 'red'], "Unknown option '--colour'"],
    [['a', 'b'], 'One folder at a time: "a", "b".'],
    [['a', '--template', 'vite'], 'Missing: --agent echo|ai-sdk|openai. For example:'],
    [[], 'Missing: a folder, --template vite|next, --agent echo|ai-sdk|openai. For example:'],
    [['a', '-t', 'vite', '-a', 'echo', '--capstan', 'no.tgz'], 'There is no file no.tgz.'],
    [['full', '-t', 'vite', '-a', 'echo'], 'The folder full is not empty (mine.txt). Choose another one.'],
    [['full/mine.txt', '-t', 'vite', '-a', 'echo'], 'full/mine.txt is a file. Choose another name.'],
  ])('refuses %j, says why, and makes nothing', (args, message) => {
    mkdirSync(join(folder, 'full'))
    writeFileSync(join(folder, 'full', 'mine.txt'), 'mine')
    const { status, stdout, stderr } = createCapstan(folder, args)
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('    at ')
    expect(readdirSync(folder)).toEqual(['full'])
    expect(readdirSync(join(folder, 'full'))).toEqual(['mine.txt'])
    expect(readFileSync(join(folder, 'full', 'mine.txt'), 'utf8')).toBe('mine')
  })

  it('takes the folder it is called in, and one with nothing but a new repository', () => {
    mkdirSync(join(folder, '.git'))
    expect(createCapstan(folder, ['.', '-t', 'vite', '-a', 'echo']).stdout).not.toContain('cd ')
    expect(readdirSync(folder)).toContain('package.json')
  })

  it('explains itself', () => {
    const { status, stdout } = createCapstan(folder, ['--help'])
    expect(status).toBe(0)
    for (const word of [...TEMPLATES, ...AGENTS, '--capstan']) expect(stdout).toContain(word)
  })
})
