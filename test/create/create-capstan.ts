import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from '../layers/files.ts'

export const TEMPLATES = ['vite', 'next'] as const
export const AGENTS = ['echo', 'ai-sdk', 'openai'] as const

export interface Outcome {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the command as it is in the repository, without a terminal. */
export function createCapstan(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Outcome {
  return spawnSync(process.execPath, [join(ROOT, 'create-capstan', 'bin.js'), ...args], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
}
