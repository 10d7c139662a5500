import { useEffect, useState, useSyncExternalStore } from 'react'

/** A value to read and to follow. */
export interface Readable<Value> {
  get(): Value
  subscribe(listener: () => void): () => void
}

export interface Store<Value> extends Readable<Value> {
  set(value: Value): void
}

export function createStore<Value>(initial: Value): Store<Value> {
  const listeners = new Set<() => void>()
  let value = initial
  return {
    get: () => value,
    set(next) {
      if (Object.is(value, next)) return
      value = next
      for (const listener of [...listeners]) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The value of a store, rendered again when it changes. */
export function useStore<Value>(store: Readable<Value>): Value {
  return useSyncExternalStore(store.subscribe, store.get)
}

/** The value of a store that changes with every frame, rendered again at most every `everyMs` milliseconds. */
export function useStoreSlowly<Value>(store: Readable<Value>, everyMs: number): Value {
  const [value, setValue] = useState(store.get)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const wait = (): void => {
      if (timer !== undefined) return
      timer = setTimeout(() => {
        timer = undefined
        setValue(store.get())
      }, everyMs)
    }
    // What changed before this effect is read as well.
    wait()
    const stop = store.subscribe(wait)
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [store, everyMs])
  return value
}
