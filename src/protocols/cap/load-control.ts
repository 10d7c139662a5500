import type { controlBody, controlUrl, toCommandResult } from './control-request.ts'

/** What the module of commands exports. */
interface ControlModule {
  readonly controlBody: typeof controlBody
  readonly controlUrl: typeof controlUrl
  readonly toCommandResult: typeof toCommandResult
}

let loaded: ControlModule | undefined

/** What sends commands is loaded for servers that take some. A load that failed is tried again at the next call. */
export async function loadControl(): Promise<ControlModule> {
  return (loaded ??= await import('./control-request.ts'))
}
