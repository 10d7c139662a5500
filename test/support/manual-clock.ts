import { loadRarePackets } from '../../src/protocols/cap/load-rare-packets.ts'

export type { ManualClock } from '../../src/testing/manual-clock.ts'
export { manualClock as createManualClock } from '../../src/testing/manual-clock.ts'
export { settle } from '../../src/testing/settle.ts'

// Loaded on demand; loaded before, nothing but promises and the clock remains.
await loadRarePackets()
