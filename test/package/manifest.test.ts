import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../layers/files.ts'

interface Manifest {
  readonly version: string
  readonly license: string
  readonly files: readonly string[]
  readonly scripts: Readonly<Record<string, string>>
  readonly bundleDependencies?: readonly string[]
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly devOptional?: boolean; readonly hasInstallScript?: boolean; readonly license?: string }>>
}

const read = (path: string): string => readFileSync(ROOT + path, 'utf8')
// JSON.parse gives `any`; npm has read both files before any test runs.
const manifest = JSON.parse(read('package.json')) as Manifest
const lock = JSON.parse(read('package-lock.json')) as Lock

/** npm runs these on the machine of whoever installs a package. */
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare', 'prepublish']

describe('whoever installs the package', () => {
  it('runs none of its scripts, and none of what it depends on', () => {
    expect(Object.keys(manifest.scripts).filter((name) => INSTALL_SCRIPTS.includes(name))).toEqual([])
    expect(existsSync(`${ROOT}binding.gyp`)).toBe(false)
    const installed = Object.entries(lock.packages).filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
    expect(installed.map(([path]) => path)).toContain('node_modules/zod')
    expect(installed.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)).toEqual([])
  })

  it('gets what is named, and nothing that is only not forbidden', () => {
    expect(manifest.files).toEqual(['dist', 'CHANGELOG.md'])
    expect(manifest.bundleDependencies).toBeUndefined()
    expect(existsSync(`${ROOT}.npmignore`)).toBe(false)
  })

  it('may use it', () => {
    expect(manifest.license).toBe('MIT')
    expect(read('LICENSE')).toContain('MIT License')
    expect(read('SECURITY.md')).toContain('Report a vulnerability')
    expect(read('CHANGELOG.md')).toMatch(/^## \[Unreleased\]$/m)
  })
})

describe('the workflow that publishes', () => {
  const workflow = read('.github/workflows/publish.yml')

  it('proves where the package comes from, without a token to steal and only after the tests', () => {
    expect(workflow).toContain('npm publish --provenance')
    expect(workflow.match(/id-token: write/g)).toHaveLength(1)
    expect(workflow).toMatch(/^permissions: \{\}$/m)
    expect(workflow).toContain('needs: test')
    expect(workflow).not.toMatch(/TOKEN|secrets\.|registry-url/)
  })
})

describe('every lock of the repository', () => {
  it.each(['package-lock.json', 'test/react-18/package-lock.json', 'test/package/fixtures/vite-react-18/package-lock.json', 'test/package/fixtures/vite-react-19-tailwind-4/package-lock.json', 'examples/next/package-lock.json'])(
    '%s names no place to fetch from, and the sum of each package',
    (path) => {
      // JSON.parse gives `any`; npm wrote this file.
      const { packages } = JSON.parse(read(path)) as { packages: Readonly<Record<string, { resolved?: string; integrity?: string; link?: boolean; inBundle?: boolean }>> }
      const others = Object.entries(packages).filter(([place, { link, inBundle }]) => place.startsWith('node_modules/') && !link && !inBundle)
      expect(others.length).toBeGreaterThan(5)
      expect(others.filter(([, { resolved }]) => resolved?.startsWith('http')).map(([place]) => place)).toEqual([])
      expect(others.filter(([place, { integrity }]) => integrity === undefined && place !== 'node_modules/capstan').map(([place]) => place)).toEqual([])
    },
  )
})
