'use client'

import { type ComponentPropsWithoutRef, type ReactNode, forwardRef, memo, useContext, useState } from 'react'
import { capMarks } from '../base/cap-marks.ts'
import { useDictionary } from './dictionary/dictionary-context.tsx'
import { Icon } from './internals/icon.tsx'
import { ReadingPositionContext } from './internals/reading-position-context.ts'
import { type RenderRoot, classNames, Root, type AttributesOf, type PartAttributes } from './internals/part.ts'
import { sameMembers } from '../base/equal-json.ts'
import { SHOWN_AT_FIRST, ShowMore, leftOut, FoldSummary } from './internals/folding.tsx'
import { useLiveTime } from './internals/live-time.tsx'

/** The `data-*` attributes of `ThoughtTrace`. */
export const thoughtTraceAttributes = {
  root: {
    selector: '.cs-fold',
    attributes: {
      'data-state': { values: ['live', 'done', 'failed'], meaning: 'The state of the thinking' },
      'data-auto': { values: 'present', meaning: 'Until the reader opens or closes it' },
    },
  },
  'root of redacted thoughts': {
    selector: '.cs-note',
    attributes: {
      'data-state': { values: ['redacted'], meaning: 'Nothing is shown of them' },
    },
  },
  body: {
    selector: '.cs-thought-body',
    internal: true,
    attributes: {
      'data-window': { values: 'present', meaning: 'While it is a window that follows its end' },
    },
  },
} as const satisfies PartAttributes

type Attributes = AttributesOf<typeof thoughtTraceAttributes>
type RedactedAttributes = AttributesOf<typeof thoughtTraceAttributes, 'root of redacted thoughts'>

/** One thought, unchanged. */
export interface Thought {
  readonly id: string
  readonly text: string
  readonly redacted?: boolean | undefined
}

export type ThoughtState = 'live' | 'done' | 'failed' | 'redacted'

export interface ThoughtTraceProps extends Omit<ComponentPropsWithoutRef<'details'>, 'children' | 'open'> {
  /** The thoughts of one stretch, in order. */
  readonly thoughts: readonly Thought[]
  /**
   * Still thinking: the label shimmers, the time runs, the body is a window that follows its own end.
   *
   * @default false
   */
  readonly live?: boolean | undefined
  /** The thinking broke off. @default false */
  readonly failed?: boolean | undefined
  /** How long it took, in milliseconds. @default what was seen while it was live */
  readonly durationMs?: number | undefined
  /**
   * Replaces the root element, a `<details>` unless the state is `redacted`; receives the props to spread and the
   * part's state.
   *
   * @default the part's root element
   */
  readonly render?: RenderRoot<{ readonly state: ThoughtState }> | undefined
}

/**
 * Renders a `<details>`: what the agent thought, as one row that opens. Where all of it is redacted it is a `<p>`.
 * While it is live it is open as a window of fixed height, and folds when it is done, unless the reader opened or
 * closed it, or is reading further up. Nothing of it is announced.
 *
 * @example
 * ```tsx
 * import { ThoughtTrace } from 'capstan/components'
 *
 * const thoughts = [{ id: '1', text: 'Uneven banks begin it.' }]
 * export const Thoughts = () => <ThoughtTrace thoughts={thoughts} durationMs={4000} />
 * ```
 */
export const ThoughtTrace = memo(
  forwardRef<HTMLElement, ThoughtTraceProps>(function ThoughtTrace(props, ref): ReactNode {
    const { thoughts, live = false, failed, durationMs, render, className, ...rest } = props
    const strings = useDictionary().thought
    const reading = useContext(ReadingPositionContext)
    const [open, setOpen] = useState(live)
    const [touched, setTouched] = useState(false)
    const [wasLive, setWasLive] = useState(live)
    // Keeps the window when the thought ends while it is open: removing it would move the content below.
    const [windowed, setWindowed] = useState(live)
    const [limit, setLimit] = useState(SHOWN_AT_FIRST)
    const seen = useLiveTime(live)
    if (live !== wasLive) {
      setWasLive(live)
      if (!touched && (live || reading?.atEnd() !== false)) setOpen(live)
      if (live) setWindowed(true)
    }

    if (!live && thoughts.every(({ text }) => text === '')) {
      if (!thoughts.some(({ redacted }) => redacted)) return null
      const children = (
        <>
          <Icon name="hidden" />
          <span className="cs-note-text">{strings.redacted}</span>
        </>
      )
      return (
        <Root
          tag="p"
          render={render}
          root={{
            ...rest,
            className: classNames('cs-part cs-note', className),
            'data-state': 'redacted' satisfies RedactedAttributes['data-state'],
            children,
          }}
          state={{ state: 'redacted' }}
          rootRef={ref}
        />
      )
    }

    const state = live ? 'live' : failed ? 'failed' : 'done'
    const took = durationMs ?? seen
    const left = leftOut(thoughts.length, limit)
    const root = {
      ...rest,
      className: classNames('cs-part cs-fold', className),
      'data-state': state satisfies Attributes['data-state'],
      // Only opening and closing by the reader is animated.
      'data-auto': (touched ? undefined : '') satisfies Attributes['data-auto'],
      open,
      onToggle: (event: React.ToggleEvent<HTMLDetailsElement>) => {
        rest.onToggle?.(event)
        setOpen(event.currentTarget.open)
      },
      children: (
        <>
          <FoldSummary
            label={
              live ? strings.live : failed ? strings.failed : took === undefined ? strings.done : strings.doneFor(took)
            }
            icon={state === 'failed' && 'alert'}
            moving={live}
            took={live && (seen ?? 0)}
            onClick={() => {
              setTouched(true)
              if (!open) setWindowed(live)
            }}
          />
          <div
            className="cs-fold-body cs-thought-body"
            {...(windowed ? { 'data-window': '', tabIndex: 0, role: 'group', 'aria-label': strings.body } : {})}
          >
            <div className="cs-thought-text">
              {left > 0 && <ShowMore left={left} onShow={() => setLimit(limit + SHOWN_AT_FIRST)} />}
              {thoughts.slice(left).map((thought) => (
                <p key={thought.id} className="cs-text" dir="auto">
                  {thought.text === '' && thought.redacted ? strings.redacted : capMarks(thought.text)}
                </p>
              ))}
            </div>
          </div>
        </>
      ),
    } as const
    return <Root tag="details" render={render} root={root} state={{ state }} rootRef={ref} />
  }),
  sameMembers,
)
