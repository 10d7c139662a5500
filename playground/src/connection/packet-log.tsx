import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { memo, useEffect, useId, useRef } from 'react'
import { useChatSelector } from 'capstan/react'
import { useBench } from '../bench.ts'
import { Glyph } from '../glyph.tsx'
import { useStore } from '../store.ts'
import { useNow } from '../wire/inner.ts'
import type { LogRow, NoteCountdown, PacketRow } from '../wire/wire-snapshot.ts'

const LIVE_EDGE = 32

/** Every packet unchanged, and everything that happened to the connection, in order. A packet is opened by a press, or by the arrow keys. */
export function PacketLog({ rows }: { readonly rows: readonly LogRow[] }): ReactNode {
  const { selected } = useBench()
  const chosen = useStore(selected)
  const view = useRef<HTMLDivElement>(null)
  const following = useRef(true)
  const id = useId()

  useEffect(() => {
    const element = view.current
    if (element !== null && following.current) element.scrollTop = element.scrollHeight
  })

  useEffect(() => {
    // Chosen in the timeline, it may be anywhere in the log.
    if (chosen === undefined) return
    following.current = false
    view.current?.querySelector(`[data-row="${chosen}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [chosen])

  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && chosen !== undefined) {
      event.preventDefault()
      selected.set(undefined)
    }
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (by === 0) return
    event.preventDefault()
    const packets = rows.filter((row): row is PacketRow => row.kind === 'packet')
    const at = packets.findIndex((row) => row.id === chosen)
    const next = packets[at === -1 ? (by > 0 ? 0 : packets.length - 1) : at + by]
    if (next !== undefined) selected.set(next.id)
  }
  const click = (event: MouseEvent): void => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]') : null
    if (row === null) return
    const rowId = Number(row.dataset['row'])
    selected.set(rowId === chosen ? undefined : rowId)
  }

  return (
    <div
      ref={view}
      className="pg-log"
      tabIndex={0}
      role="listbox"
      aria-label="Packet log"
      aria-activedescendant={
        chosen !== undefined && rows.some((row) => row.id === chosen) ? `${id}${chosen}` : undefined
      }
      onKeyDown={press}
      onClick={click}
      onScroll={(event) => {
        const { scrollHeight, scrollTop, clientHeight } = event.currentTarget
        following.current = scrollHeight - scrollTop - clientHeight < LIVE_EDGE
      }}
    >
      {rows.map((row) => (
        <Row key={row.id} row={row} id={`${id}${row.id}`} chosen={row.id === chosen} />
      ))}
    </div>
  )
}

interface RowProps {
  readonly row: LogRow
  readonly id: string
  readonly chosen: boolean
}

const Row = memo(function Row({ row, id, chosen }: RowProps): ReactNode {
  if (row.kind === 'note') {
    return (
      <div className="pg-log-note" data-tone={row.tone} role="option" aria-selected="false" aria-disabled="true">
        <Glyph name={row.glyph} />
        <span className="pg-clip">
          {row.countdown ? <Waiting text={row.text} countdown={row.countdown} /> : row.text}
        </span>
      </div>
    )
  }
  const { at, seq, op, brief, duplicate } = row
  return (
    <div
      className="pg-log-row"
      id={id}
      data-row={row.id}
      data-op={op}
      data-duplicate={duplicate ? '' : undefined}
      role="option"
      aria-selected={chosen}
      title={brief}
    >
      <span>{(at / 1000).toFixed(3)}</span>
      <span>{seq}</span>
      <span>{op}</span>
      <span>{brief}</span>
    </div>
  )
})

/** A wait: what is left of it while it lasts, as the chat and the header count it, and afterwards how long it was meant to be. */
function Waiting({ text, countdown }: { readonly text: string; readonly countdown: NoteCountdown }): ReactNode {
  const lasts = useChatSelector(({ connection }) => connection.nextRetryAt === countdown.until)
  return lasts ? <TimeLeft {...countdown} /> : text
}

function TimeLeft({ until, text }: NoteCountdown): ReactNode {
  return text(Math.max(0, until - useNow(true, 100)))
}
