/**
 * What else than src the tests of a folder test, or of one file straight in test. Most mirror no source; those of another folder of
 * the repository, or of what tests share, may.
 */
const OTHER_KINDS: Readonly<Record<string, string>> = {
  'ag-ui': 'the client beside servers of AG-UI',
  'ai-sdk': 'an agent beside the AI SDK',
  bench: 'the measurements of bench',
  browser: 'components as a browser lays them out',
  conformance: 'the reference data',
  create: 'what npm create capstan makes',
  docs: 'the guides',
  e2e: 'whole pages',
  examples: 'the apps of examples',
  faults: 'the fault matrix and the random schedules',
  layers: 'the sources as text',
  copilotkit: 'the client of AG-UI, and an agent of capstan, on both sides of the runtime of CopilotKit',
  mastra: 'the client of AG-UI beside an agent of Mastra',
  models: 'the model helpers with the packages of vendors, and a database',
  package: 'what is published',
  'package.test.ts': 'what is published',
  pydantic: 'the client of AG-UI beside an agent of Pydantic AI',
  playground: 'the page of npm run dev',
  runtimes: 'the server in Bun, Deno and workerd',
  'size.test.ts': 'the size of the bundles',
  stories: 'the catalogue',
  support: 'what tests share',
}

/** Those of the kinds above whose files are all in another project than unit and slow. */
const OTHER_PROJECTS = [
  'ag-ui',
  'ai-sdk',
  'browser',
  'docs',
  'e2e',
  'copilotkit',
  'mastra',
  'models',
  'package',
  'package.test.ts',
  'pydantic',
  'runtimes',
  'size.test.ts',
]
const OTHER_PROJECT_FILES = [
  'create/projects.test.ts',
  'examples/next.test.ts',
  'examples/getting-started.test.ts',
  'stories/built.test.ts',
]

/** Tests of several units together, where no source owns what they do. */
const INTEGRATION = 'integration'

/** What to do about a test that is elsewhere. */
export const ORDER_OF_TESTS = `Each line names a test file that tests no source by its path. What to do:
- a test of src/<folder>/<name>.ts (.tsx, .css) is test/<folder>/<name>.test.ts (.tsx), or <name>.<aspect>.test.ts where one
  source has several themes: move it beside the tests of the source that owns the behaviour.
- several units together, and none owns it: test/${INTEGRATION}/<theme>.test.ts, which is rare.
- a test of playground/<path>.ts or bench/<path>.js: test/playground/<path>.test.ts, test/bench/<path>.test.ts; of a module of
  test: beside it.
- a test of something else than one source: a folder in OTHER_KINDS of test/layers/mirror.ts, with what it tests.`

/** `mirror` has the path of a source of src, `other mirror` that of another source of the repository. */
export type Place = 'mirror' | 'other mirror' | 'integration' | 'other kind' | 'nowhere'

/** The source that a test has the path of, without its extension. All paths are below test and src. */
function sourceOf(test: string): readonly string[] {
  const path = test.replace(/\.test\.tsx?$/, '')
  const whole = path.replace(/\.[a-z0-9-]+$/, '')
  return whole === path ? [path] : [path, whole]
}

const withoutExtension = (path: string): string => path.replace(/\.(tsx?|jsx?|css)$/, '')

/** Where each test file is. `tests` are paths below test, `sources` paths below src, `others` paths of other sources as tests have them. */
export function placesOf(
  tests: readonly string[],
  sources: readonly string[],
  others: readonly string[] = [],
): ReadonlyMap<string, Place> {
  const known = new Set(sources.map(withoutExtension))
  const otherKnown = new Set(others.map(withoutExtension))
  return new Map(
    tests.map((test): [string, Place] => {
      const [folder = ''] = test.split('/')
      if (folder === INTEGRATION) return [test, 'integration']
      const has = (paths: ReadonlySet<string>): boolean => sourceOf(test).some((path) => paths.has(path))
      if (folder in OTHER_KINDS) return [test, has(otherKnown) ? 'other mirror' : 'other kind']
      return [test, has(known) ? 'mirror' : 'nowhere']
    }),
  )
}

/** How many test files mirror a source: of those that test src, and of all files of the projects unit and slow. */
export function mirrorShares(places: ReadonlyMap<string, Place>): {
  /** They mirror a source of src. */
  mirror: number
  /** They test src. */
  ofSrc: number
  /** They mirror a source of src or another one of the repository. */
  anyMirror: number
  ofUnitAndSlow: number
} {
  const all = [...places].filter(([test]) => !isElsewhere(test))
  const count = (...kinds: readonly Place[]): number => all.filter(([, place]) => kinds.includes(place)).length
  return {
    mirror: count('mirror'),
    ofSrc: count('mirror', 'integration', 'nowhere'),
    anyMirror: count('mirror', 'other mirror'),
    ofUnitAndSlow: all.length,
  }
}

function isElsewhere(test: string): boolean {
  return OTHER_PROJECTS.includes(test.split('/')[0] ?? '') || OTHER_PROJECT_FILES.includes(test)
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
