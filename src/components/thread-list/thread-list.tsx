'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { Fragment, forwardRef, useCallback, useEffect, useRef, useState } from 'react'
import { focusedElement } from '../../base/dom/node-page.ts'
import type { Persistence, Thread } from '../../state/thread.ts'
import { fileGuard } from '../internals/file-guard.ts'
import { IconButton } from '../internals/icon-button.tsx'
import { Icon } from '../internals/icon.tsx'
import type { RenderRoot } from '../internals/part.ts'
import { classNames, Root } from '../internals/part.ts'
import { useLatest } from '../../react/use-latest.ts'
import { usePack } from '../dictionary/use-pack.ts'
import { useSheetCheck } from '../internals/use-sheet-check.ts'
import type { ThreadListStrings } from '../../strings/threads.ts'
import { englishThreads } from '../../strings/threads.ts'
import { ThreadRow, rowsOf } from './thread-row.tsx'
import { useMountedRows } from './use-mounted-rows.ts'
import type { AttributesOf } from '../internals/attributes/part-attributes.ts'
import type { RowKey, threadListAttributes } from './thread-row.tsx'

type Attributes = AttributesOf<typeof threadListAttributes>

export interface ThreadListProps extends Omit<ComponentPropsWithoutRef<'nav'>, 'children' | 'onSelect'> {
  /** The conversations in the order to show them, such as `useThreads(store)` gives them. */
  readonly threads: readonly Thread[]
  /** `loading` until it is known what there is. @default 'ready' */
  readonly status?: 'loading' | 'ready' | undefined
  /** Where conversations are kept: where they are not, the list says so. Absent: nothing is said of it. */
  readonly persistence?: Persistence | undefined
  /** The id of the conversation that is shown beside the list. Absent: none is marked. */
  readonly current?: string | undefined
  /** The user wants to see a conversation. */
  readonly onSelect: (id: string) => void
  /** The user wants a new conversation. Absent: no button. */
  readonly onCreate?: (() => void) | undefined
  /** Called with a new title for a conversation; an empty one restores the words it began with. Absent: none can be renamed. */
  readonly onRename?: ((id: string, title: string) => void) | undefined
  /** Deletes a conversation. What it resolves with, if anything, undoes it. Absent: none can be deleted. */
  readonly onRemove?: ((id: string) => Promise<(() => void | Promise<void>) | void> | void) | undefined
  /** Strings of your own. @default those of the dictionary's language, fetched on demand; English for a language that has none */
  readonly strings?: ThreadListStrings | undefined
  /** Replaces the root element; receives the props to spread and the part's state. @default the part's root element */
  readonly render?: RenderRoot<{ readonly status: 'loading' | 'ready' }> | undefined
}

interface Removal {
  readonly title: string
  readonly undo: (() => void | Promise<void>) | undefined
}

/** The sheet lets the list scroll. */
const hasLook = ({ overflowY }: CSSStyleDeclaration): boolean => overflowY !== 'visible' && overflowY !== ''

/**
 * Renders a `<nav>`: a user's conversations, to find, open, rename and delete, with those that run, failed or have
 * something new told by a label. One stop in the tab order (roving tabindex): arrows, Home and End lead from row to row,
 * F2 renames and Delete deletes, which can be undone.
 *
 * @example
 * ```tsx
 * import { ThreadList, useThreads } from 'capstan/threads'
 * import 'capstan/threads.css'
 *
 * export function Rail({ onOpen }: { onOpen: (id: string) => void }) {
 *   return <ThreadList {...useThreads()} onSelect={onOpen} />
 * }
 * ```
 */
