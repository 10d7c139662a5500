import type { RareMessages } from './rare-messages.ts'
import { loadModule } from '../../seam/load-module.ts'
import { createArcpError } from './errors.ts'

let loaded: RareMessages | undefined

/** Loads what reads messages of rare types. @throws ArcpError `network_error` */
export async function loadRareMessages(): Promise<RareMessages> {
  return (loaded ??= (await loadOnDemand(() => import('./rare-messages.ts'))).rareMessages)
}

/** Undefined before it was loaded: no message of a rare type was read. */
export function loadedRareMessages(): RareMessages | undefined {
  return loaded
}

/** A module that not every page needs. A load that failed is tried again at the next call. @throws ArcpError `network_error` */
export function loadOnDemand<Module>(load: () => Promise<Module>): Promise<Module> {
  return loadModule(load, createArcpError)
}
