import { loadModule } from '../../seam/load-module.ts'
import { createArcpError } from './errors.ts'

/** A module that not every page needs. A load that failed is tried again at the next call. @throws ArcpError `network_error` */
export function loadOnDemand<Module>(load: () => Promise<Module>): Promise<Module> {
  return loadModule(load, createArcpError)
}
