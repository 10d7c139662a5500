import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../layers/files.ts'
import { faultOfLink, readPage, readPages, relativeLinksOf } from './pages.ts'

const index = readPage('docs/llms.txt')

describe('docs/llms.txt', () => {
  it('is what `npm run docs:index` makes of the guides', () => {
    expect(index.text).toBe(execFileSync(process.execPath, ['scripts/write-llms-index.js', '--print'], { cwd: ROOT, encoding: 'utf8' }))
  })

  it('leads to every guide and decision, and nowhere else', () => {
    const links = relativeLinksOf(index)
    const pages = readPages().map(({ path }) => path.replace(/^docs\//, ''))
    expect(links.toSorted()).toEqual(pages.filter((path) => path !== 'README.md' && path !== 'decisions/README.md').toSorted())
    expect(links.flatMap((link) => faultOfLink(index, link) ?? [])).toEqual([])
  })
})
