import { loadModule } from '../../seam/load-module.ts'
import { createCapError } from './errors.ts'

/** A module that not every answer needs. A load that failed is tried again at the next call. @throws CapError `network_error` */
export function loadOnDemand<Module>(load: () => Promise<Module>): Promise<Module> {
  return loadModule(load, createCapError)
}
