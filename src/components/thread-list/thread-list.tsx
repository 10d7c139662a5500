'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { forwardRef, useCallback, useRef, useState } from 'react'
import type { Keeping, Thread } from '../../state/thread.ts'
import { IconButton } from '../internals/icon-button.tsx'
import { Icon } from '../internals/icon.tsx'
import type { RenderRoot } from '../internals/part.ts'
import { classNames, Root } from '../internals/part.ts'
import { useSheetCheck } from '../internals/use-sheet-check.ts'
import type { ThreadListWords } from './thread-list-words.ts'
import { englishThreads } from './thread-list-words.ts'
import { ThreadRow, rowsOf } from './thread-row.tsx'

export interface ThreadListProps extends Omit<ComponentPropsWithoutRef<'nav'>, 'children' | 'onSelect'> {
  /** The conversations in the order to show them, such as `useThreads(store)` gives them. */
  readonly threads: readonly Thread[]
  /** `loading` until it is known what there is. Default `ready`. */
  readonly status?: 'loading' | 'ready' | undefined
  /** Where conversations are kept: where they are not, the list says so. */
  readonly keeping?: Keeping | undefined
  /** The id of the conversation that is shown beside the list. */
  readonly current?: string | undefined
  /** The person wants to see a conversation. */
  readonly onSelect: (id: string) => void
  /** The person wants a new conversation. Without it there is no button for one. */
  readonly onCreate?: (() => void) | undefined
  /** Gives a conversation another title; an empty one means its own words. Without it none can be renamed. */
  readonly onRename?: ((id: string, title: string) => void) | undefined
  /** Deletes a conversation. What it resolves with, if anything, undoes it. Without it none can be deleted. */
  readonly onRemove?: ((id: string) => Promise<(() => void | Promise<void>) | void> | void) | undefined
  /** Words in another language than English. */
  readonly words?: ThreadListWords | undefined
  /** Replaces the root element; receives the props to spread and the part's state. */
  readonly render?: RenderRoot<{ readonly status: 'loading' | 'ready' }> | undefined
}

interface Removal {
  readonly title: string
  readonly undo: (() => void | Promise<void>) | undefined
}

/** The sheet lets the list scroll. */
const hasLook = ({ overflowY }: CSSStyleDeclaration): boolean => overflowY !== 'visible' && overflowY !== ''

/** Bones of a list that loads. */
const BONES = [0, 1, 2, 3]

/**
 * A person's conversations, to find, open, rename and delete, with those that run, failed or have something new told by a word.
 * One stop for the Tab key: arrows, Home and End lead from row to row, F2 renames and Delete deletes, which can be undone. `data-status`.
 */
export const ThreadList = forwardRef<HTMLElement, ThreadListProps>(function ThreadList({ threads, status = 'ready', keeping, current, onSelect, onCreate, onRename, onRemove, words = englishThreads, render, className, ...rest }, ref): ReactNode {
  const [sought, setSought] = useState('')
  const [active, setActive] = useState<string | undefined>()
  const [removal, setRemoval] = useState<Removal | undefined>()
  const list = useRef<HTMLUListElement>(null)
  useSheetCheck(list, 'capstan/threads.css', hasLook)

  const found = threads.filter((thread) => matches(thread, sought))
  const tabStop = [active, current, found[0]?.id].find((id) => found.some((thread) => thread.id === id))
  const notKept = keeping?.where === 'memory' ? words.notKept[keeping.reason] : keeping?.where === 'nowhere' ? words.notKept['signed-out'] : undefined

  const remove = useCallback(
    (thread: Thread): void => {
      focusBeside(list.current, thread.id)
      const title = thread.title || words.untitled
      const take = async (): Promise<void> => {
        const undo = await onRemove?.(thread.id)
        setRemoval({ title, undo: undo ?? undefined })
      }
      void take()
    },
    [onRemove, words],
  )
  const undo = async (): Promise<void> => {
    setRemoval(undefined)
    await removal?.undo?.()
    rowsOf(list.current)[0]?.focus()
  }

  const children = (
    <>
      {(onCreate || threads.length > 0) && (
        <div className="cs-threads-top">
          {threads.length > 0 && <input type="search" className="cs-threads-search" placeholder={words.search} aria-label={words.search} value={sought} onChange={(event) => setSought(event.currentTarget.value)} />}
          {onCreate && <IconButton icon="plus" label={words.create} onClick={onCreate} />}
        </div>
      )}
      {found.length > 0 && (
        <ul ref={list} className="cs-threads-list">
          {found.map((thread) => (
            <ThreadRow
              key={thread.id}
              thread={thread}
              words={words}
              isCurrent={thread.id === current}
              isActive={thread.id === tabStop}
              onActive={setActive}
              onSelect={onSelect}
              onRename={onRename}
              onRemove={onRemove && remove}
            />
          ))}
        </ul>
      )}
      {status === 'loading' && threads.length === 0 && (
        <div className="cs-threads-bones" aria-hidden="true">
          {BONES.map((bone) => (
            <i key={bone} className="cs-thread-bone" />
          ))}
        </div>
      )}
      <p className="cs-threads-none cs-meta" role="status">
        {threads.length === 0 ? (status === 'loading' ? <span className="cs-hidden">{words.loading}</span> : words.empty) : found.length === 0 && words.none}
      </p>
      <div className="cs-threads-foot" role="status">
        {removal && (
          <p className="cs-threads-note">
            <span className="cs-grow" dir="auto">
              {words.removed(removal.title)}
            </span>
            {removal.undo && (
              <button type="button" className="cs-button" data-kind="link" onClick={() => void undo()}>
                {words.undo}
              </button>
            )}
            <IconButton icon="x" label={words.dismiss} onClick={() => setRemoval(undefined)} />
          </p>
        )}
        {notKept !== undefined && (
          <p className="cs-threads-note" data-tone="caution">
            <Icon name="alert" />
            <span className="cs-grow" dir="auto">
              {notKept}
            </span>
          </p>
        )}
      </div>
    </>
  )
  return (
    <Root
      tag="nav"
      render={render}
      root={{ 'aria-label': words.label, ...rest, className: classNames('cs-part cs-threads', className), 'data-status': status, 'aria-busy': status === 'loading', children }}
      state={{ status }}
      rootRef={ref}
    />
  )
})

function matches({ title }: Thread, sought: string): boolean {
  const text = title.toLowerCase()
  return sought
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** A row that goes gives the focus to the one behind it, else to the one before, if it had it. */
function focusBeside(list: HTMLElement | null, id: string): void {
  const all = rowsOf(list)
  const at = all.findIndex((row) => row.dataset['thread'] === id)
  if (all[at]?.parentElement?.contains(document.activeElement)) (all[at + 1] ?? all[at - 1])?.focus()
}
