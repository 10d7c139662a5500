export type { ManualClock } from '../../src/testing/manual-clock.ts'
export { manualClock as createManualClock } from '../../src/testing/manual-clock.ts'
export { settle } from '../../src/testing/settle.ts'
