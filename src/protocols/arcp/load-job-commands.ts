import { createArcpError } from './errors.ts'
import type { sendJobCommand } from './job-commands.ts'

/** What the module of commands exports. */
interface JobCommands {
  readonly sendJobCommand: typeof sendJobCommand
}

const NOT_LOADED = {
  kind: 'connection',
  code: 'network_error',
  severity: 'TRANSIENT',
  message: 'A module of capstan that is loaded on demand could not be loaded.',
} as const

let loaded: JobCommands | undefined

/** Loaded on demand: many jobs are never stopped and ask nothing. A load that failed is tried again at the next call. */
export async function loadJobCommands(): Promise<JobCommands> {
  try {
    return (loaded ??= await import('./job-commands.ts'))
  } catch (cause) {
    throw createArcpError({ ...NOT_LOADED, cause })
  }
}
