import { beforeEach } from 'vitest'

// A module that several tests import, with its own hook. What is on `globalThis` lives as long as the worker.
declare global {
  var workerCaseLog: string[] | undefined
}

export const log = (globalThis.workerCaseLog ??= [])

let files = 0

/** How many files this copy of the module has seen. */
export function countFiles(): number {
  files += 1
  return files
}

beforeEach(() => {
  log.push('hook')
})
