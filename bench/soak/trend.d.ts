/** What test/bench knows of the verdict of a soak. */
export interface Sample {
  /** Milliseconds since the soak began. */
  readonly atMs: number
  /** In bytes. */
  readonly heap: number
  readonly counts: Readonly<Record<string, number>>
}

export const MOST_MB_PER_HOUR: number
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number
export function isGrowing(values: readonly number[]): boolean
export function judge(samples: readonly Sample[]): {
  readonly mbPerHour: number
  readonly growing: readonly string[]
  readonly samples: number
  readonly passed: boolean
}
