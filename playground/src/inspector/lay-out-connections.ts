import type { WireRun } from '../wire/wire-snapshot.ts'
import type { Caption } from './captions.ts'
import { distinct } from './distinct.ts'
import type { TimeAxis } from './time-axis.ts'

/** The lane of the connections of a run, one after the other. */
export interface ConnectionLane {
  /** `open`: bytes may come. `cut`: nothing is there. `asking`: a request without an answer yet. */
  readonly stretches: readonly {
    readonly kind: 'open' | 'cut' | 'asking'
    readonly from: number
    readonly to: number
  }[]
  /** Places; several may share one. */
  readonly beginnings: readonly number[]
  readonly attempts: number
  readonly endings: readonly { readonly x: number; readonly kind: 'drop' | 'end' | 'left' }[]
  /** The most telling first. */
  readonly captions: readonly Caption[]
}

/** Puts the connections of a run on the axis; `now` is the current end of the axis. */
export function layOutConnections(
  { attempts, marks }: WireRun,
  axis: TimeAxis,
  now: number,
  live: boolean,
): ConnectionLane {
  const stretches: ConnectionLane['stretches'][number][] = []
  const endings: ConnectionLane['endings'][number][] = []
  const close = marks.findLast(({ kind }) => kind === 'close')
  const drops: Caption[] = []
  const others: Caption[] = []

  for (const [index, { at, status, endedAt, ending, waitMs }] of attempts.entries()) {
    const to = endedAt ?? now
    const begins = axis.x(at)
    stretches.push({ kind: status === undefined ? 'asking' : 'open', from: begins, to: axis.x(to) })
    others.push({
      x: begins,
      text:
        index === 0
          ? `POST ${status ?? ''}`.trim()
          : `attempt ${index + 1}${status === undefined ? '' : ` · ${status}`}`,
      anchor: 'start',
      tone: (status ?? 0) >= 400 ? 'bad' : 'plain',
    })
    if (ending === undefined) continue
    const lost = ending === 'dropped' || ending === 'unreachable'
    // After the last CLOSE the client has heard all there is, and leaves.
    const left = ending === 'left' && (close === undefined || close.at < at)
    endings.push({ x: axis.x(to), kind: lost ? 'drop' : left ? 'left' : 'end' })
    const next = attempts[index + 1]
    const until = next?.at ?? (live ? now : undefined)
    if (until === undefined || until <= to) continue
    stretches.push({ kind: 'cut', from: axis.x(to), to: axis.x(until) })
    const word = lost ? 'dropped' : 'ended'
    drops.push({
      x: (axis.x(to) + axis.x(until)) / 2,
      text: waitMs === undefined ? word : `${word} · wait ${(waitMs / 1000).toFixed(1)} s`,
      anchor: 'middle',
      tone: 'bad',
    })
  }

  const closing: Caption[] =
    close === undefined || live
      ? []
      : [{ x: axis.x(close.at), text: `CLOSE ${close.label ?? ''}`.trim(), anchor: 'end', tone: 'plain' }]
  return {
    stretches: distinct(stretches, ({ kind, from }) => `${kind} ${from}`),
    endings: distinct(endings, ({ kind, x }) => `${kind} ${x}`),
    beginnings: [...new Set(attempts.map(({ at }) => axis.x(at)))],
    attempts: attempts.length,
    captions: [...drops, ...closing, ...others],
  }
}
