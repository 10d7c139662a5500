'use client'
import type { KeyboardEvent, ReactNode } from 'react'
import { memo, useEffect, useRef, useState } from 'react'
import { capMarks } from '../../base/cap-marks.ts'
import type { Thread } from '../../state/thread.ts'
import { isComposing } from '../composer/is-composing.ts'
import { Icon } from '../internals/icon.tsx'
import { IconButton } from '../internals/icon-button.tsx'
import type { ThreadListWords } from './thread-list-words.ts'
import { ThreadTime } from './thread-time.tsx'

interface ThreadRowProps {
  readonly thread: Thread
  readonly words: ThreadListWords
  readonly isCurrent: boolean
  /** The one row the Tab key comes to; arrows lead to the others. */
  readonly isActive: boolean
  readonly onActive: (id: string) => void
  readonly onSelect: (id: string) => void
  readonly onRename: ((id: string, title: string) => void) | undefined
  readonly onRemove: ((thread: Thread) => void) | undefined
}

/** One conversation: what it is called, when it was, how it stands, and what can be done with it. */
export const ThreadRow = memo(function ThreadRow({ thread, words, isCurrent, isActive, onActive, onSelect, onRename, onRemove }: ThreadRowProps): ReactNode {
  const { id, status, unread, updatedAt } = thread
  const title = thread.title || words.untitled
  const [isRenaming, setRenaming] = useState(false)
  const open = useRef<HTMLButtonElement>(null)
  const tabIndex = isActive ? 0 : -1

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key === 'F2' && onRename) setRenaming(true)
    else if (event.key === 'Delete' && onRemove) onRemove(thread)
    else if (!moveFocus(event)) return
    event.preventDefault()
  }
  const rename = (next: string | undefined, returns: boolean): void => {
    setRenaming(false)
    if (next !== undefined && next.trim() !== thread.title) onRename?.(id, next)
    // The box takes the focus with it when it goes.
    if (returns) requestAnimationFrame(() => open.current?.focus())
  }

  return (
    <li className="cs-thread" data-status={status} data-unread={unread ? '' : undefined} data-current={isCurrent ? '' : undefined}>
      {isRenaming ? (
        <TitleBox label={words.title} title={thread.title} onDone={rename} />
      ) : (
        <>
          <button
            ref={open}
            type="button"
            className="cs-thread-open"
            data-thread={id}
            aria-current={isCurrent ? 'page' : undefined}
            tabIndex={tabIndex}
            onFocus={() => onActive(id)}
            onKeyDown={onKeyDown}
            onClick={() => onSelect(id)}
          >
            <bdi className="cs-thread-title cs-clip">{capMarks(title)}</bdi>
            <span className="cs-thread-facts cs-meta">
              {status === 'running' && (
                <span className="cs-thread-state">
                  <Icon name="spin" size={14} className="cs-spin" />
                  {words.running}
                </span>
              )}
              {status === 'failed' && (
                <span className="cs-thread-state">
                  <Icon name="fatal" size={14} />
                  {words.failed}
                </span>
              )}
              {unread && <span className="cs-thread-state cs-thread-new">{words.unread}</span>}
              <ThreadTime at={updatedAt} />
            </span>
          </button>
          <span className="cs-thread-actions">
            {onRename && <IconButton icon="edit" label={words.rename(title)} tabIndex={tabIndex} onFocus={() => onActive(id)} onClick={() => setRenaming(true)} />}
            {onRemove && <IconButton icon="x" label={words.remove(title)} tabIndex={tabIndex} onFocus={() => onActive(id)} onClick={() => onRemove(thread)} />}
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

/** Leads from row to row; whether the key was one for that. */
function moveFocus({ key, currentTarget }: KeyboardEvent<HTMLElement>): boolean {
  const rows = rowsOf(currentTarget.closest('ul'))
  const at = rows.indexOf(currentTarget)
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[key]
  if (next === undefined) return false
  rows[Math.max(0, Math.min(rows.length - 1, next))]?.focus()
  return true
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
    // Enter takes the box away, and that takes its focus: once is enough.
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
