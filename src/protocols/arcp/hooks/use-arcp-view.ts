'use client'
import { useState, useSyncExternalStore } from 'react'
import type { ArcpClient } from '../client/arcp-client.ts'
import type { ArcpView } from './arcp-store.ts'
import { storeOf } from './arcp-store.ts'

/** Gives the old object back for an equal new one, so that React sees no change. */
function createKeeper<Value>(): (value: Value, isEqual: (left: Value, right: Value) => boolean) => Value {
  let last: { readonly value: Value } | undefined
  return (value, isEqual) => {
    if (last === undefined || !isEqual(last.value, value)) last = { value }
    return last.value
  }
}

/** A slice of what is known of a client. The component renders again only when the selected value changes. */
export function useArcpView<Value>(
  client: ArcpClient,
  selector: (view: ArcpView) => Value,
  isEqual: (left: Value, right: Value) => boolean = Object.is,
): Value {
  const store = storeOf(client)
  const [keep] = useState(() => createKeeper<Value>())
  return useSyncExternalStore(
    store.subscribe,
    () => keep(selector(store.getSnapshot()), isEqual),
    () => keep(selector(store.getServerSnapshot()), isEqual),
  )
}

/** Whether two lists have the same items. */
export function hasSameItems<Item>(left: readonly Item[], right: readonly Item[]): boolean {
  return left.length === right.length && left.every((item, index) => item === right[index])
}
