import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../layers/files.ts'
import { readPage } from './pages.ts'

const page = readPage('docs/CONFORMANCE.md')

interface Claim {
  readonly subject: string
  readonly status: string
  /** Tests by file and title. */
  readonly tests: readonly (readonly [file: string, title: string])[]
}

/** The rows of the tables that have a status. */
function claimsOf(text: string): Claim[] {
  return text.split('\n').flatMap((line) => {
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim())
    const at = cells.findIndex((cell) => /^(?:yes|partly|no)$/.test(cell))
    if (at < 0) return []
    const proof = cells.slice(at + 1).join('|')
    const tests = [...proof.matchAll(/`(test\/[^`]+)`((?:[:,] "[^"]+")*)/g)].flatMap(([, file = '', titles = '']) =>
      [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => [file, title] as const),
    )
    return [{ subject: cells.slice(1, at).join(' '), status: cells[at] ?? '', tests }]
  })
}

const claims = claimsOf(page.text)

describe('docs/CONFORMANCE.md', () => {
  it('has a status for each section and each phase', () => {
    const subjects = claims.map(({ subject }) => subject).join('\n')
    for (const section of [6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 21, 22])
      expect(subjects).toContain(`§${section}`)
    for (const phase of [1, 2, 3, 4, 5, 6, 7]) expect(subjects).toContain(`Phase ${phase}`)
  })

  it('names a test for everything that is done', () => {
    const unproven = claims.filter(({ status, tests }) => status !== 'no' && tests.length === 0)
    expect(
      unproven.map(({ subject }) => subject),
      'Name the file and the title of a test.',
    ).toEqual([])
  })

  it('names only tests that exist', () => {
    const missing = claims.flatMap(({ tests }) =>
      tests.filter(([file, title]) => {
        if (!existsSync(ROOT + file)) return true
        const source = readFileSync(ROOT + file, 'utf8')
        return ![`'${title}'`, `"${title}"`, `\`${title}\``].some((quoted) => source.includes(quoted))
      }),
    )
    expect(missing, 'Name the test by the title that it has now.').toEqual([])
  })

  it('is held to that', () => {
    const [claim] = claimsOf('| §6 | Ids | yes | `test/none.test.ts`: "is there", "is there too" |')
    expect(claim).toEqual({
      subject: '§6 Ids',
      status: 'yes',
      tests: [
        ['test/none.test.ts', 'is there'],
        ['test/none.test.ts', 'is there too'],
      ],
    })
  })
})
