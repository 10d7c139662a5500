import { loadOnDemand } from './load-on-demand.ts'
import type { RareMessages } from './rare-messages.ts'

let loaded: RareMessages | undefined

/** Loads what reads messages of rare types. @throws ArcpError `network_error` */
export async function loadRareMessages(): Promise<RareMessages> {
  return (loaded ??= (await loadOnDemand(() => import('./rare-messages.ts'))).rareMessages)
}

/** Undefined before it was loaded: no message of a rare type was read. */
export function loadedRareMessages(): RareMessages | undefined {
  return loaded
}
