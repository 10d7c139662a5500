import type { CSSProperties, ReactNode } from 'react'
import { useEffect, useId, useState } from 'react'
import type { NetworkShape } from '../../server/network/network-state.ts'
import { useBench } from '../bench.ts'
import { useStore } from '../store.ts'
import { GenerationMenu } from './generation-menu.tsx'
import { useEmbedded } from './use-embedded.ts'

interface KnobSpec {
  readonly name: 'latencyMs' | 'jitterMs' | 'chunkBytes'
  readonly label: string
  readonly most: number
  readonly step: number
  read(value: number): string
}

const KNOBS: readonly KnobSpec[] = [
  { name: 'latencyMs', label: 'Latency', most: 500, step: 10, read: (value) => `${value} ms` },
  { name: 'jitterMs', label: 'Jitter', most: 330, step: 10, read: (value) => `${value} ms` },
  {
    name: 'chunkBytes',
    label: 'Chunk size',
    most: 80,
    step: 8,
    read: (value) => (value === 0 ? 'unchanged' : `${value} B`),
  },
]

/** A slider tells every pixel; the server is told when it rests. */
const REST_MS = 120

/** How the embedded agent's connection behaves while it works. */
export function Knobs({ narrow }: { readonly narrow: boolean }): ReactNode {
  const { server } = useBench()
  const told = useStore(server.shape)
  const embedded = useEmbedded()
  const [wanted, setWanted] = useState<Partial<NetworkShape>>({})

  useEffect(() => {
    if (Object.keys(wanted).length === 0) return
    const timer = setTimeout(() => {
      void server.command({ action: 'shape', ...wanted }).then(() => setWanted((now) => (now === wanted ? {} : now)))
    }, REST_MS)
    return () => clearTimeout(timer)
  }, [wanted, server])

  const replays = wanted.replayFromStart ?? told?.replayFromStart ?? true
  return (
    <>
      {KNOBS.map((knob) => (
        <Knob
          key={knob.name}
          {...knob}
          disabled={!embedded}
          value={wanted[knob.name] ?? told?.[knob.name] ?? 0}
          onTurn={(value) => setWanted({ ...wanted, [knob.name]: value })}
        />
      ))}
      <label className="pg-toggle">
        Replay from the start on resume
        <input
          type="checkbox"
          role="switch"
          disabled={!embedded}
          checked={replays}
          aria-checked={replays}
          onChange={(event) => setWanted({ ...wanted, replayFromStart: event.currentTarget.checked })}
        />
      </label>
      {narrow && (
        <div className="pg-toggle">
          <span aria-hidden="true">Packet generation</span>
          <GenerationMenu />
        </div>
      )}
      {!embedded && <p className="pg-knob-note">These controls only work with the built-in agent.</p>}
    </>
  )
}

interface KnobProps extends KnobSpec {
  readonly disabled: boolean
  readonly value: number
  readonly onTurn: (value: number) => void
}

function Knob({ label, most, step, read, disabled, value, onTurn }: KnobProps): ReactNode {
  const id = useId()
  // A custom property has no place in React's types; it fills the track up to the thumb.
  const filled = { '--pg-share': `${(Math.min(value, most) / most) * 100}%` } as CSSProperties
  return (
    <div className="pg-knob">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="range"
        className="pg-range"
        style={filled}
        min={0}
        max={most}
        step={step}
        disabled={disabled}
        value={value}
        aria-valuetext={read(value)}
        onChange={(event) => onTurn(event.currentTarget.valueAsNumber)}
      />
      <bdi aria-hidden="true">{read(value)}</bdi>
    </div>
  )
}
