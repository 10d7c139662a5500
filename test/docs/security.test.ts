import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../layers/files.ts'
import { readPage } from './pages.ts'

const { text } = readPage('SECURITY.md')

/** Files of tests that a stretch of text names. */
function testsIn(stretch: string): string[] {
  return [...stretch.matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => path)
}

/** What a section says, by its heading. */
function sectionOf(heading: string): string {
  const [, section = ''] = text.split(`## ${heading}\n`)
  return section.split('\n## ')[0] ?? ''
}

describe('SECURITY.md', () => {
  const claims = [...sectionOf('What counts as a vulnerability').matchAll(/^- (.+)$/gm)].map(([, claim = '']) => claim)

  it('names for each claim the tests that hold it', () => {
    expect(claims.length).toBeGreaterThanOrEqual(6)
    // Its limits are many, and each is tested where it is.
    expect(
      claims.filter((claim) => !claim.startsWith('A stream can neither hang') && testsIn(claim).length === 0),
    ).toEqual([])
    expect(testsIn(sectionOf('How is the package published?'))).not.toEqual([])
  })

  it('names no test that is not there', () => {
    expect(testsIn(text).filter((path) => !/\.test\.tsx?$/.test(path) || !existsSync(ROOT + path))).toEqual([])
  })
})
