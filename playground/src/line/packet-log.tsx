import type { ReactNode } from 'react'
import { memo, useEffect, useRef, useState } from 'react'
import { useBench } from '../bench.ts'
import { Glyph } from '../glyph.tsx'
import { useStore } from '../store.ts'
import type { LogRow } from '../wire/wire-snapshot.ts'

const LIVE_EDGE = 32

/** Every packet as it came, and everything that happened to the line, in order. */
export function PacketLog(): ReactNode {
  const { wire } = useBench()
  const { rows, counts } = useStore(wire)
  const [frozen, setFrozen] = useState<readonly LogRow[] | undefined>()
  const shown = frozen ?? rows
  const view = useRef<HTMLDivElement>(null)
  const following = useRef(true)

  useEffect(() => {
    const element = view.current
    if (element !== null && following.current) element.scrollTop = element.scrollHeight
  })

  const pauseLabel = frozen === undefined ? 'Pause log' : 'Go on with the log'
  return (
    <>
      <div className="pg-log-head">
        <h3>Packets</h3>
        <span className="cs-dim cs-figures">{counts.packets}</span>
        <span className="cs-grow" />
        <button
          type="button"
          className="cs-icon-button"
          data-size="small"
          aria-label={pauseLabel}
          title={pauseLabel}
          onClick={() => setFrozen(frozen === undefined ? rows : undefined)}
        >
          <Glyph name={frozen === undefined ? 'pause' : 'play'} />
        </button>
        <button
          type="button"
          className="cs-icon-button"
          data-size="small"
          aria-label="Clear log"
          title="Clear log"
          onClick={() => {
            wire.clearRows()
            setFrozen(undefined)
          }}
        >
          <Glyph name="trash" />
        </button>
      </div>
      <div
        ref={view}
        className="pg-log"
        tabIndex={0}
        role="group"
        aria-label="Packet log"
        onScroll={(event) => {
          const { scrollHeight, scrollTop, clientHeight } = event.currentTarget
          following.current = scrollHeight - scrollTop - clientHeight < LIVE_EDGE
        }}
      >
        {shown.map((row) => (
          <Row key={row.id} row={row} />
        ))}
      </div>
    </>
  )
}

const Row = memo(function Row({ row }: { readonly row: LogRow }): ReactNode {
  if (row.kind === 'note') {
    return (
      <div className="pg-log-note" data-tone={row.tone}>
        <Glyph name={row.glyph} />
        <span className="cs-clip">{row.text}</span>
      </div>
    )
  }
  const { at, seq, op, brief, duplicate } = row
  return (
    <div className="pg-log-row" data-op={op} data-duplicate={duplicate ? '' : undefined} title={brief}>
      <span>{(at / 1000).toFixed(3)}</span>
      <span>{seq}</span>
      <span>{op}</span>
      <span>{brief}</span>
    </div>
  )
})
