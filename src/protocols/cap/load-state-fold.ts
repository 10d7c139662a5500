import type { createStateFold } from './state-fold.ts'
import { createCapError, NOT_LOADED } from './errors.ts'

/** What the module of the shared state exports. */
interface StateFoldModule {
  readonly createStateFold: typeof createStateFold
}

/** What reads the shared state is loaded with its first event: most agents send none. */
export async function loadStateFold(): Promise<StateFoldModule> {
  return import('./state-fold.ts').catch((cause: unknown) => {
    throw createCapError({ ...NOT_LOADED, cause })
  })
}
