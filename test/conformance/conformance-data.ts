import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** Reads a file of reference data that lives beside the project, or says in one line that it is not there. */
export function loadConformance<T>(name: string): T | undefined {
  const file = resolve(import.meta.dirname, '../../../shared/conformance', name)
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as T // a data file of known shape
  console.warn(`conformance: ${name} is not in ../shared/conformance, its tests are skipped`)
  return undefined
}
