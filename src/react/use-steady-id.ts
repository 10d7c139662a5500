'use client'
import { useEffect, useState } from 'react'
import { warnDeveloper } from '../base/ports/warn-developer.ts'

/** Replaced by bundlers; absent on a page without one. */
declare const process: { readonly env: { readonly NODE_ENV?: string | undefined } }

type Id = string | undefined

/** What is known of the ids of one component. */
interface IdCheck {
  readonly id: Id
  /** `repeated`: this render repeats the one before. `decided`: not checked any more. */
  readonly phase: 'steady' | 'repeated' | 'decided'
  /** Every id of a render before this one. */
  readonly seen: ReadonlySet<Id>
  /** An id that is made in the render. Absent: none was found. */
  readonly unsteady?: string
}

/**
 * Development only: warns when a component makes its id in each render. A render with another id is repeated at once,
 * with the same props and state, so an id that was never seen before can then only come from the render itself,
 * however fast an app changes its conversations.
 */
export function useSteadyId(id: Id): void {
  const [check, setCheck] = useState<IdCheck>(() => ({ id, phase: 'steady', seen: new Set([id]) }))
  try {
    if (process.env.NODE_ENV !== 'production') {
      const next = nextCheck(check, id)
      // A state that is set while rendering repeats this render, before anything else is rendered.
      if (next !== check) setCheck(next)
    }
  } catch {
    // A page without a bundler: nothing says that it is in development.
  }
  useEffect(() => {
    try {
      if (process.env.NODE_ENV !== 'production') warnOf(check)
    } catch {
      // As above.
    }
  }, [check])
}

function nextCheck(check: IdCheck, id: Id): IdCheck {
  const { phase, seen } = check
  if (phase === 'decided') return check
  if (check.id === id) return phase === 'steady' ? check : { ...check, phase: 'steady' }
  if (phase === 'steady') return { id, phase: 'repeated', seen: new Set([...seen, id]) }
  return id === undefined || seen.has(id)
    ? { ...check, phase: 'decided' }
    : { ...check, phase: 'decided', unsteady: id }
}

function warnOf({ unsteady }: IdCheck): void {
  if (unsteady !== undefined)
    warnDeveloper(
      `conversationId is another one at every render (now ${JSON.stringify(unsteady)}), so each render shows a new, empty conversation. Make it once: const [conversationId] = useState(() => crypto.randomUUID()), or leave it out.`,
    )
}
