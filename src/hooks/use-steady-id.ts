'use client'
import type { RefObject } from 'react'
import { useEffect, useReducer, useRef } from 'react'

/** Replaced by bundlers; absent on a page without one. */
declare const process: { readonly env: { readonly NODE_ENV?: string | undefined } }

/** Renders in a row that only this hook asked for, each with another id: no app does that on purpose. */
const CHANGES = 2

interface SeenId {
  readonly id: string | undefined
  /** Number of the render this hook asked for last. */
  readonly probe: number
  readonly changes: number
}

/**
 * Development only: finds out whether a component makes the id again whenever it renders. After a change it renders once
 * more for no other reason; an id that is stored anywhere is the same then.
 */
export function useSteadyId(id: string | undefined): void {
  const [probe, renderAgain] = useReducer((count: number) => count + 1, 0)
  const last = useRef<SeenId>({ id, probe, changes: 0 })
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- looks at every render; the renders it asks for end after CHANGES
  useEffect(() => {
    let fault: Error | undefined
    try {
      if (process.env.NODE_ENV !== 'production') fault = checkId(last, id, probe, renderAgain)
    } catch {
      // A page without a bundler: nothing says that it is in development.
    }
    if (fault !== undefined) throw fault
  })
}

function checkId(
  last: RefObject<SeenId>,
  id: string | undefined,
  probe: number,
  renderAgain: () => void,
): Error | undefined {
  const before = last.current
  const isSame = before.id === id
  const changes = isSame || probe === before.probe ? 0 : before.changes + 1
  last.current = { id, probe, changes }
  if (isSame) return undefined
  if (changes >= CHANGES) {
    return new Error(
      `conversationId is another one at every render (now ${JSON.stringify(id)}), so each render shows a new, empty conversation. Make it once: const [conversationId] = useState(() => crypto.randomUUID()), or leave it out.`,
    )
  }
  renderAgain()
  return undefined
}
