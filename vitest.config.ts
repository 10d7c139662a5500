import { existsSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { CHROMIUM_ARGS, findChromium } from './test/e2e/chromium.ts'
import { storiesProject } from './test/stories/stories-project.ts'
import { EnvironmentSequencer } from './test/support/environment-sequencer.ts'
import { apart, whereInstalled, withPackages } from './test/support/projects-apart.ts'
import { EXCLUDED, EXHAUSTIVE, SLOW, WHOLE_APPS } from './test/support/slow-tests.ts'

/** Some tests need a real browser: left out where a developer has none, an error where CI has none. */
function withBrowser(chromium: string | undefined): readonly TestProjectInlineConfiguration[] {
  if (chromium !== undefined)
    return [
      e2e,
      examples,
      browser(chromium),
      ...(hasMinimum() ? [minimumBrowser(chromium)] : []),
      ...(mayRun('stories') ? [storiesProject(chromium)] : []),
    ]
  if (process.env['CI'])
    throw new Error('CI is set and no Chromium was found: install it, or name it in CHROMIUM_PATH.')
  console.log('No Chromium found (see CHROMIUM_PATH): the tests in a browser are left out.')
  return []
}

/** Whether the command line asks for a project: one that loads slowly is left out where others are named. */
function mayRun(project: string): boolean {
  const named = process.argv.flatMap((word, at, words) =>
    word === '--project'
      ? [words[at + 1] ?? '']
      : word.startsWith('--project=')
        ? [word.slice('--project='.length)]
        : [],
  )
  return named.length === 0 || named.some((name) => name.startsWith(project) || name.includes('*'))
}

/** What is polled may take long: only a hang is a failure, and how long a busy machine takes says nothing. */
const expect = { poll: { timeout: 20_000 } }

/** Two workers: machines of two cores are what CI has, and vitest alone would take one of them. */
const node = { environment: 'node', pool: 'threads', maxWorkers: 2, expect } as const

const unit: TestProjectInlineConfiguration = {
  // The page of the playground imports what a user of the package imports: from the sources, so that no build is needed.
  resolve: { alias: [{ find: /^capstan\/([\w-]+)$/, replacement: `${import.meta.dirname}/src/$1.ts` }] },
  test: {
    name: 'unit',
    ...node,
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: [...EXCLUDED, ...EXHAUSTIVE],
    // Half of the time went into loading React and jsdom for each file. The setup file resets the modules for each.
    isolate: false,
    setupFiles: ['test/support/clean-up.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
}

/** Unit tests as well, apart so that `npm run test:unit` gives an answer within a minute. */
const slow: TestProjectInlineConfiguration = {
  ...unit,
  test: { ...unit.test, name: 'slow', include: [...SLOW, ...EXHAUSTIVE], exclude: ['**/node_modules/**'] },
}

const REACT_18 = `${import.meta.dirname}/test/react-18/node_modules`

/** The same on the oldest React that is supported, with copies of what must find that one: `npm ci --prefix test/react-18` installs them. */
const react18: TestProjectInlineConfiguration = {
  resolve: {
    alias: ['react', 'react-dom', '@testing-library/react', '@tanstack/react-query', '@tanstack/react-virtual'].map(
      (name) => ({
        find: new RegExp(`^${name}(?=/|$)`),
        replacement: `${REACT_18}/${name}`,
      }),
    ),
  },
  test: {
    ...unit.test,
    name: 'unit react 18',
    include: [
      'test/{components.hydration,components.parts,components.refs,locales}.test.tsx',
      'test/{base,react,components,integration,query,storage,markdown,protocols/*/{client,hooks}}/**/*.test.tsx',
    ],
    // Storybook makes its stories with the React that it finds itself.
    exclude: [...EXCLUDED, 'test/components/**/*.stories.test.tsx'],
    setupFiles: ['test/support/clean-up.ts', 'test/react-18/setup.ts'],
  },
}

const MINIMUM = `${import.meta.dirname}/test/minimum/node_modules`

/** The lowest versions that package.json allows of its dependencies: `npm ci --prefix test/minimum` installs them. */
const LOWEST = ['@cfworker/json-schema', '@tanstack/react-virtual', 'idb', 'immutable-json-patch', 'jose', 'zod']
const minimumVersions = LOWEST.map((name) => ({
  find: new RegExp(`^${name}(?=/|$)`),
  replacement: `${MINIMUM}/${name}`,
}))

/** The tests that use a dependency, on its lowest version. */
const minimum: TestProjectInlineConfiguration = {
  resolve: { alias: minimumVersions },
  test: {
    ...unit.test,
    name: 'unit minimum versions',
    exclude: EXCLUDED,
    include: [
      'test/{seam,protocols,storage,wire,components/schema-form}/**/*.test.{ts,tsx}',
      'test/{conformance/{cap,sse}*,base/json-patch}.test.ts',
    ],
  },
}

/** Whether they are installed, as CI demands it. */
function hasMinimum(): boolean {
  if (existsSync(`${MINIMUM}/zod`)) return true
  if (process.env['CI'])
    throw new Error('CI is set and the lowest versions are not installed: npm ci --prefix test/minimum')
  console.log('The lowest versions are not installed (npm run test:minimum does that): the tests on them are left out.')
  return false
}

/** Reads dist, so it needs `npm run build` first; `npm test` does that. */
const built: TestProjectInlineConfiguration = {
  test: {
    name: 'package',
    ...node,
    include: ['test/package.test.ts', 'test/package/**/*.test.ts', 'test/size.test.ts', 'test/docs/**/*.test.{ts,tsx}'],
    exclude: WHOLE_APPS,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    sequence: { groupOrder: 1 },
  },
}

const e2e: TestProjectInlineConfiguration = {
  test: {
    name: 'e2e',
    ...node,
    include: ['test/e2e/**/*.test.ts', 'test/stories/built.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    sequence: { groupOrder: 2 },
  },
}

/** Apps that install the package from its tarball, as people do: they need a registry, and `npm run build` first. */
const examples: TestProjectInlineConfiguration = {
  test: {
    name: 'examples',
    ...node,
    include: WHOLE_APPS,
    testTimeout: 120_000,
    hookTimeout: 300_000,
    // Beside the tests that mostly wait for a line.
    sequence: { groupOrder: 2 },
  },
}

/** Components in a page of their own: layout, scrolling, focus and keys as a browser does them. */
function browser(executablePath: string): TestProjectInlineConfiguration {
  return {
    plugins: [react()],
    // Found while a test runs, they would make it start again.
    optimizeDeps: {
      include: [
        '@tanstack/react-virtual',
        'zod/mini',
        'katex',
        ...['core', 'engine/javascript', 'langs/python.mjs', 'langs/typescript.mjs'].map((path) => `shiki/${path}`),
      ],
    },
    test: {
      name: 'browser',
      expect,
      include: ['test/browser/**/*.test.{ts,tsx}'],
      setupFiles: ['test/browser/load-engine.ts'],
      fileParallelism: false,
      testTimeout: 60_000,
      sequence: { groupOrder: 3 },
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        provider: playwright({ launchOptions: { executablePath, args: CHROMIUM_ARGS } }),
        instances: [{ browser: 'chromium', viewport: { width: 1280, height: 800 } }],
      },
    },
  }
}

/** The window of a long thread on the lowest version of its virtualiser. What Vite prepares for it lies beside that version. */
function minimumBrowser(executablePath: string): TestProjectInlineConfiguration {
  const { test, ...rest } = browser(executablePath)
  return {
    ...rest,
    resolve: { alias: minimumVersions },
    cacheDir: `${MINIMUM}/.vite`,
    test: { ...test, name: 'browser minimum versions', include: ['test/browser/message-list-window.test.tsx'] },
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: EnvironmentSequencer },
    projects: [
      ...[unit, slow],
      ...withPackages(react18, 'react-18', 'react'),
      ...(hasMinimum() ? [minimum] : []),
      ...withPackages(apart('ai-sdk', 'unit ai sdk', unit), 'ai-sdk', 'ai-7'),
      ...withPackages(apart('models', 'unit models', unit), 'models', 'openai'),
      ...withPackages(apart('ag-ui', 'unit ag-ui', unit), 'ag-ui', '@tanstack/ai'),
      ...withPackages(apart('runtimes', 'unit runtimes', unit), 'runtimes', 'miniflare'),
      ...whereInstalled(['mastra', 'copilotkit', 'pydantic'], unit),
      built,
      ...withBrowser(findChromium()),
    ],
  },
})
