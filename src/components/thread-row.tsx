'use client'
import type { KeyboardEvent, ReactNode } from 'react'
import { memo, useEffect, useRef, useState } from 'react'
import { capMarks } from '../base/cap-marks.ts'
import { windowOf } from '../base/node-page.ts'
import type { Thread } from '../state/thread.ts'
import { isComposing } from './composer/is-composing.ts'
import { useDictionary } from './dictionary/dictionary-context.tsx'
import type { AttributesOf, PartAttributes } from './internals/part.ts'
import { IconButton } from './internals/buttons.tsx'
import { StatusMark } from './internals/status-mark.tsx'
import { useHydrated } from './internals/use-hydrated.ts'
import type { ThreadListStrings } from '../strings/threads.ts'

/** The `data-*` attributes of `ThreadList`. */
export const threadListAttributes = {
  root: {
    selector: '.cs-threads',
    attributes: {
      'data-status': { values: ['loading', 'ready'], meaning: 'Whether it is known what there is' },
    },
  },
  rows: {
    selector: '.cs-thread',
    internal: true,
    attributes: {
      'data-status': { values: ['idle', 'running', 'awaiting-input', 'failed'], meaning: 'What the conversation does' },
      'data-unread': { values: 'present', meaning: 'When something came since it was open' },
      'data-current': { values: 'present', meaning: 'For the conversation that is shown' },
    },
  },
  notes: {
    selector: '.cs-threads-note',
    internal: true,
    attributes: {
      'data-tone': { values: ['caution'], meaning: 'How serious the note is' },
    },
  },
  'buttons that open': {
    selector: '.cs-thread-open',
    internal: true,
    attributes: {
      'data-thread': { values: 'any', meaning: 'The id of the conversation' },
    },
  },
} as const satisfies PartAttributes

type Attributes = AttributesOf<typeof threadListAttributes, 'rows'>
type OpenAttributes = AttributesOf<typeof threadListAttributes, 'buttons that open'>

/** Keys that lead from row to row. */
export type RowKey = 'ArrowDown' | 'ArrowUp' | 'Home' | 'End'

interface ThreadRowProps {
  readonly thread: Thread
  readonly strings: ThreadListStrings
  readonly isCurrent: boolean
  /** The one row the Tab key comes to; arrows lead to the others. */
  readonly isActive: boolean
  /** Its number, from 1 on, among so many, where not all rows are mounted. */
  readonly place: number | undefined
  readonly count: number | undefined
  readonly onActive: (id: string) => void
  /** A key that leads to another row. */
  readonly onMove: (id: string, key: RowKey) => void
  readonly onSelect: (id: string) => void
  readonly onRename: ((id: string, title: string) => void) | undefined
  readonly onRemove: ((id: string, title: string) => Promise<void>) | undefined
}

const MARKS = {
  idle: undefined,
  running: { icon: 'spin', label: 'running' },
  'awaiting-input': { icon: 'clock', label: 'awaitingInput' },
  failed: { icon: 'fatal', label: 'failed' },
} as const

