import type { Pace } from '../../playground/server/pace.ts'

/** No waiting at all, and always the same. */
export const instantPace: Pace = { deltaMs: 0, jitterMs: 0, stepMs: 0, random: () => 0.5 }
