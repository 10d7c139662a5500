import type { ReactNode } from 'react'
import { useMemo } from 'react'
import { DataBlock } from 'capstan/components'
import { useBench } from '../bench.ts'
import { IconButton } from '../button.tsx'
import { useStore } from '../store.ts'

/** The packet that was chosen, unchanged: shown by capstan's own view for data. */
export function PacketView(): ReactNode {
  const { selected, wire } = useBench()
  const rowId = useStore(selected)
  const packet = rowId === undefined ? undefined : wire.packet(rowId)
  const data = useMemo(() => (packet === undefined ? undefined : parsed(packet.data)), [packet])
  if (packet === undefined) return null
  const { op, seq, at, duplicate } = packet
  return (
    <section className="pg-packet" aria-label="Selected packet">
      <div className="pg-packet-head">
        <span
          className="pg-tag"
          data-tone={op === 'ERROR' || op === '?' ? 'bad' : op === 'EVENT' ? 'event' : undefined}
        >
          {op}
        </span>
        {seq !== undefined && <span>seq {seq}</span>}
        <span className="pg-dim">
          {(at / 1000).toFixed(3)} s · {new TextEncoder().encode(packet.data).byteLength} B
          {duplicate && ' · duplicate, ignored'}
        </span>
        <span className="pg-grow" />
        <IconButton glyph="x" label="Close packet" size="small" onClick={() => selected.set(undefined)} />
      </div>
      <div className="pg-packet-body">
        <DataBlock data={data} viewHint="JSON" />
      </div>
    </section>
  )
}

/** What is not JSON is shown as the text it is. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
