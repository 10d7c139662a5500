import type { rarePackets } from './rare-packets.ts'
import { loadModule } from '../../seam/load-module.ts'
import { createCapError } from './errors.ts'
import type { rareRequests } from './rare-requests.ts'

export type RarePackets = typeof rarePackets

let loaded: RarePackets | undefined

/** Loads what reads rare packets. @throws CapError `network_error` */
export async function loadRarePackets(): Promise<RarePackets> {
  return (loaded ??= (await loadOnDemand(() => import('./rare-packets.ts'))).rarePackets)
}

/** A module that not every answer needs. A load that failed is tried again at the next call. @throws CapError `network_error` */
export function loadOnDemand<Module>(load: () => Promise<Module>): Promise<Module> {
  return loadModule(load, createCapError)
}

type RareRequests = typeof rareRequests

let loadedRequests: RareRequests | undefined

/** Loads what sends rare requests. A load that failed is tried again at the next call. @throws CapError `network_error` */
export async function loadRareRequests(): Promise<RareRequests> {
  if (loadedRequests !== undefined) return loadedRequests
  const { loadRequests } = await loadRarePackets()
  return (loadedRequests = await loadOnDemand(loadRequests))
}
