import { useSyncExternalStore } from 'react'

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
