import type { sendJobCommand } from './job-commands.ts'
import { loadOnDemand } from './load-on-demand.ts'

/** What the module of commands exports. */
interface JobCommands {
  readonly sendJobCommand: typeof sendJobCommand
}

let loaded: JobCommands | undefined

/** Loaded on demand: many jobs are never stopped and ask nothing. */
export async function loadJobCommands(): Promise<JobCommands> {
  return (loaded ??= await loadOnDemand(() => import('./job-commands.ts')))
}
