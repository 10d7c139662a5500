import type { ReactNode } from 'react'

const LATER = ['A2A', 'ARCP']

/** CAP, and what is not built yet: shown, so that nobody looks for it, and out of reach. */
export function ProtocolSwitch(): ReactNode {
  return (
    <div className="pg-seg" role="group" aria-label="Protocol">
      <button type="button" className="pg-seg-item" aria-pressed="true">
        CAP
      </button>
      {LATER.map((name) => (
        <button key={name} type="button" className="pg-seg-item" disabled>
          {name} <small>later</small>
        </button>
      ))}
    </div>
  )
}
