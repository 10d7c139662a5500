import { createCapError } from './errors.ts'

const NOT_LOADED = {
  kind: 'connection',
  code: 'network_error',
  severity: 'TRANSIENT',
  message: 'A module of capstan that is loaded on demand could not be loaded.',
} as const

/** A module that not every answer needs. A load that failed is tried again at the next call. @throws CapError `network_error` */
export async function loadOnDemand<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (cause) {
    throw createCapError({ ...NOT_LOADED, cause })
  }
}
