import { loadOnDemand } from './load-on-demand.ts'
import type { rarePackets } from './rare-packets.ts'

let loaded: typeof rarePackets | undefined

/** Loads what reads rare packets. @throws CapError `network_error` */
export async function loadRarePackets(): Promise<typeof rarePackets> {
  return (loaded ??= (await loadOnDemand(() => import('./rare-packets.ts'))).rarePackets)
}
