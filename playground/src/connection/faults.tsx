import type { ReactNode } from 'react'
import { useChatSelector } from 'capstan/react'
import { useBench } from '../bench.ts'
import type { GlyphName } from '../glyph.tsx'
import { Glyph } from '../glyph.tsx'
import { useStore } from '../store.ts'
import { useFaults } from './use-faults.ts'

/** Three ways to break the connection, for real. */
export function Faults(): ReactNode {
  const { running, silent, offline, drop, setSilent, setOffline } = useFaults()
  const { marks } = useStore(useBench().wire).run
  const down = useChatSelector(
    ({ connection: { phase, attempt } }) => phase === 'waiting' || (phase === 'connecting' && attempt > 0),
  )
  return (
    <div className="pg-faults" role="group" aria-label="Faults">
      <Fault
        glyph="cut"
        label="Drop connection"
        on={down && marks.at(-1)?.kind === 'drop'}
        idle={!running}
        onClick={drop}
      />
      <Fault
        glyph="silence"
        label={silent ? 'Resume data' : 'Stall'}
        lasting={silent}
        idle={!running}
        onClick={() => setSilent(!silent)}
      />
      <Fault
        glyph="offline"
        label={offline ? 'Go back online' : 'Go offline'}
        lasting={offline}
        onClick={() => setOffline(!offline)}
      />
    </div>
  )
}

interface FaultProps {
  readonly glyph: GlyphName
  readonly label: string
  /** For a fault that lasts until it is taken back: whether it does now. Its label says what a press would do. */
  readonly lasting?: boolean
  /** For a fault that has ended at once: its trace can still be felt. */
  readonly on?: boolean
  /** Nothing is there to break. */
  readonly idle?: boolean
  readonly onClick: () => void
}

function Fault({ glyph, label, lasting = false, on = lasting, idle = false, onClick }: FaultProps): ReactNode {
  return (
    <button
      type="button"
      className="pg-fault"
      // Not `disabled`: the focus would be lost the moment the answer ends.
      aria-disabled={idle && !on ? true : undefined}
      data-on={on ? '' : undefined}
      onClick={() => {
        if (!idle || lasting) onClick()
      }}
    >
      <Glyph name={glyph} size={20} />
      {label}
    </button>
  )
}
