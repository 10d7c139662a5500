/** What else than a source of src the tests of a folder test, or of one file straight in test. They mirror no source. */
const OTHER_KINDS: Readonly<Record<string, string>> = {
  'ai-sdk': 'an agent beside the AI SDK',
  bench: 'the measurements of bench',
  browser: 'components as a browser lays them out',
  conformance: 'the reference data',
  docs: 'the guides',
  e2e: 'whole pages',
  examples: 'the apps of examples',
  faults: 'the fault matrix and the random schedules',
  layers: 'the sources as text',
  models: 'the model helpers with the packages of vendors, and a database',
  package: 'what is published',
  'package.test.ts': 'what is published',
  playground: 'the page of npm run dev',
  'size.test.ts': 'the size of the bundles',
  stories: 'the catalogue',
  support: 'what the tests share',
}

/** Those of the kinds above whose files are all in another project than unit and slow. */
const OTHER_PROJECTS = ['ai-sdk', 'browser', 'docs', 'e2e', 'models', 'package', 'package.test.ts', 'size.test.ts']
const OTHER_PROJECT_FILES = ['examples/next.test.ts', 'examples/getting-started.test.ts', 'stories/built.test.ts']

/** Tests of several units together, where no source owns what they do. */
const INTEGRATION = 'integration'

/** What to do about a test that is elsewhere. */
export const ORDER_OF_TESTS = `Each line names a test file that tests no source by its path. What to do:
- a test of src/<folder>/<name>.ts (.tsx, .css) is test/<folder>/<name>.test.ts (.tsx), or <name>.<aspect>.test.ts where one
  source has several themes: move it beside the tests of the source that owns the behaviour.
- several units together, and none owns it: test/${INTEGRATION}/<theme>.test.ts, which is rare.
- a test of something else than src: a folder in OTHER_KINDS of test/layers/mirror.ts, with what it tests.`

export type Place = 'mirror' | 'integration' | 'other kind' | 'nowhere'

/** The source that a test has the path of, without its extension. All paths are below test and src. */
function sourceOf(test: string): readonly string[] {
  const path = test.replace(/\.test\.tsx?$/, '')
  const whole = path.replace(/\.[a-z0-9-]+$/, '')
  return whole === path ? [path] : [path, whole]
}

const withoutExtension = (path: string): string => path.replace(/\.(tsx?|css)$/, '')

/** Where each test file is. `tests` are paths below test, `sources` paths below src. */
export function placesOf(tests: readonly string[], sources: readonly string[]): ReadonlyMap<string, Place> {
  const known = new Set(sources.map(withoutExtension))
  return new Map(
    tests.map((test): [string, Place] => {
      const [folder = ''] = test.split('/')
      if (folder === INTEGRATION) return [test, 'integration']
      if (folder in OTHER_KINDS) return [test, 'other kind']
      return [test, sourceOf(test).some((path) => known.has(path)) ? 'mirror' : 'nowhere']
    }),
  )
}

/** How many test files mirror a source: of those that test src, and of all files of the projects unit and slow. */
export function mirrorShares(places: ReadonlyMap<string, Place>): {
  mirror: number
  ofSrc: number
  ofUnitAndSlow: number
} {
  const all = [...places]
  const isElsewhere = (test: string): boolean =>
    OTHER_PROJECTS.includes(test.split('/')[0] ?? '') || OTHER_PROJECT_FILES.includes(test)
  return {
    mirror: all.filter(([, place]) => place === 'mirror').length,
    ofSrc: all.filter(([, place]) => place !== 'other kind').length,
    ofUnitAndSlow: all.filter(([test]) => !isElsewhere(test)).length,
  }
}

/** Sources of many lines, without comments and imports, that no test has the path of. */
export function sourcesWithoutTest(
  sources: readonly { readonly path: string; readonly text: string }[],
  tests: readonly string[],
  moreThan: number,
): readonly string[] {
  const mirrored = new Set(tests.flatMap(sourceOf))
  return sources.flatMap(({ path, text }) => {
    const code = text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|^import [\s\S]*? from .*$/gm, '')
    const lines = code.split('\n').filter((line) => line.trim() !== '').length
    return lines > moreThan && !mirrored.has(withoutExtension(path)) ? [`${path} (${lines})`] : []
  })
}
