'use client'

import {
  type ComponentPropsWithoutRef,
  type ReactNode,
  Fragment,
  forwardRef,
  useCallback,
  useEffect,
  useRef,
  useState,
  type RefObject,
  useLayoutEffect,
} from 'react'
import { focusedElement, createSizeObserver, isElement, rootsOf, windowOf } from '../base/node-page.ts'
import type { Persistence, Thread, Threads } from '../state/thread.ts'
import { fileGuard } from './internals/file-guard.ts'
import { IconButton } from './internals/buttons.tsx'
import { Icon } from './internals/icon.tsx'
import { type RenderRoot, classNames, Root, type AttributesOf } from './internals/part.ts'
import { useLatest } from '../react/use-latest.ts'
import { usePack } from './dictionary/use-pack.ts'
import { useSheetCheck } from './internals/use-sheet-check.ts'
import { type ThreadListStrings, englishThreads } from '../strings/threads.ts'
import { ThreadRow, rowsOf, type RowKey, type threadListAttributes } from './thread-row.tsx'
import { useThreadsStore } from '../react/use-threads.ts'
import type { ChatInstance } from '../state/chat.ts'
import { draftOf } from './composer/draft.ts'

/** Up to so many rows are all mounted. */
const ALL_UP_TO = 100

/** Rows beyond the view that are mounted too: what is shown before the next frame while the list scrolls, and what arrow keys go to. */
const OVERSCAN = 12

/** Rows that are mounted before the height of one is known. */
const UNMEASURED = 40

/** What of a list is in view: indexes of rows, and the height of one in CSS pixels; 0 until it is measured. */
interface View {
  readonly first: number
  readonly last: number
  readonly rowHeight: number
}

interface MountedRows {
  /** Indexes of the rows to mount, ascending. */
  readonly indexes: readonly number[]
  /** Height of a row in CSS pixels, for the space of those that are not mounted. */
  readonly rowHeight: number
}

const START: View = { first: 0, last: UNMEASURED, rowHeight: 0 }

const useBrowserLayoutEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect

/**
 * Windowing: says which rows of a long list are mounted, those around the view, whether the list scrolls, a box around it
 * or the page. All rows are as high as the first.
 * @param kept index of a row that stays mounted wherever the view is, such as the one with the focus
 */
function useMountedRows(list: RefObject<HTMLElement | null>, count: number, kept: number): MountedRows {
  const [view, setView] = useState(START)
  const isLong = count > ALL_UP_TO
  useBrowserLayoutEffect(() => {
    const element = list.current
    if (!isLong || element === null) return undefined
    const clips = clipsOf(element)
    const look = (): void => setView((before) => viewOf(element, clips, before))
    look()
    // Absent in tests without a browser.
    const size = createSizeObserver(element, look)
    for (const clip of clips) size?.observe(clip)
    const listening = new AbortController()
    const { signal } = listening
    // In the capture phase a root is notified of every box that scrolls in it, and not of those in a shadow root below.
    for (const root of rootsOf(element)) root.addEventListener('scroll', look, { passive: true, capture: true, signal })
    windowOf(element)?.addEventListener('resize', look, { signal })
    return () => {
      size?.disconnect()
      listening.abort()
    }
  }, [list, isLong])

  if (!isLong) return { indexes: Array.from({ length: count }, (_, index) => index), rowHeight: 0 }
  const first = Math.max(0, Math.min(view.first, count - UNMEASURED) - OVERSCAN)
  const last = Math.min(count, view.last + OVERSCAN)
  const indexes = Array.from({ length: last - first }, (_, at) => first + at)
  if (kept >= 0 && kept < first) indexes.unshift(kept)
  if (kept >= last) indexes.push(kept)
  return { indexes, rowHeight: view.rowHeight }
}

