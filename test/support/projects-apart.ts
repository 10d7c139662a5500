import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProjectInlineConfiguration } from 'vitest/config'

type Project = TestProjectInlineConfiguration

/** Whether something is in the packages of a folder of tests. @param name a package. Absent: anything */
function isInstalled(folder: string, name = ''): boolean {
  return existsSync(join(import.meta.dirname, '..', folder, 'node_modules', name))
}

/** Tests with their own packages: an agent beside the AI SDK, the helpers of models, the client beside servers of AG-UI. */
export function apart(folder: string, name: string, unit: Project): Project {
  return { test: { ...unit.test, name, include: [`test/${folder}/*.test.ts`], exclude: ['**/node_modules/**'] } }
}

/** A project beside packages with a folder and their own lock: left out where a developer has none, an error where CI has none. */
export function withPackages(project: Project, folder: string, name: string): readonly Project[] {
  if (isInstalled(folder, name)) return [project]
  if (process.env['CI']) throw new Error(`CI is set and ${name} is not installed: npm ci --prefix test/${folder}`)
  console.log(`${name} is not installed (npm run test:${folder} does that): the tests in test/${folder} are left out.`)
  return []
}

/**
 * Projects with hundreds of packages each, or with those of another language: only where somebody has asked for them, as by
 * `npm run test:mastra`.
 */
export function whereInstalled(folders: readonly string[], unit: Project): readonly Project[] {
  return folders
    .filter((folder) => isInstalled(folder) || hasPython(folder))
    .map((folder) => apart(folder, `unit ${folder}`, unit))
}

/** Whether there is a Python for the tests in a folder: one that a variable names, or one of their own. */
function hasPython(folder: string): boolean {
  const named = process.env[`${folder.toUpperCase()}_PYTHON`] !== undefined
  return named || existsSync(join(import.meta.dirname, '..', folder, '.venv'))
}
