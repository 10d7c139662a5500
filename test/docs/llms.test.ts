import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../layers/files.ts'
import { faultOfLink, readPage, readPages, relativeLinksOf } from './pages.ts'

const index = readPage('docs/llms.txt')

describe('docs/llms.txt', () => {
  it('is what `npm run docs:index` makes of docs/README.md', () => {
    expect(
      index.text,
      'The index of the pages is made from docs/README.md: run `npm run docs:index` and commit docs/llms.txt.',
    ).toBe(execFileSync(process.execPath, ['scripts/write-llms-index.js', '--print'], { cwd: ROOT, encoding: 'utf8' }))
  })

  it('leads to every guide, and nowhere where nothing is', () => {
    const links = relativeLinksOf(index)
    const guides = readPages().flatMap(({ path }) => /^docs\/([\w-]+\.md)$/.exec(path)?.[1] ?? [])
    expect(guides).toContain('getting-started.md')
    expect(
      guides.filter((guide) => guide !== 'README.md' && !links.includes(guide)),
      'Link the page from docs/README.md, then run `npm run docs:index`.',
    ).toEqual([])
    expect(links.flatMap((link) => faultOfLink(index, link) ?? [])).toEqual([])
  })
})

describe('docs/llms-full.txt', () => {
  it('has every guide whole, once, in the order of the index', () => {
    const whole = execFileSync(process.execPath, ['scripts/write-llms-full.js', '--print'], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    const guides = [...new Set(relativeLinksOf(index))].filter((link) => /^[\w-]+\.md$/.test(link))
    expect(guides.length).toBeGreaterThan(20)
    expect([...whole.matchAll(/^<!-- docs\/([\w-]+\.md) -->$/gm)].map(([, path]) => path)).toEqual(guides)
    for (const guide of guides) expect(whole).toContain(readPage(`docs/${guide}`).text.trim())
  })
})
