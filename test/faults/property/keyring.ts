import type { CredentialContext } from '../../../src/wire/credential.ts'
import type { Act } from './schedule.ts'
import type { VirtualServer } from './virtual-server.ts'

type Refresh = (Act & { type: 'expire' })['refresh']

/** The keys of the app under test: how the next refresh goes is up to the schedule, those after it work. */
export interface Keyring {
  apiKey(context: CredentialContext): Promise<string>
  /** The key is worth nothing from now on. */
  expire(refresh: Refresh): void
  readonly refreshes: number
}

const SLOW_MS = 400

export function createKeyring(server: VirtualServer, wait: (ms: number) => Promise<void>): Keyring {
  let held = server.key
  let next: Refresh = 'works'
  let refreshes = 0
  return {
    async apiKey({ rejected }) {
      if (rejected === undefined) return held
      refreshes += 1
      const how = next
      next = 'works'
      if (how === 'slow') await wait(SLOW_MS)
      if (how === 'throws') throw new Error('the key server is down')
      if (how !== 'same') held = server.key
      return held
    },
    expire(refresh) {
      server.expireKey()
      next = refresh
    },
    get refreshes() {
      return refreshes
    },
  }
}
