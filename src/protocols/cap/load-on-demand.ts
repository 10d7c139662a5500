import { loadModule } from '../../seam/load-module.ts'
import { createCapError } from './errors.ts'
import type { rarePackets } from './rare-packets.ts'
import type { rareRequests } from './rare-requests.ts'

export type RarePackets = typeof rarePackets
type RareRequests = typeof rareRequests

let loadedPackets: RarePackets | undefined
let loadedRequests: RareRequests | undefined

/** Loads what reads rare packets. @throws CapError `network_error` */
export async function loadRarePackets(): Promise<RarePackets> {
  return (loadedPackets ??= (await loadOnDemand(() => import('./rare-packets.ts'))).rarePackets)
}

/** Loads what sends rare requests. @throws CapError `network_error` */
export async function loadRareRequests(): Promise<RareRequests> {
  return (loadedRequests ??= await loadOnDemand((await loadRarePackets()).loadRequests))
}

/** A module that not every answer needs. A load that failed is tried again at the next call. @throws CapError `network_error` */
export function loadOnDemand<Module>(load: () => Promise<Module>): Promise<Module> {
  return loadModule(load, createCapError)
}
