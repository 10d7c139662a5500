import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { picturesOf, readPage, relativeLinksOf, snippetsOf } from '../docs/pages.ts'
import { ROOT } from '../layers/files.ts'

const REPOSITORY = 'https://git.example/ann/capstan'
const COMMIT = '0123456789abcdef0123456789abcdef01234567'

function point(...args: readonly string[]): string {
  return execFileSync(process.execPath, ['scripts/point-readme.js', ...args, '--print'], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: 'pipe',
  })
}

describe('the README on the page of a registry', () => {
  const readme = readPage('README.md')
  const published = { path: 'README.md', text: point(REPOSITORY, COMMIT) }

  it('has every picture at its own address, at the commit that was published', () => {
    const pictures = picturesOf(published)
    expect(pictures).toHaveLength(picturesOf(readme).length)
    expect(pictures.length).toBeGreaterThan(0)
    const files = pictures.map((address) => address.replace(`${REPOSITORY}/raw/${COMMIT}/`, ''))
    expect(files).toEqual(picturesOf(readme))
    expect(files.filter((file) => !existsSync(ROOT + file))).toEqual([])
  })

  it('has no link that needs the files around it', () => {
    expect(relativeLinksOf(readme).length).toBeGreaterThan(10)
    expect(relativeLinksOf(published)).toEqual([])
    for (const link of relativeLinksOf(readme))
      expect(published.text).toContain(`](${REPOSITORY}/blob/${COMMIT}/${link})`)
  })

  it('has the code it had', () => {
    expect(snippetsOf(published)).toEqual(snippetsOf(readme))
  })

  it('is not written for an address or a commit that is none', () => {
    expect(() => point(`${REPOSITORY}/`, COMMIT)).toThrow('Give the https address')
    expect(() => point(REPOSITORY, 'main')).toThrow('Give the https address')
    expect(() => point(REPOSITORY)).toThrow('Give the https address')
  })
})
