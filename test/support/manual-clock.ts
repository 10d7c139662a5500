import { loadRarePackets } from '../../src/protocols/cap/load-on-demand.ts'

export { type ManualClock, manualClock as createManualClock, settle } from '../../src/testing/manual-clock.ts'

// Loaded on demand; loaded before, nothing but promises and the clock remains.
await loadRarePackets()
