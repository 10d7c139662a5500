import type { Online } from 'capstan'
import type { Readable } from '../store.ts'
import { createStore } from '../store.ts'

/** A body that is being read, as far as faults are concerned. */
export interface OpenConnection {
  /** Resolves at once, or when silence ends. */
  speaking(): Promise<void>
  close(): void
}

/** Faults on this side of the network: they work for any address, however far the agent is. */
export interface PageNetwork {
  /** What the client is told about the network. */
  readonly online: Online
  readonly offline: Readable<boolean>
  /** No network for this page: open connections break and new requests fail, until it is taken back. */
  setOffline(offline: boolean): void
  /** Open connections say nothing more, or continue with what was held back. */
  setSilent(silent: boolean): void
  /** Breaks every open connection. */
  drop(): void
  /** Registers a body; `onBreak` is called when it has to break. */
  enter(onBreak: () => void): OpenConnection
}

interface Held {
  readonly onBreak: () => void
  silent: boolean
  wake: () => void
}

export function createPageNetwork(system: Online): PageNetwork {
  const offline = createStore(false)
  const open = new Set<Held>()

  const leave = (connection: Held): void => {
    open.delete(connection)
    connection.silent = false
    connection.wake()
  }

  const drop = (): void => {
    for (const connection of [...open]) {
      leave(connection)
      connection.onBreak()
    }
  }

  return {
    offline,
    online: {
      isOnline: () => !offline.get() && system.isOnline(),
      subscribe(listener) {
        const stops = [offline.subscribe(listener), system.subscribe(listener)]
        return () => {
          for (const stop of stops) stop()
        }
      },
    },
    setOffline(next) {
      offline.set(next)
      if (next) drop()
    },
    setSilent(next) {
      for (const connection of open) {
        connection.silent = next
        if (!next) connection.wake()
      }
    },
    drop,
    enter(onBreak) {
      const connection: Held = { onBreak, silent: false, wake: () => {} }
      open.add(connection)
      return {
        async speaking() {
          if (!connection.silent) return
          await new Promise<void>((resolve) => {
            connection.wake = resolve
          })
        },
        close: () => leave(connection),
      }
    },
  }
}
