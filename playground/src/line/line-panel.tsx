import type { ReactNode } from 'react'
import { Glyph } from '../glyph.tsx'
import { Counts } from './counts.tsx'
import { Faults } from './faults.tsx'
import { Knobs } from './knobs.tsx'
import { LinePill } from './line-pill.tsx'
import { PacketLog } from './packet-log.tsx'
import { WirePicture } from './wire-picture.tsx'

/** The line under the chat: what it carries, and what can be done to it. */
export function LinePanel({ onClose }: { readonly onClose: () => void }): ReactNode {
  return (
    <>
      <div className="pg-panel-head">
        <h2>Line</h2>
        <LinePill />
        <span className="cs-grow" />
        <button type="button" className="cs-icon-button" aria-label="Close line panel" title="Close line panel" onClick={onClose}>
          <Glyph name="x" size={20} />
        </button>
      </div>
      <div className="pg-line">
        <WirePicture />
        <Faults />
        <Knobs />
      </div>
      <PacketLog />
      <Counts />
    </>
  )
}
