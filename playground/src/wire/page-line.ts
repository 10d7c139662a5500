import type { Online } from 'capstan'
import type { Readable } from '../store.ts'
import { createStore } from '../store.ts'

/** A body that is being read, as far as faults are concerned. */
export interface OpenLine {
  /** Resolves at once, or when silence ends. */
  speaking(): Promise<void>
  close(): void
}

/** Faults on this side of the network: they work for any address, however far the agent is. */
export interface PageLine {
  /** What the client is told about the network. */
  readonly online: Online
  readonly offline: Readable<boolean>
  /** No network for this page: open lines break and new requests fail, until it is taken back. */
  setOffline(offline: boolean): void
  /** Open lines say nothing more, or go on with what was held back. */
  setSilent(silent: boolean): void
  /** Breaks every open line. */
  drop(): void
  /** Registers a body; `onBreak` is called when it has to break. */
  enter(onBreak: () => void): OpenLine
}

interface Held {
  readonly onBreak: () => void
  silent: boolean
  wake: () => void
}

export function createPageLine(system: Online): PageLine {
  const offline = createStore(false)
  const open = new Set<Held>()

  const leave = (line: Held): void => {
    open.delete(line)
    line.silent = false
    line.wake()
  }

  const drop = (): void => {
    for (const line of [...open]) {
      leave(line)
      line.onBreak()
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
      for (const line of open) {
        line.silent = next
        if (!next) line.wake()
      }
    },
    drop,
    enter(onBreak) {
      const line: Held = { onBreak, silent: false, wake: () => {} }
      open.add(line)
      return {
        async speaking() {
          if (!line.silent) return
          await new Promise<void>((resolve) => {
            line.wake = resolve
          })
        },
        close: () => leave(line),
      }
    },
  }
}
