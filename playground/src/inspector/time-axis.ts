/** Time axis, with the places that get a figure. */
export interface TimeAxis {
  /** Milliseconds the whole width stands for. */
  readonly span: number
  readonly left: number
  readonly right: number
  /** Where a moment is, in pixels. */
  x(at: number): number
  readonly figures: readonly { readonly x: number; readonly text: string }[]
}

const LEAST_SPAN = 2_000
const STEPS = [200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000, 120_000, 300_000, 600_000]
/** Space a figure needs. */
const FIGURE = 56

/** Fits `ms` between two edges. The span grows in steps, so that nothing slides while time goes by. */
export function timeAxis(ms: number, left: number, right: number): TimeAxis {
  const width = Math.max(1, right - left)
  const wanted = Math.max(LEAST_SPAN, ms)
  const step =
    STEPS.find((each) => (wanted / each) * FIGURE <= width) ?? wanted / Math.max(1, Math.floor(width / FIGURE))
  const span = Math.ceil(wanted / step) * step
  const x = (at: number): number => Math.round((left + (at / span) * width) * 10) / 10
  const figures = Array.from({ length: Math.floor(span / step) + 1 }, (_, index) => ({
    x: x(index * step),
    text: timeLabel(index * step, step),
  }))
  return { span, left, right, x, figures }
}

function timeLabel(at: number, step: number): string {
  if (step >= 60_000) return `${at / 60_000} min`
  return `${(at / 1000).toFixed(step < 1_000 ? 1 : 0)} s`
}
