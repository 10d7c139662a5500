import { loadOnDemand } from './load-on-demand.ts'
import type { rarePackets } from './rare-packets.ts'

export type RarePackets = typeof rarePackets

let loaded: RarePackets | undefined

/** Loads what reads rare packets. @throws CapError `network_error` */
export async function loadRarePackets(): Promise<RarePackets> {
  return (loaded ??= (await loadOnDemand(() => import('./rare-packets.ts'))).rarePackets)
}