export const ThreadList = forwardRef<HTMLElement, ThreadListProps>(function ThreadList(
  {
    threads,
    status = 'ready',
    persistence,
    current,
    onSelect,
    onCreate,
    onRename,
    onRemove,
    strings: given,
    render,
    className,
    ...rest
  },
  ref,
): ReactNode {
  const strings = usePack('threads', englishThreads, given)
  const [sought, setSought] = useState('')
  const [active, setActive] = useState<string | undefined>()
  const [removal, setRemoval] = useState<Removal | undefined>()
  const list = useRef<HTMLUListElement>(null)
  useSheetCheck(list, 'capstan/threads.css', hasLook)

  const found = search(threads, sought)
  const tabStop = [active, current, found[0]?.id].find((id) => found.some((thread) => thread.id === id))
  const rows = useMountedRows(
    list,
    found.length,
    found.findIndex(({ id }) => id === tabStop),
  )
  const isWindowed = rows.indexes.length < found.length
  const order = useLatest(found)
  /** The row that takes the focus as soon as it is mounted. */
  const awaited = useRef<string>(undefined)
  useEffect(() => {
    if (awaited.current !== undefined) focusRow(list.current, awaited.current)
    awaited.current = undefined
  })
  const move = useCallback(
    (id: string, key: RowKey): void => {
      const last = order.current.length - 1
      const at = order.current.findIndex((thread) => thread.id === id)
      const to = { ArrowDown: Math.min(last, at + 1), ArrowUp: Math.max(0, at - 1), Home: 0, End: last }[key]
      const next = order.current[to]?.id
      if (next === undefined || focusRow(list.current, next)) return
      awaited.current = next
      setActive(next)
    },
    [order],
  )
  const remove = useCallback(
    async (id: string, title: string): Promise<void> => {
      focusBeside(list.current, id)
      const undo = await onRemove?.(id)
      setRemoval({ title, undo: undo ?? undefined })
    },
    [onRemove],
  )
  const undo = async (): Promise<void> => {
    setRemoval(undefined)
    await removal?.undo?.()
    rowsOf(list.current)[0]?.focus()
  }

  // Nobody reads a list in two languages.
  if (strings === undefined) return null

  const notSaved =
    persistence?.where === 'memory'
      ? strings.notSaved[persistence.reason]
      : persistence?.where === 'nowhere' && strings.notSaved['signed-out']

  const children = (
    <>
      {(onCreate || threads.length > 0) && (
        <div className="cs-threads-top">
          {threads.length > 0 && (
            <input
              type="search"
              className="cs-threads-search"
              placeholder={strings.search}
              aria-label={strings.search}
              value={sought}
              onChange={(event) => setSought(event.currentTarget.value)}
            />
          )}
          {onCreate && <IconButton icon="plus" label={strings.create} onClick={onCreate} />}
        </div>
      )}
      {found.length > 0 && (
        <ul ref={list} className="cs-threads-list">
          {rows.indexes.map((index, at) => {
            const thread = found[index]
            const skipped = index - (rows.indexes[at - 1] ?? -1) - 1
            return (
              thread && (
                <Fragment key={thread.id}>
                  {skipped > 0 && <Space rows={skipped} height={rows.rowHeight} />}
                  <ThreadRow
                    thread={thread}
                    strings={strings}
                    isCurrent={thread.id === current}
                    isActive={thread.id === tabStop}
                    place={isWindowed ? index + 1 : undefined}
                    count={isWindowed ? found.length : undefined}
                    onActive={setActive}
                    onMove={move}
                    onSelect={onSelect}
                    onRename={onRename}
                    onRemove={onRemove && remove}
                  />
                </Fragment>
              )
            )
          })}
          {isWindowed && <Space rows={found.length - 1 - (rows.indexes.at(-1) ?? 0)} height={rows.rowHeight} />}
        </ul>
      )}
      {status === 'loading' && threads.length === 0 && (
        <div className="cs-threads-bones" aria-hidden="true">
          {[0, 1, 2, 3].map((bone) => (
            <i key={bone} className="cs-thread-bone" />
          ))}
        </div>
      )}
      <p className="cs-threads-none cs-meta" role="status">
        {threads.length === 0 ? (
          status === 'loading' ? (
            <span className="cs-hidden">{strings.loading}</span>
          ) : (
            strings.empty
          )
        ) : (
          found.length === 0 && strings.none
        )}
      </p>
      <div className="cs-threads-foot" role="status">
        {removal && (
          <p className="cs-threads-note">
            <span className="cs-grow" dir="auto">
              {strings.removed(removal.title)}
            </span>
            {removal.undo && (
              <button type="button" className="cs-button" data-kind="link" onClick={() => void undo()}>
                {strings.undo}
              </button>
            )}
            <IconButton icon="x" label={strings.dismiss} onClick={() => setRemoval(undefined)} />
          </p>
        )}
        {notSaved && (
          <p className="cs-threads-note" data-tone="caution">
            <Icon name="alert" />
            <span className="cs-grow" dir="auto">
              {notSaved}
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
      root={{
        lang: strings.lang,
        'aria-label': strings.label,
        ...rest,
        ...fileGuard(rest),
        className: classNames('cs-part cs-threads', className),
        'data-status': status satisfies Attributes['data-status'],
        'aria-busy': status === 'loading',
        children,
      }}
      state={{ status }}
      rootRef={ref}
    />
  )
})

/** Conversations whose titles have every word that is searched for. */
function search(threads: readonly Thread[], sought: string): readonly Thread[] {
  const words = sought
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return threads
  return threads.filter(({ title }) => {
    const text = title.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

/** The space of rows that are not mounted. */
function Space({ rows, height }: { readonly rows: number; readonly height: number }): ReactNode {
  return <li role="presentation" aria-hidden="true" style={{ blockSize: rows * height }} />
}

/** Whether the row is there to take the focus. */
function focusRow(list: HTMLElement | null, id: string): boolean {
  const row = rowsOf(list).find(({ dataset }) => dataset['thread'] === id)
  row?.focus()
  return row !== undefined
}

/** A row that goes gives the focus to the one behind it, else to the one before, if it had it. */
function focusBeside(list: HTMLElement | null, id: string): void {
  const all = rowsOf(list)
  const at = all.findIndex((row) => row.dataset['thread'] === id)
  if (list && all[at]?.parentElement?.contains(focusedElement(list))) (all[at + 1] ?? all[at - 1])?.focus()
}
