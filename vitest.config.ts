import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { findChromium } from './test/e2e/chromium.ts'

/** End to end needs a real browser: left out where a developer has none, an error where CI has none. */
function hasBrowser(): boolean {
  if (findChromium() !== undefined) return true
  if (process.env['CI']) throw new Error('CI is set and no Chromium was found: install it, or name it in CHROMIUM_PATH.')
  console.log('No Chromium found (see CHROMIUM_PATH): the end-to-end tests are left out.')
  return false
}

/** Two workers: machines of two cores are what CI has, and vitest alone would take one of them. */
const node = { environment: 'node', pool: 'threads', maxWorkers: 2 } as const

const unit: TestProjectInlineConfiguration = {
  test: {
    name: 'unit',
    ...node,
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: ['test/package.test.ts', 'test/size.test.ts', 'test/docs/**', 'test/e2e/**'],
    // Only a hang is a failure: how long a busy machine takes says nothing.
    testTimeout: 30_000,
  },
}

/** Reads dist, so it needs `npm run build` first; `npm test` does that. */
const built: TestProjectInlineConfiguration = {
  test: {
    name: 'package',
    ...node,
    include: ['test/package.test.ts', 'test/size.test.ts', 'test/docs/**/*.test.ts'],
    testTimeout: 120_000,
    sequence: { groupOrder: 1 },
  },
}

const e2e: TestProjectInlineConfiguration = {
  test: {
    name: 'e2e',
    ...node,
    maxWorkers: 1,
    include: ['test/e2e/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    sequence: { groupOrder: 2 },
  },
}

export default defineConfig({
  test: { projects: hasBrowser() ? [unit, built, e2e] : [unit, built] },
})
