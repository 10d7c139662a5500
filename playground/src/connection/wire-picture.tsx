import type { ReactNode } from 'react'
import type { Phase } from 'capstan'
import { useChatSelector } from 'capstan/react'
import { useBench } from '../bench.ts'
import { useStore } from '../store.ts'
import type { Mark } from '../wire/wire-snapshot.ts'
import type { WireSign } from './lay-out.ts'
import { layOut } from './lay-out.ts'
import { useNow } from '../use-now.ts'

const WIDTH = 318
const NEAR = 20
const FAR = 298
const Y = 24
/** As long as capstan's pill takes to say that it waits for the agent. */
const SILENT_MS = 5_000

type WireState = 'none' | 'whole' | 'dropped' | 'waiting' | 'offline' | 'silent' | 'over'

const CUT: ReadonlySet<WireState> = new Set(['dropped', 'waiting', 'offline', 'silent'])

/**
 * The connection of the newest run: a tick for text, a diamond for an event, a square for CLOSE, a short grey tick for what
 * came twice, a dashed box where packets are missing, a cross for each drop, dots where nothing goes through.
 */
export function WirePicture(): ReactNode {
  const { run, silent, counts } = useStore(useBench().wire)
  const { marks, lastSeq } = run
  const phase = useChatSelector(({ connection }) => connection.phase)
  const now = useNow(phase === 'streaming', 500)
  const quiet = phase === 'streaming' && now - run.startedAt - (marks.at(-1)?.at ?? 0) >= SILENT_MS
  const state = silent || quiet ? 'silent' : stateOf(phase, marks)
  const cut = CUT.has(state)
  const { placed, end } = layOut(marks, { from: NEAR + 16, to: FAR - 16, short: cut })
  const text = wordsOf(state, lastSeq)

  return (
    <svg
      className="pg-wire"
      viewBox={`0 0 ${WIDTH} 52`}
      role="img"
      aria-label={`The connection to the agent: ${text}, ${counts.drops} ${counts.drops === 1 ? 'drop' : 'drops'}`}
      data-state={state}
    >
      <path className="pg-wire-track" d={`M${NEAR + 6} ${Y}H${cut ? end : FAR - 6}`} />
      {cut && <path className="pg-wire-rest" d={`M${end} ${Y}H${FAR - 6}`} />}
      {placed.map(({ x, sign }) => (
        <path key={x} className="pg-sign" data-sign={sign} d={shapeOf(sign, x)} />
      ))}
      <circle className="pg-wire-node" cx={NEAR} cy={Y} r="5.5" />
      <circle className="pg-wire-node" data-off={cut || state === 'none' ? '' : undefined} cx={FAR} cy={Y} r="5.5" />
      <text className="pg-wire-text" x={NEAR - 6} y="46">
        Chat
      </text>
      <text
        className="pg-wire-text"
        data-says=""
        x={cut ? Math.min(Math.max(end, 100), 214) : WIDTH / 2}
        y="46"
        textAnchor="middle"
      >
        {text}
      </text>
      <text className="pg-wire-text" x={FAR + 6} y="46" textAnchor="end">
        Agent
      </text>
    </svg>
  )
}

function shapeOf(sign: WireSign, x: number): string {
  switch (sign) {
    case 'drop':
      return `M${x - 4} ${Y - 4}l8 8m0-8l-8 8`
    case 'event':
    case 'warning':
    case 'error':
      return `M${x} ${Y - 4.5}l4.5 4.5-4.5 4.5-4.5-4.5z`
    case 'close':
      return `M${x - 3.5} ${Y - 3.5}h7v7h-7z`
    case 'gap':
      return `M${x - 5} ${Y - 6}h10v12h-10z`
    case 'replay':
      return `M${x} ${Y - 3}v6`
    case 'delta':
    case 'other':
      return `M${x} ${Y - 5}v10`
  }
}

function stateOf(phase: Phase, marks: readonly Mark[]): WireState {
  switch (phase) {
    case 'idle':
      return 'none'
    case 'connecting':
    case 'queued':
      return marks.length === 0 ? 'none' : downBy(marks)
    case 'streaming':
      return 'whole'
    case 'waiting':
    case 'paused':
      return downBy(marks)
    case 'offline':
      return 'offline'
    case 'failed':
      return marks.length === 0 ? 'none' : 'over'
    case 'closed':
    case 'stopped':
      return 'over'
  }
}

/** The agent may also ask for a pause on a connection that holds. */
function downBy(marks: readonly Mark[]): WireState {
  return marks.at(-1)?.kind === 'drop' ? 'dropped' : 'waiting'
}

function wordsOf(state: WireState, lastSeq: number | undefined): string {
  if (state === 'none') return 'not connected'
  if (state === 'whole') return lastSeq === undefined ? 'connected' : `seq ${lastSeq}`
  const word = state === 'over' ? 'ended' : state
  return lastSeq === undefined ? word : `${word} after seq ${lastSeq}`
}
