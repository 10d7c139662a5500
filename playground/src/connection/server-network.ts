import type { NetworkCommand, NetworkShape, NetworkState } from '../../server/network/network-state.ts'
import type { Readable } from '../store.ts'
import { createStore } from '../store.ts'

/** The network as the server simulates it: the development server's `/__network`. */
export interface ServerNetwork {
  /** The shape as the server last told it; undefined while there is no such server. */
  readonly shape: Readable<NetworkShape | undefined>
  /** Asks whether it is there. */
  look(): Promise<void>
  /** False: it is not there or refused, so nothing happened. */
  command(command: NetworkCommand): Promise<boolean>
}

const ADDRESS = '/__network'

export function createServerNetwork(): ServerNetwork {
  const shape = createStore<NetworkShape | undefined>(undefined)

  async function call(init: RequestInit): Promise<boolean> {
    try {
      const response = await fetch(ADDRESS, { ...init, cache: 'no-store' })
      const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
      if (!response.ok || !isJson) return false
      // Our own server, typed by the same file.
      shape.set(((await response.json()) as NetworkState).shape)
      return true
    } catch {
      return false
    }
  }

  return {
    shape,
    async look() {
      if (!(await call({ method: 'GET' }))) shape.set(undefined)
    },
    command: (command) =>
      call({ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(command) }),
  }
}
