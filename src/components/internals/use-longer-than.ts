'use client'
import { useEffect, useState } from 'react'

/** True once `active` has held without a break for `ms` milliseconds: blinks stay unseen. */
export function useLongerThan(active: boolean, ms: number): boolean {
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (!active) return
    const timer = setTimeout(() => setHeld(true), ms)
    return () => {
      clearTimeout(timer)
      setHeld(false)
    }
  }, [active, ms])
  return active && held
}
