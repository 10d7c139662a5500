import { describe, expect, it } from 'vitest'
import { readTree } from './files.ts'
import { mirrorShares, ORDER_OF_TESTS, placesOf, sourcesWithoutTest } from './mirror.ts'

const LONG = 60

const sources = readTree('src/').filter(({ path }) => /\.(tsx?|css)$/.test(path))
const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path)
const inTest = readTree('test/').map(({ path }) => path)
const tests = inTest.filter(isTest)
const places = placesOf(
  tests,
  sources.map(({ path }) => path),
  [
    ...['playground/', 'bench/'].flatMap((folder) => readTree(folder).map(({ path }) => folder + path)),
    ...inTest.filter((path) => !isTest(path)),
  ].filter((path) => /\.[jt]sx?$/.test(path)),
)

describe('the test files', () => {
  it('have the paths of the sources they test, or lie in a folder of another kind', () => {
    expect(tests).toContain('layers/mirror.test.ts')
    const nowhere = tests.filter((test) => places.get(test) === 'nowhere').map((test) => `test/${test}`)
    expect(nowhere, ORDER_OF_TESTS).toEqual([])
  })

  // What is left tests no one source: the reference data, whole pages and examples, the fault matrix, the sources as text.
  it('mirror a source in nine of ten cases, those of src and all of the projects unit and slow', () => {
    const { mirror, ofSrc, anyMirror, ofUnitAndSlow } = mirrorShares(places)
    const share = (some: number, of: number): string => `${some} of ${of} (${((100 * some) / of).toFixed(1)} %)`
    const untested = sourcesWithoutTest(
      sources.filter(({ path }) => !path.endsWith('.css')),
      tests,
      LONG,
    )
    console.log(
      `Test files that mirror a source of src: ${share(mirror, ofSrc)} of those that test src.
Those that mirror a source of src, playground, bench or test: ${share(anyMirror, ofUnitAndSlow)} of the projects unit and slow.
Sources of more than ${LONG} lines that no test mirrors: ${untested.length}.\n${untested.join('\n')}`,
    )
    expect(mirror / ofSrc, ORDER_OF_TESTS).toBeGreaterThanOrEqual(0.9)
    expect(anyMirror / ofUnitAndSlow, ORDER_OF_TESTS).toBeGreaterThanOrEqual(0.9)
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
    ['bench/wire/packets.test.ts', 'other mirror'],
    ['layers/mirror.aspect.test.ts', 'other mirror'],
    ['bench/packets.test.ts', 'other kind'],
  ])('are told apart: %s is %s', (test, place) => {
    const others = ['bench/wire/packets.js', 'layers/mirror.ts']
    expect(placesOf([test], ['state/chat.ts', 'styles.css'], others).get(test)).toBe(place)
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
