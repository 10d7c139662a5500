'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { useContext, useState } from 'react'
import { useNow } from '../../hooks/use-now.ts'
import { useDictionary } from '../dictionary-context.tsx'
import { Icon } from '../icon/icon.tsx'
import { ReadingContext } from '../message-list/reading-context.ts'
import { classNames } from '../part.ts'

/** One thought, as it came. */
export interface Thought {
  readonly id: string
  readonly text: string
  readonly redacted?: boolean | undefined
}

export interface ThoughtTraceProps extends Omit<ComponentPropsWithoutRef<'details'>, 'children' | 'open'> {
  readonly thoughts: readonly Thought[]
  /** Still thinking: the label shimmers, the time runs, the body follows its own end. */
  readonly live?: boolean | undefined
  /** How long it took, in milliseconds. Default: what was seen while it was live. */
  readonly durationMs?: number | undefined
}

const SECOND = 1000

/** Time this part has been live, in milliseconds; stands still when it no longer is; undefined if it never was. */
function useLiveTime(live: boolean): number | undefined {
  const now = useNow(live, SECOND)
  const [startedAt] = useState(live ? now : undefined)
  const [lastAt, setLastAt] = useState(now)
  if (live && lastAt !== now) setLastAt(now)
  return startedAt === undefined ? undefined : Math.max(0, lastAt - startedAt)
}

/**
 * What the agent thought, as one line that opens. Open while it is live, folded when it is done,
 * unless the reader opened or closed it, or is reading further up. `data-live`, `data-redacted`.
 */
export function ThoughtTrace({ thoughts, live = false, durationMs, className, ...rest }: ThoughtTraceProps): ReactNode {
  const words = useDictionary().thought
  const reading = useContext(ReadingContext)
  const [open, setOpen] = useState(live)
  const [touched, setTouched] = useState(false)
  const [wasLive, setWasLive] = useState(live)
  const seen = useLiveTime(live)
  if (live !== wasLive) {
    setWasLive(live)
    if (!touched && (live || reading.atEnd())) setOpen(live)
  }

  const told = thoughts.filter((thought) => thought.text !== '')
  if (told.length === 0 && !live) {
    return thoughts.some((thought) => thought.redacted) ? (
      <p className={classNames('cs-part cs-note', className)} data-redacted="">
        <Icon name="hidden" />
        <span className="cs-note-text">{words.redacted}</span>
      </p>
    ) : null
  }
  const took = durationMs ?? seen
  return (
    <details
      {...rest}
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      data-live={live ? '' : undefined}
      className={classNames('cs-part cs-fold', className)}
    >
      <summary className="cs-fold-summary" onClick={() => setTouched(true)}>
        {live ? (
          <>
            <span className="cs-shimmer">{words.live}</span>
            <bdi className="cs-dim cs-figures">{words.elapsed(seen ?? 0)}</bdi>
          </>
        ) : took === undefined ? (
          words.done
        ) : (
          words.doneFor(took)
        )}
        <Icon name="chevron" size={14} className="cs-chevron" />
      </summary>
      <div
        className="cs-fold-body cs-thought-body"
        data-live={live ? '' : undefined}
        {...(live ? { tabIndex: 0, role: 'group', 'aria-label': words.body } : {})}
      >
        <div className="cs-thought-text">
          {thoughts.map((thought) => (
            <p key={thought.id} className="cs-text" dir="auto">
              {thought.text === '' && thought.redacted ? words.redacted : thought.text}
            </p>
          ))}
        </div>
      </div>
    </details>
  )
}
