'use client'
import { useEffect, useReducer, useRef } from 'react'
import { isDevelopment } from '../base/development.ts'

/** So many renders in a row that nothing but this hook asked for, each with another id: no app does that on purpose. */
const CHANGES = 2

/**
 * Development only: finds out whether a component makes the id anew whenever it renders. After a change it renders once
 * more for no other reason; an id that is kept anywhere is the same then.
 */
export function useSteadyId(id: string | undefined): void {
  const [probe, renderAgain] = useReducer((count: number) => count + 1, 0)
  const last = useRef({ id, probe, changes: 0 })
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- looks at every render; the chain it may begin ends after CHANGES renders
  useEffect(() => {
    if (!isDevelopment()) return
    const before = last.current
    if (before.id === id) {
      last.current = { id, probe, changes: 0 }
      return
    }
    const changes = probe === before.probe ? 0 : before.changes + 1
    last.current = { id, probe, changes }
    if (changes < CHANGES) return renderAgain()
    throw new Error(
      `conversationId is another one at every render (now ${JSON.stringify(id)}), so each render shows a new, empty conversation. Make it once: const [conversationId] = useState(() => crypto.randomUUID()), or leave it out.`,
    )
  })
}
