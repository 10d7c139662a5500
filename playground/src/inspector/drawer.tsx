import type { CSSProperties, KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { useState } from 'react'
import { IconButton } from '../button.tsx'
import { Tallies } from './tallies.tsx'
import { Timeline } from './timeline.tsx'
import type { TimelinePlace } from './timeline-place.ts'

const LEAST = 160
const MOST = 560
const FIRST = 256
const STEP = 24

/** The timeline below the chat, as high as its edge is drawn. */
export function Drawer({ onPlace }: { readonly onPlace: (place: TimelinePlace) => void }): ReactNode {
  const [height, setHeight] = useState(FIRST)
  const resize = (next: number): void => setHeight(Math.round(Math.min(MOST, Math.max(LEAST, next))))

  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    const { currentTarget: edge, clientY: from, pointerId } = event
    edge.setPointerCapture(pointerId)
    const move = (to: globalThis.PointerEvent): void => resize(height + from - to.clientY)
    const done = new AbortController()
    edge.addEventListener('pointermove', move, { signal: done.signal })
    for (const end of ['pointerup', 'pointercancel'])
      edge.addEventListener(end, () => done.abort(), { signal: done.signal })
  }
  const press = ({ key }: KeyboardEvent): void => {
    if (key === 'ArrowUp') resize(height + STEP)
    if (key === 'ArrowDown') resize(height - STEP)
  }
  // A custom property has no place in React's types.
  const size = { '--pg-drawer': `${height}px` } as CSSProperties
  return (
    <section className="pg-drawer" aria-label="Stream inspector" style={size}>
      {/* A separator that can be moved is a control (WAI-ARIA). */}
      <div
        className="pg-drawer-edge"
        role="separator"
        tabIndex={0}
        aria-label="Height of the inspector"
        aria-orientation="horizontal"
        aria-valuenow={height}
        aria-valuemin={LEAST}
        aria-valuemax={MOST}
        onPointerDown={drag}
        onKeyDown={press}
      />
      <div className="pg-drawer-head">
        <h2>Stream inspector</h2>
        <Tallies />
        <span className="pg-grow" />
        <IconButton glyph="panel" label="Dock to the side" onClick={() => onPlace('side')} />
        <IconButton glyph="x" label="Close inspector" onClick={() => onPlace('none')} />
      </div>
      <Timeline />
    </section>
  )
}
