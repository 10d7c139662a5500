import { describe, expect, it } from 'vitest'
import { readTree } from './files.ts'
import { mirrorShares, ORDER_OF_TESTS, placesOf, sourcesWithoutTest } from './mirror.ts'

const LONG = 60

const sources = readTree('src/').filter(({ path }) => /\.(tsx?|css)$/.test(path))
const tests = readTree('test/')
  .map(({ path }) => path)
  .filter((path) => /\.test\.tsx?$/.test(path))
const places = placesOf(
  tests,
  sources.map(({ path }) => path),
)

describe('the test files', () => {
  it('have the paths of the sources they test, or lie in a folder of another kind', () => {
    expect(tests).toContain('layers/mirror.test.ts')
    const nowhere = tests.filter((test) => places.get(test) === 'nowhere').map((test) => `test/${test}`)
    expect(nowhere, ORDER_OF_TESTS).toEqual([])
  })

  it('mirror a source in nine of ten cases where they test src', () => {
    const { mirror, ofSrc, ofUnitAndSlow } = mirrorShares(places)
    const share = (of: number): string => `${mirror} of ${of} (${Math.round((100 * mirror) / of)} %)`
    const untested = sourcesWithoutTest(
      sources.filter(({ path }) => !path.endsWith('.css')),
      tests,
      LONG,
    )
    console.log(
      `Test files that mirror a source: ${share(ofSrc)} of those that test src, ${share(ofUnitAndSlow)} of the projects unit and slow.
Sources of more than ${LONG} lines that no test mirrors: ${untested.length}.\n${untested.join('\n')}`,
    )
    expect(mirror / ofSrc, ORDER_OF_TESTS).toBeGreaterThanOrEqual(0.9)
  })

  it.each([
    ['state/chat.test.ts', 'mirror'],
    ['state/chat.queue.test.ts', 'mirror'],
    ['styles.test.ts', 'mirror'],
    ['state/queue.test.ts', 'nowhere'],
    ['chat.test.ts', 'nowhere'],
    ['state/chat.queue.edit.test.ts', 'nowhere'],
    ['integration/queue.test.ts', 'integration'],
    ['docs/queue.test.ts', 'other kind'],
  ])('are told apart: %s is %s', (test, place) => {
    expect(placesOf([test], ['state/chat.ts', 'styles.css']).get(test)).toBe(place)
  })

  it('show which source has none', () => {
    const text = '// A comment\nexport const a = 1\nexport const b = 2\n'
    const longer = [
      { path: 'state/chat.ts', text },
      { path: 'state/run.ts', text },
    ]
    expect(sourcesWithoutTest(longer, ['state/chat.queue.test.ts'], 1)).toEqual(['state/run.ts (2)'])
    expect(sourcesWithoutTest(longer, [], 2)).toEqual([])
  })
})
