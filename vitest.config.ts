import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { findChromium } from './test/e2e/chromium.ts'

/** End to end needs a real browser: left out where a developer has none, an error where CI has none. */
function hasBrowser(): boolean {
  if (findChromium() !== undefined) return true
  if (process.env['CI']) throw new Error('CI is set and no Chromium was found: install it, or name it in CHROMIUM_PATH.')
  console.log('No Chromium found (see CHROMIUM_PATH): the end-to-end tests are left out.')
  return false
}

const unit: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: 'unit',
    environment: 'node',
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: ['test/package.test.ts', 'test/e2e/**'],
  },
}

/** Reads dist, so it needs `npm run build` first; `npm test` does that. */
const built: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: 'package',
    environment: 'node',
    include: ['test/package.test.ts'],
    testTimeout: 120_000,
    sequence: { groupOrder: 1 },
  },
}

const e2e: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: 'e2e',
    environment: 'node',
    include: ['test/e2e/**/*.e2e.test.ts'],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    sequence: { groupOrder: 2 },
  },
}

export default defineConfig({
  test: {
    pool: 'threads',
    maxWorkers: 2,
    projects: hasBrowser() ? [unit, built, e2e] : [unit, built],
  },
})
