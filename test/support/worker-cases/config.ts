import { defineConfig } from 'vitest/config'

/** What the project `unit` has, for the cases next to it. */
export default defineConfig({
  test: {
    name: 'cases',
    cache: false,
    root: import.meta.dirname,
    include: ['*.case.ts'],
    environment: 'node',
    pool: 'threads',
    maxWorkers: 1,
    isolate: false,
    setupFiles: ['../clean-up.ts'],
  },
})