/** One conversation: what it is called, when it was, its state, and what can be done with it. */
export const ThreadRow = memo(function ThreadRow({
  thread,
  strings,
  isCurrent,
  isActive,
  place,
  count,
  onActive,
  onMove,
  onSelect,
  onRename,
  onRemove,
}: ThreadRowProps): ReactNode {
  const { id, status, unread, updatedAt } = thread
  const title = thread.title || strings.untitled
  const [isRenaming, setRenaming] = useState(false)
  const row = useRef<HTMLLIElement>(null)
  const open = useRef<HTMLButtonElement>(null)
  const tabIndex = isActive ? 0 : -1
  const mark = MARKS[status]

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key === 'F2' && onRename) setRenaming(true)
    else if (event.key === 'Delete' && onRemove) void onRemove(id, title)
    else if (isRowKey(event.key)) onMove(id, event.key)
    else return
    event.preventDefault()
  }
  const rename = (next: string | undefined, returns: boolean): void => {
    setRenaming(false)
    if (next !== undefined && next.trim() !== thread.title) onRename?.(id, next)
    // The input loses the focus when it is removed.
    if (returns && row.current) windowOf(row.current)?.requestAnimationFrame(() => open.current?.focus())
  }

  return (
    <li
      ref={row}
      className="cs-thread"
      aria-posinset={place}
      aria-setsize={count}
      data-status={status satisfies Attributes['data-status']}
      data-unread={(unread ? '' : undefined) satisfies Attributes['data-unread']}
      data-current={(isCurrent ? '' : undefined) satisfies Attributes['data-current']}
    >
      {isRenaming ? (
        <TitleBox label={strings.title} title={thread.title} onDone={rename} />
      ) : (
        <>
          <button
            ref={open}
            type="button"
            className="cs-thread-open"
            data-thread={id satisfies OpenAttributes['data-thread']}
            aria-current={isCurrent ? 'page' : undefined}
            tabIndex={tabIndex}
            onFocus={() => onActive(id)}
            onKeyDown={onKeyDown}
            onClick={() => onSelect(id)}
          >
            <bdi className="cs-thread-title cs-clip">{capMarks(title)}</bdi>
            <span className="cs-thread-facts cs-meta">
              {mark && (
                <StatusMark className="cs-thread-state" icon={mark.icon} size={14}>
                  {strings[mark.label]}
                </StatusMark>
              )}
              {unread && <span className="cs-thread-state cs-thread-new">{strings.unread}</span>}
              <ThreadTime at={updatedAt} lang={strings.lang} />
            </span>
          </button>
          <span className="cs-thread-actions">
            {onRename && (
              <IconButton
                icon="edit"
                label={strings.rename(title)}
                tabIndex={tabIndex}
                onFocus={() => onActive(id)}
                onClick={() => setRenaming(true)}
              />
            )}
            {onRemove && (
              <IconButton
                icon="trash"
                label={strings.remove(title)}
                tabIndex={tabIndex}
                onFocus={() => onActive(id)}
                onClick={() => void onRemove(id, title)}
              />
            )}
          </span>
        </>
      )}
    </li>
  )
})

/** The buttons that open the conversations of a list, in order. */
export function rowsOf(list: Element | null | undefined): readonly HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('.cs-thread-open') ?? [])]
}

function isRowKey(key: string): key is RowKey {
  return key === 'ArrowDown' || key === 'ArrowUp' || key === 'Home' || key === 'End'
}

interface TitleBoxProps {
  readonly label: string
  readonly title: string
  /** Without a title nothing changes. `returns`: the focus goes back to the row. */
  readonly onDone: (title: string | undefined, returns: boolean) => void
}

function TitleBox({ label, title, onDone }: TitleBoxProps): ReactNode {
  const box = useRef<HTMLInputElement>(null)
  const isDone = useRef(false)
  useEffect(() => box.current?.select(), [])
  const end = (next: string | undefined, returns: boolean): void => {
    // Enter removes the input, which also fires `blur`: only the first of the two counts.
    if (isDone.current) return
    isDone.current = true
    onDone(next, returns)
  }
  return (
    <input
      ref={box}
      className="cs-thread-box"
      aria-label={label}
      defaultValue={title}
      dir="auto"
      onBlur={(event) => end(event.currentTarget.value, false)}
      onKeyDown={(event) => {
        if (isComposing(event)) return
        if (event.key !== 'Enter' && event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        end(event.key === 'Enter' ? event.currentTarget.value : undefined, true)
      }}
    />
  )
}

/** The time of day, for another day its date, for another year that too. Empty until the page lives, as a server does not know the reader's clock. */
function ThreadTime({ at, lang }: { readonly at: number; readonly lang: string | undefined }): ReactNode {
  const { language } = useDictionary()
  const date = new Date(at)
  return (
    <time className="cs-meta cs-figures" dateTime={date.toISOString()}>
      <bdi>{useHydrated() && format(date, lang ?? language.lang)}</bdi>
    </time>
  )
}

function format(date: Date, lang: string | undefined): string {
  const now = new Date()
  const isToday = date.toDateString() === now.toDateString()
  const year = date.getFullYear() === now.getFullYear() ? undefined : 'numeric'
  return date.toLocaleString(
    lang,
    isToday ? { hour: 'numeric', minute: '2-digit' } : { day: 'numeric', month: 'short', year },
  )
}
