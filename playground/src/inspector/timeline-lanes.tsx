import type { ReactNode } from 'react'
import type { Timeline } from './lay-out-timeline.ts'

interface PictureProps {
  readonly picture: Timeline
}

const TICK = 9

function ticks(places: readonly number[], y: number, reach: number): string {
  return places.map((x) => `M${x} ${y - reach}v${reach * 2}`).join('')
}

function Name({
  x = 0,
  y,
  name,
  says,
}: {
  readonly x?: number
  readonly y: number
  readonly name: string
  readonly says: string
}): ReactNode {
  return (
    <text className="pg-tl-name" x={x} y={y}>
      {name}
      <tspan className="pg-tl-says" dx="6">
        {says}
      </tspan>
    </text>
  )
}

/** Beside a lane the name has its own line. */
function LaneName({
  narrow,
  labelY,
  name,
  says,
}: {
  readonly narrow: boolean
  readonly labelY: number
  readonly name: string
  readonly says: string
}): ReactNode {
  if (narrow) return <Name x={12} y={labelY} name={name} says={says} />
  return (
    <>
      <text className="pg-tl-name" x={16} y={labelY}>
        {name}
      </text>
      <text className="pg-tl-says" x={16} y={labelY + 14}>
        {says}
      </text>
    </>
  )
}

export function Grid({ picture: { axis, bytes, connection } }: PictureProps): ReactNode {
  return (
    <>
      {axis.figures.map(({ x, text }) => (
        <g key={text}>
          <path className="pg-tl-grid" d={`M${x} 20V${bytes.y}`} />
          <text
            className="pg-tl-says"
            x={x}
            y="12"
            textAnchor={x > axis.right - 12 ? 'end' : x < 16 ? 'start' : 'middle'}
          >
            {text}
          </text>
        </g>
      ))}
      {connection.lane.stretches.map(
        ({ kind, from, to }) =>
          kind === 'cut' && (
            <path key={from} className="pg-tl-zone" d={`M${from} ${connection.y + 14}H${to}V${bytes.y}H${from}z`} />
          ),
      )}
    </>
  )
}

export function ConnectionLane({ picture: { connection, narrow } }: PictureProps): ReactNode {
  const { y, labelY, lane } = connection
  const { stretches, beginnings, attempts, endings, captions } = lane
  return (
    <>
      <LaneName
        narrow={narrow}
        labelY={labelY}
        name="Connection"
        says={`${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`}
      />
      {stretches.map(({ kind, from, to }) => (
        <path key={`${kind} ${from}`} className="pg-tl-track" data-kind={kind} d={`M${from} ${y}H${to}`} />
      ))}
      {beginnings.map((x) => (
        <circle key={x} className="pg-tl-node" cx={x} cy={y} r="3.5" />
      ))}
      {endings.map(({ x, kind }) =>
        kind === 'drop' ? (
          <path key={`${kind} ${x}`} className="pg-sign" data-sign="drop" d={`M${x - 4} ${y - 4}l8 8m0-8l-8 8`} />
        ) : (
          <rect
            key={`${kind} ${x}`}
            className="pg-sign"
            data-sign={kind === 'end' ? 'close' : 'other'}
            x={x - 3.5}
            y={y - 3.5}
            width="7"
            height="7"
          />
        ),
      )}
      {captions.map(({ x, text, anchor, tone }) => (
        <text key={`${x} ${text}`} className="pg-tl-says" data-tone={tone} x={x} y={y - 11} textAnchor={anchor}>
          {text}
        </text>
      ))}
    </>
  )
}

export function StreamLane({
  stream: { lane, y, labelY },
  narrow,
}: {
  readonly stream: Timeline['streams'][number]
  readonly narrow: boolean
}): ReactNode {
  const { name, carries, deltas, replays, signs, replayed, gaps } = lane
  return (
    <>
      <LaneName narrow={narrow} labelY={labelY} name={name} says={carries} />
      <path className="pg-sign" data-sign="replay" d={ticks(replays, y, TICK / 2)} />
      <path className="pg-sign" data-sign="delta" d={ticks(deltas, y, TICK)} />
      {replayed.map(({ from, to, label, labelX }) => (
        <g key={from}>
          <path className="pg-tl-bracket" d={`M${from} ${y + 12}v4H${Math.max(to, from + 4)}v-4`} />
          <text className="pg-tl-says" x={labelX} y={y + 27}>
            {label}
          </text>
        </g>
      ))}
      {gaps.map(({ from, to, label }) => (
        <g key={from}>
          <rect className="pg-sign" data-sign="gap" x={from} y={y - 12} width={to - from} height="24" rx="3" />
          <text className="pg-tl-says" data-tone="wait" x={(from + to) / 2} y={y - 16} textAnchor="middle">
            {label}
          </text>
        </g>
      ))}
      {signs.map(({ x, kind, label }) => (
        <g key={`${kind} ${x}`}>
          {kind === 'close' ? (
            <rect className="pg-sign" data-sign="close" x={x - 4} y={y - 4} width="8" height="8" />
          ) : (
            <path className="pg-sign" data-sign={kind} d={`M${x} ${y - 5.5}l5.5 5.5-5.5 5.5-5.5-5.5z`} />
          )}
          {label !== undefined && (
            <text className="pg-tl-says" x={x + 10} y={y + 4}>
              {label}
            </text>
          )}
        </g>
      ))}
    </>
  )
}

export function BytesLane({ picture: { bytes, narrow } }: PictureProps): ReactNode {
  return (
    <>
      <LaneName narrow={narrow} labelY={bytes.labelY} name="Bytes" says="over time" />
      {bytes.lane.bars.map(({ x, width, height }) => (
        <rect key={x} className="pg-tl-bytes" x={x} y={bytes.y - height} width={width} height={height} />
      ))}
    </>
  )
}