/** The list, and the boxes around it that show only a part of what is in them. */
function clipsOf(list: HTMLElement): readonly HTMLElement[] {
  const view = windowOf(list)
  const boxes = rootsOf(list).flatMap((root, at, roots) => {
    const before = roots[at - 1]
    const from =
      before === undefined ? list.parentElement : 'host' in before && isElement(before.host) ? before.host : null
    const boxes: HTMLElement[] = []
    for (let box = from; box !== null && box !== list.ownerDocument.body; box = box.parentElement)
      boxes.push(box as HTMLElement)
    return boxes
  })
  return [list, ...boxes.filter((box) => view?.getComputedStyle(box).overflowY !== 'visible')]
}

function viewOf(list: HTMLElement, clips: readonly HTMLElement[], before: View): View {
  const rowHeight = list.querySelector<HTMLElement>('.cs-thread')?.offsetHeight ?? 0
  if (rowHeight === 0) return before
  let top = 0
  let bottom = windowOf(list)?.innerHeight ?? 0
  for (const clip of clips) {
    const box = clip.getBoundingClientRect()
    top = Math.max(top, box.top)
    bottom = Math.min(bottom, box.bottom)
  }
  const start = list.getBoundingClientRect().top - list.scrollTop
  const first = Math.max(0, Math.floor((top - start) / rowHeight))
  const last = Math.max(first, Math.ceil((bottom - start) / rowHeight))
  // The same object while the same rows are in view: nothing renders for a scroll by a few pixels.
  return before.first === first && before.last === last && before.rowHeight === rowHeight
    ? before
    : { first, last, rowHeight }
}

type Attributes = AttributesOf<typeof threadListAttributes>

export interface ThreadListProps extends Omit<ComponentPropsWithoutRef<'nav'>, 'children' | 'onSelect'> {
  /** The conversations in the order to show them, such as `useThreads(store)` gives them. */
  readonly threads: readonly Thread[]
  /** `loading` until it is known what there is. @default 'ready' */
  readonly status?: 'loading' | 'ready' | undefined
  /** Where conversations are kept; if they are not, the list shows that. Absent: not shown. */
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
  /** Your own strings. @default those of the dictionary's language, fetched on demand; English for a language that has none */
  readonly strings?: ThreadListStrings | undefined
  /** Replaces the root element; receives the props to spread and the part's state. @default the part's root element */
  readonly render?: RenderRoot<{ readonly status: 'loading' | 'ready' }> | undefined
}

interface Removal {
  readonly title: string
  readonly undo: (() => void | Promise<void>) | undefined
}

/**
 * Renders a `<nav>`: a user's conversations, to find, open, rename and delete, with those that run, failed or have
 * new content marked by a label. One stop in the tab order (roving tabindex): arrows, Home and End lead from row to row,
 * F2 renames and Delete deletes, which can be undone.
 *
 * @example
 * ```tsx
 * import { ThreadList } from 'capstan/components'
 * import { useThreads } from 'capstan/react'
 * import 'capstan/styles.css'
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
  useSheetCheck(list)

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

/**
 * Saves the text in the composer of a chat, without its files, and restores it with the chat.
 *
 * @param given the store to keep it in; undefined: the provider's
 *
 * @example
 * ```tsx
 * import { useChatContext, useSavedDraft } from 'capstan/react'
 * import type { ThreadStore } from 'capstan/storage'
 *
 * export function SavedDraft({ store }: { store: ThreadStore }) {
 *   useSavedDraft(store, useChatContext())
 *   return null
 * }
 * ```
 */
export function useSavedDraft(given: Threads | undefined, chat: ChatInstance): void {
  const store = useThreadsStore(given)
  useEffect(() => {
    const { conversationId } = chat
    const draft = draftOf(chat)
    let { text } = draft.getSnapshot()
    let isOver = false
    const bringBack = async (): Promise<void> => {
      const kept = await store.readDraft(conversationId)
      // What has been written since is newer.
      if (!isOver && kept !== '' && draft.getSnapshot().text === '') draft.write(kept)
    }
    void bringBack()
    const stop = draft.subscribe(() => {
      const { text: written } = draft.getSnapshot()
      if (written !== text) store.writeDraft(conversationId, written)
      text = written
    })
    return () => {
      isOver = true
      stop()
    }
  }, [store, chat])
}
