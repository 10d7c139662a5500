import type { Browser } from 'playwright'
import type { Sample } from './trend.js'

/** What test/e2e knows of the soak of a page. */
export interface BrowserSoak {
  readonly samples: readonly Sample[]
  /** What the page threw, and the beginnings of answers that were not whole. */
  readonly problems: readonly string[]
  readonly done: Readonly<
    Record<
      | 'rounds'
      | 'whole'
      | 'wrong'
      | 'switched'
      | 'unmounted'
      | 'stopped'
      | 'removed'
      | 'runs'
      | 'connections'
      | 'cuts'
      | 'open',
      number
    >
  >
}

export const CYCLE: number
export function soakBrowser(options: {
  readonly browser: Browser
  readonly roundsPerSample: number
  readonly isOver: (rounds: number) => boolean
  readonly onSample?: (sample: Sample) => Promise<void>
}): Promise<BrowserSoak>
