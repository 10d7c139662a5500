import type { VirtualTime } from '../../storage/model/virtual-time.ts'
import type { Impostor } from './impostors.ts'

/** How long the network of all pages fails, and how: no connection at all, or a gateway that answers in place of the agent. */
export interface Outage {
  readonly how: 'refused' | Impostor
  /** Streams only, or commands too. */
  readonly what: 'streams' | 'all'
  readonly ms: number
}

/** The outages of a schedule, one at a time: a new one replaces the one before. */
export interface Outages {
  begin(outage: Outage): void
  /** What answers a request now in place of the agent. Undefined: nothing does. */
  instead(request: 'stream' | 'command'): Outage['how'] | undefined
  heal(): void
}

export function createOutages(time: VirtualTime): Outages {
  let current: Outage | undefined
  return {
    begin(outage) {
      current = outage
      time.after(outage.ms, () => {
        if (current === outage) current = undefined
      })
    },
    instead: (request) => (request === 'stream' || current?.what === 'all' ? current?.how : undefined),
    heal() {
      current = undefined
    },
  }
}
