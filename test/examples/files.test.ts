import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../layers/files.ts'

const EXAMPLE = 'examples/next/'
/** A chat that streams, whose key is a secret and which is there again after a reload: all of it that an app writes. */
const THE_CHAT = [
  'app/api/agent/[...path]/route.ts',
  'app/chat/[id]/page.tsx',
  'app/chat/[id]/river-chat.tsx',
  'app/history.ts',
]

interface Manifest {
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

/** JSON.parse gives `any`; npm has read these files before any test runs. */
const readJson = <Value>(path: string): Value => JSON.parse(readFileSync(ROOT + path, 'utf8')) as Value

/** Lines that say something to the machine. */
function linesOfCode(path: string): string[] {
  return readFileSync(ROOT + EXAMPLE + path, 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.trim().startsWith('//'))
}

describe('the Next.js example', () => {
  it('has a chat with a secret key, which survives a reload, in under fifty lines', () => {
    const lines = THE_CHAT.flatMap(linesOfCode)
    expect(lines.length).toBeGreaterThan(20)
    expect(lines.length).toBeLessThan(50)
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(160)
  })

  // When the package's own dependencies change: `npm install --package-lock-only` in examples/next.
  // When the package's own dependencies change: `npm install --package-lock-only` in examples/next.
  it('has a lock that knows what the package needs', () => {
    const ours = readJson<Manifest>('package.json')
    const { packages } = readJson<{ packages: Readonly<Record<string, Manifest>> }>(`${EXAMPLE}package-lock.json`)
    const locked = packages['node_modules/capstan']
    expect(locked?.version).toBe(ours.version)
    expect(locked?.dependencies).toEqual(ours.dependencies)
    for (const [name, range] of Object.entries(ours.dependencies))
      expect(isWithin(packages[`node_modules/${name}`]?.version, range), name).toBe(true)
  })

  it('pins every version, and takes the package from this repository', () => {
    const { dependencies, devDependencies } = readJson<Manifest>(`${EXAMPLE}package.json`)
    const { capstan, ...others } = dependencies
    expect(capstan).toBe('file:../..')
    expect(
      Object.values({ ...others, ...devDependencies }).filter((version) => !/^\d+\.\d+\.\d+$/.test(version)),
    ).toEqual([])
  })
})

/** Whether a version is the one that is asked for, or one that `^` allows of a version above 1. */
function isWithin(version = '', range: string): boolean {
  if (!range.startsWith('^')) return version === range
  const [[major = 0, ...rest], [wantedMajor, ...wanted]] = [version, range.slice(1)].map((text) =>
    text.split('.').map(Number),
  ) as [number[], number[]]
  const isLater = rest.map((part, index) => part - (wanted[index] ?? 0)).find((difference) => difference !== 0) ?? 0
  return major === wantedMajor && isLater >= 0
}
