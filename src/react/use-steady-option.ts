'use client'
import { useEffect, useRef } from 'react'
import { warnDeveloper } from '../base/warn-developer.ts'

/** Replaced by bundlers; absent on a page without one. */
declare const process: { readonly env: { readonly NODE_ENV?: string | undefined } }

/** Renders in a row, each with another object: no app does that on purpose. */
const CHANGES = 3

/** Development only: warns when an option that an app makes once is another object at every render. */
export function useSteadyOption(name: keyof typeof UNSTEADY, option: object | undefined): void {
  const last = useRef({ option, changes: 0 })
  useEffect(() => {
    try {
      if (process.env.NODE_ENV === 'development') {
        const changes = last.current.option === option ? 0 : last.current.changes + 1
        last.current = { option, changes }
        if (changes === CHANGES) warnDeveloper(UNSTEADY[name])
      }
    } catch {
      // A page without a bundler: nothing says that it is in development.
    }
  })
}

const UNSTEADY = {
  client:
    '"client" is a new object at every render, so every component below renders again each time, and a run that is resumed cannot use what the client before it knew. Create it once, outside of the component: const client = new CapClient({ … }).',
  store:
    '"store" is a new object at every render, so each conversation may open another database connection, and tabs cannot agree on one leader. Create it once, outside of the component: const store = createThreadStore({ … }).',
}
