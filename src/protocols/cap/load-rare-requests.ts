import { loadOnDemand } from './load-on-demand.ts'
import { loadRarePackets } from './load-rare-packets.ts'
import type { rareRequests } from './rare-requests.ts'

type RareRequests = typeof rareRequests

let loaded: RareRequests | undefined

/** Loads what sends rare requests. A load that failed is tried again at the next call. @throws CapError `network_error` */
export async function loadRareRequests(): Promise<RareRequests> {
  if (loaded !== undefined) return loaded
  const { loadRequests } = await loadRarePackets()
  return (loaded = await loadOnDemand(loadRequests))
}
