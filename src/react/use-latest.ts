'use client'
import type { RefObject } from 'react'
import { useInsertionEffect, useRef } from 'react'

/**
 * The value of the newest committed render, for code that runs later: it avoids stale closures, and effects that
 * restart when the value changes.
 */
export function useLatest<Value>(value: Value): RefObject<Value> {
  const latest = useRef(value)
  // Before any other effect of the same commit, and silent on the server.
  useInsertionEffect(() => {
    latest.current = value
  })
  return latest
}
