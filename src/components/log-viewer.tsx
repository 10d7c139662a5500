'use client'

import { type ComponentPropsWithoutRef, type ReactNode, forwardRef, memo, useState } from 'react'
import { capMarks } from '../base/cap-marks.ts'
import { type AttributesOf, type PartAttributes, type RenderRoot, classNames, Root } from './internals/part.ts'
import { leftOut, SHOWN_AT_FIRST, ShowMore } from './internals/folding.tsx'
import type { LogLevel } from '../strings/jobs.ts'
import { useJobStrings } from './dictionary/job-strings-context.tsx'

/** The `data-*` attributes of `LogViewer`. */
export const logViewerAttributes = {
  entry: {
    selector: '.cs-log-entry',
    attributes: {
      'data-level': {
        values: ['trace', 'debug', 'info', 'warn', 'error', 'critical'],
        meaning: 'How grave the entry is',
      },
    },
  },
} as const satisfies PartAttributes

type Attributes = AttributesOf<typeof logViewerAttributes, 'entry'>

/** One entry of a log. */
export interface LogViewerEntry {
  readonly level: LogLevel
  /** Plain text. */
  readonly message: string
  /** When it was written, in the notation of RFC 3339. Absent: not shown. */
  readonly timestamp?: string | undefined
}

export interface LogViewerProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** Oldest first. Of very many the last are shown, the others on request. */
  readonly entries: readonly LogViewerEntry[]
  /** Replaces the root element; receives the props to spread and the part's state. @default the part's root element */
  readonly render?: RenderRoot<{ readonly count: number }> | undefined
}

/**
 * Renders a `<div>`: the entries of a log, each with its level as a word. Its entries are not announced; it does not scroll automatically.
 *
 * @example
 * ```tsx
 * import { LogViewer } from 'capstan/components'
 *
 * const entries = [{ level: 'warn', message: 'Gauge 3 is slow' }] as const
 *
 * export const Log = () => <LogViewer entries={entries} />
 * ```
 */
export const LogViewer = memo(
  forwardRef<HTMLDivElement, LogViewerProps>(function LogViewer(
    { entries, render, className, ...rest },
    ref,
  ): ReactNode {
    const strings = useJobStrings()?.log
    const [limit, setLimit] = useState(SHOWN_AT_FIRST)
    if (strings === undefined) return null
    const left = leftOut(entries.length, limit)
    const content = (
      <>
        {left > 0 && <ShowMore left={left} onShow={() => setLimit(limit + SHOWN_AT_FIRST)} />}
        {entries.length === 0 && <p className="cs-dim">{strings.empty}</p>}
        {entries.length > 0 && (
          <ol className="cs-log-entries" aria-label={strings.label}>
            {entries.slice(left).map(({ level, message, timestamp }, at) => (
              // Entries have no ids, and never move.
              // oxlint-disable-next-line react/no-array-index-key
              <li key={left + at} className="cs-log-entry" data-level={level satisfies Attributes['data-level']}>
                {timestamp !== undefined && (
                  <time className="cs-dim cs-figures" dateTime={timestamp}>
                    {timeOf(timestamp)}
                  </time>
                )}
                <span className="cs-log-level">{strings.levels[level]}</span>
                <span className="cs-log-message" dir="auto">
                  {capMarks(message)}
                </span>
              </li>
            ))}
          </ol>
        )}
      </>
    )
    return (
      <Root
        tag="div"
        render={render}
        root={{ ...rest, className: classNames('cs-part cs-log-viewer', className), children: content }}
        state={{ count: entries.length }}
        rootRef={ref}
      />
    )
  }),
)

/** The time of the runtime, as it wrote it: the same on a server and here. */
function timeOf(timestamp: string): string {
  return /T(\d\d:\d\d:\d\d)/.exec(timestamp)?.[1] ?? capMarks(timestamp)
}
