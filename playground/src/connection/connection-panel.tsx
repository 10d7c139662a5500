import type { ReactNode } from 'react'
import { useState } from 'react'
import { useBench } from '../bench.ts'
import { IconButton } from '../button.tsx'
import { PacketView } from '../inspector/packet-view.tsx'
import { Timeline } from '../inspector/timeline.tsx'
import type { TimelinePlace } from '../inspector/timeline-place.ts'
import { Segments } from '../segments.tsx'
import { useStore } from '../store.ts'
import type { LogRow } from '../wire/wire-snapshot.ts'
import { Counts } from './counts.tsx'
import { Faults } from './faults.tsx'
import { Knobs } from './knobs.tsx'
import { ConnectionPill } from './connection-pill.tsx'
import { PacketLog } from './packet-log.tsx'
import { WirePicture } from './wire-picture.tsx'

const VIEWS = [
  { value: 'packets', label: 'Packets' },
  { value: 'timeline', label: 'Timeline' },
] as const

interface ConnectionPanelProps {
  readonly place: TimelinePlace
  /** There is no space below the chat. */
  readonly narrow: boolean
  readonly onPlace: (place: TimelinePlace) => void
  readonly onClose: () => void
}

/** The connection under the chat: what it carries, and what can be done to it. */
export function ConnectionPanel({ onClose, ...view }: ConnectionPanelProps): ReactNode {
  return (
    <>
      <div className="pg-panel-head">
        <h2>Connection</h2>
        <ConnectionPill />
        <span className="pg-grow" />
        <IconButton glyph="x" label="Close connection panel" onClick={onClose} />
      </div>
      <div className="pg-connection">
        <WirePicture />
        <Faults />
        <Knobs narrow={view.narrow} />
      </div>
      <Record {...view} />
      <PacketView />
      <Counts />
    </>
  )
}

/** Packets received on the connection: one by one, or over time. */
function Record({ place, narrow, onPlace }: Omit<ConnectionPanelProps, 'onClose'>): ReactNode {
  const { wire, selected } = useBench()
  const { rows } = useStore(wire)
  const [frozen, setFrozen] = useState<readonly LogRow[] | undefined>()
  const view = place === 'side' ? 'timeline' : 'packets'
  const clear = (): void => {
    wire.clearRows()
    selected.set(undefined)
    setFrozen(undefined)
  }
  return (
    <>
      <div className="pg-log-head">
        <Segments
          label="View"
          segments={VIEWS}
          value={view}
          onChoose={(chosen) => onPlace(chosen === 'timeline' ? 'side' : place === 'side' ? 'none' : place)}
        />
        <span className="pg-grow" />
        {view === 'timeline' && !narrow && (
          <IconButton glyph="dock" label="Dock below the chat" size="small" onClick={() => onPlace('below')} />
        )}
        {view === 'packets' && (
          <>
            <IconButton
              glyph={frozen === undefined ? 'pause' : 'play'}
              label={frozen === undefined ? 'Pause log' : 'Resume log'}
              size="small"
              onClick={() => setFrozen(frozen === undefined ? rows : undefined)}
            />
            <IconButton glyph="trash" label="Clear log" size="small" onClick={clear} />
          </>
        )}
      </div>
      {view === 'timeline' ? <Timeline /> : <PacketLog rows={frozen ?? rows} />}
    </>
  )
}
