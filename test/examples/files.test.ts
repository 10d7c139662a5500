import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../layers/files.ts'

const EXAMPLE = 'examples/next/'
interface Manifest {
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

/** JSON.parse gives `any`; npm has read these files before any test runs. */
const readJson = <Value>(path: string): Value => JSON.parse(readFileSync(ROOT + path, 'utf8')) as Value

describe('the Next.js example', () => {
  // When the package's own dependencies change: `npm install --package-lock-only` in examples/next.
  it('has a lock that knows what the package needs', () => {
    const ours = readJson<Manifest>('package.json')
    const { packages } = readJson<{ packages: Readonly<Record<string, Manifest>> }>(`${EXAMPLE}package-lock.json`)
    const locked = packages['node_modules/capstan']
    expect(locked?.version).toBe(ours.version)
    expect(locked?.dependencies).toEqual(ours.dependencies)
    for (const [name, version] of Object.entries(ours.dependencies)) expect(packages[`node_modules/${name}`]?.version).toBe(version)
  })

  it('pins every version, and takes the package from this repository', () => {
    const { dependencies, devDependencies } = readJson<Manifest>(`${EXAMPLE}package.json`)
    const { capstan, ...others } = dependencies
    expect(capstan).toBe('file:../..')
    expect(Object.values({ ...others, ...devDependencies }).filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
  })
})
