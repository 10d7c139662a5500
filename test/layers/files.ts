import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { SourceFile } from './rules.ts'

/** The root of the repository, with a slash at its end. Not made with `URL`, which in jsdom is not that of Node. */
export const ROOT = `${resolve(import.meta.dirname, '../..')}/`

/** What is made by tools and never committed. In a worktree of git, `.git` is a file. */
const MADE = ['.git', 'node_modules', 'dist', 'coverage', 'test-results', 'storybook-static', '.next']

/** All text files below a folder of the repository, by their path below it. */
export function readTree(folder: string): SourceFile[] {
  const files: SourceFile[] = []
  const walk = (below: string): void => {
    for (const entry of readdirSync(ROOT + folder + below, { withFileTypes: true })) {
      const path = below + entry.name
      if (MADE.includes(entry.name)) continue
      if (entry.isDirectory()) walk(`${path}/`)
      else if (entry.isFile()) {
        const text = readFileSync(ROOT + folder + path, 'utf8')
        if (!text.includes('\0')) files.push({ path, text })
      }
    }
  }
  walk('')
  return files
}

/** The repository's package.json, as far as the tests read it. */
export interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>
  readonly browser: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

export function readManifest(): Manifest {
  // JSON.parse gives `any`; npm itself has read this file before any test runs.
  return JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as Manifest
}
