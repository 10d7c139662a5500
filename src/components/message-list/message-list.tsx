'use client'

import {
  type ComponentPropsWithoutRef,
  type ForwardedRef,
  type KeyboardEvent,
  type ReactNode,
  forwardRef,
  useRef,
  useState,
  useEffect,
  useReducer,
  useCallback,
} from 'react'
import { sameItems } from '../../base/equal-json.ts'
import { useChatContext, useChatStatus, useChatMessage, useChatSelector } from '../../react/chat-context.ts'
import type { ChatSnapshot } from '../../state/chat-snapshot.ts'
import type { ChatMessage, MessagePart } from '../../state/turn.ts'
import { runIdOf } from '../announcer.tsx'
import { useDictionary, useLang } from '../dictionary/dictionary-context.tsx'
import { ErrorBoundary } from '../error-boundary.tsx'
import { Message } from '../message/message.tsx'
import { usePartLoading } from '../message/part-loading.ts'
import type { RenderPart, ToolRenderers } from '../message/render-part.ts'
import { fileGuard } from '../internals/file-guard.ts'
import { classNames, type AttributesOf, type PartAttributes } from '../internals/part.ts'
import { useBrowserLayoutEffect } from '../../markdown/view/use-browser-layout-effect.ts'
import { ReadingPositionContext } from '../internals/reading-position-context.ts'
import { createReadingPosition, type ReadingPositionTracker } from './reading-position.ts'
import { indexes } from './indexes.ts'
import type { RowWindow } from './row-window.ts'
import { focusLastMessage } from '../internals/buttons.tsx'
import { useHydrated } from '../internals/use-hydrated.ts'
import { Icon } from '../internals/icon.tsx'

type RowAttributes = AttributesOf<typeof messageListAttributes, 'rows'>

interface MessageRowProps {
  readonly messageId: string
  /** Where it is in a log that is not all on the page, and what measures it there. */
  readonly index: number | undefined
  readonly measure: RowWindow['measure'] | undefined
  readonly children: ReactNode
}

/**
 * The row of a message. Where a server has sent it, it stays as it was sent until the code of its parts is here: React would
 * take them away when anything around them changes before, for it cannot hydrate what it has no code of.
 */
function MessageRow({ messageId, index, measure, children }: MessageRowProps): ReactNode {
  const element = useFocusOfRow(measure)
  const row = { ref: element, className: 'cs-row', 'data-index': index satisfies RowAttributes['data-index'] }
  return useIsSent(messageId) ? (
    // oxlint-disable-next-line react/no-danger -- it is empty
    <div key="sent" {...row} suppressHydrationWarning dangerouslySetInnerHTML={NOTHING_NEW} />
  ) : (
    <div {...row}>{children}</div>
  )
}

/** The ref of a row, which hands the focus of its message to the newest one when it is removed: to the answer in its place. */
function useFocusOfRow(measure: RowWindow['measure'] | undefined): (element: HTMLDivElement | null) => void {
  const row = useRef<HTMLDivElement>(null)
  useBrowserLayoutEffect(() => {
    const list = row.current?.closest('.cs-list')
    return () => {
      if (!row.current?.querySelector(':scope > .cs-message:focus')) return
      // The answer in its place is on the page only after it has gone.
      queueMicrotask(() => focusLastMessage(list))
    }
  }, [])
  return useCallback(
    (element) => {
      row.current = element
      measure?.(element)
    },
    [measure],
  )
}

/** React keeps what is inside of such an element when it hydrates. */
const NOTHING_NEW = { __html: '' }

/** What is shown by code that is loaded. */
const AT_HAND: ReadonlySet<MessagePart['type']> = new Set(['text', 'gap', 'markdown', 'state', 'warning'])

function useIsSent(messageId: string): boolean {
  const isHydrated = useHydrated()
  const isLoading = usePartLoading() === 'loading'
  const [mayBeSent] = useState(!isHydrated && isLoading)
  const message = useChatMessage(mayBeSent ? messageId : '')
  // Once it changes, or the code cannot be had, what there is to say of it counts more.
  const [sent] = useState(message)
  return isLoading && message !== undefined && message === sent && !isAtHand(message)
}

function isAtHand({ parts }: ChatMessage): boolean {
  return parts.every(({ type }) => AT_HAND.has(type))
}

/** Rows at the end of a long log that are there before its window does: in the server's page, and while code is on its way. */
const FIRST_ROWS = 30

interface Rows {
  /** Indexes of the messages to mount, ascending. */
  readonly rows: readonly number[]
  /** What measures the rows, and knows the space of those left out; absent while none are. */
  readonly rowWindow: RowWindow | undefined
}

/**
 * All messages, or those around the reader when there are more than `limit`. The code for that is fetched only then;
 * where it cannot be had, all messages are mounted.
 */
function useRows(messages: readonly ChatMessage[], place: ReadingPositionTracker, limit: number): Rows {
  const [rowWindow, setRowWindow] = useState<RowWindow>()
  const [failed, fail] = useReducer(() => true, false)
  const [, render] = useReducer((count: number) => count + 1, 0)
  const long = messages.length > limit

  useEffect(() => {
    if (!long) return
    let made: RowWindow | undefined
    let left = false
    const open = async (): Promise<void> => {
      const { createRowWindow } = await import('./row-window.ts')
      const { view } = place
      if (left || !view) return
      made = createRowWindow({ view, onChange: render })
      setRowWindow(made)
    }
    open().catch(fail)
    return () => {
      left = true
      made?.dispose()
      setRowWindow(undefined)
    }
  }, [long, place])

  // What is mounted stays so until all of it has been measured, as long as that is not too much at once.
  const known = messages.findIndex(({ id }) => id === place.shown?.firstRow)
  const from = known < 0 || messages.length - known > limit + FIRST_ROWS ? messages.length - FIRST_ROWS : known
  return { rows: rowWindow?.rows(messages, from) ?? indexes(long && !failed ? from : 0, messages.length), rowWindow }
}

type Attributes = AttributesOf<typeof messageListAttributes>

type TurnAttributes = AttributesOf<typeof messageListAttributes, 'turns'>

/** Which message of how many: for an article of a log that is not all on the page. Spread it on the article. */
export interface MessagePosition {
  readonly 'aria-posinset'?: number
  readonly 'aria-setsize'?: number
}

export interface MessageListProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /**
   * Shows a whole message in your own way; spread `position` on its article. Keep the function stable.
   *
   * @default `Message`
   */
  readonly renderMessage?: ((messageId: string, position: MessagePosition) => ReactNode) | undefined
  /** Shows parts of the messages in your own way. Keep the function stable. @default the part's component */
  readonly renderPart?: RenderPart | undefined
  /**
   * The actions of each message, in place of capstan's own: `CopyAction`, `EditAction`, `RetryAction`, `FeedbackAction` and controls of
   * your own, which read the message with `useMessage`. Null: none. Keep the element stable.
   *
   * @default copy, edit and regenerate
   */
  readonly messageActions?: ReactNode
  /**
   * How calls of tools are shown, by the name of the tool, with `tool` of `capstan/components`. Keep the object stable.
   *
   * @default `ToolCall`
   */
  readonly tools?: ToolRenderers | undefined
  /** What is shown before the first message. Absent: nothing. */
  readonly empty?: ReactNode
  /**
   * Where what the user sends goes. `turn`: near the top, with the end of the turn before still in view and space
   * below, so that the answer grows into it and moves nothing. `end`: to the end, with no space kept.
   *
   * @default 'turn'
   */
  readonly anchor?: 'turn' | 'end' | undefined
  /**
   * Called when the reader comes within one height of the view to the start, once until they leave it or older messages
   * are there. Load those, and the place is held when they come. Leave it out when there are no more. Absent: none.
   */
  readonly onReachStart?: (() => void) | undefined
  /**
   * Shown above the first message, such as a row that says older ones are being loaded. Adding or removing it does not move
   * the messages. Absent: nothing.
   */
  readonly start?: ReactNode
  /**
   * From more messages than this on, only those around the reader are in the document. Searching and printing the page
   * reach the mounted ones only: pass `Infinity` where they matter more than speed.
   *
   * @default 60
   */
  readonly windowAbove?: number | undefined
}

/** What a browser still lays out in a few milliseconds; `docs/decisions/013` has the figures. */
const WINDOW_ABOVE = 60

const NOWHERE: MessagePosition = {}

/** The same messages in the same order, whatever they say by now. */
const sameRows = (a: readonly ChatMessage[], b: readonly ChatMessage[]): boolean =>
  sameItems(a, b, (old, now) => old.id === now.id)

/** The end of a run does not count as a change. */
const sameRun = (before: string | undefined, now: string | undefined): boolean => now === undefined || now === before

/**
 * Renders a `<div>`: the transcript, a log that is not read out token by token. It follows at the live edge (48 px),
 * holds its place otherwise, also when older messages come above, and offers the way back. It renders when messages
 * come or go, not when they grow. The keyboard scrolls it as any page: arrows, Page Up and Down, Home, End; Tab goes
 * through what is in it.
 *
 * The log is `aria-live="off"`: its role names it to a screen reader and would make it live, which would read out every
 * token; the explicit attribute overrides what the role implies (Chromium then reports no live region at all). It
 * stays off when the answer has ended: screen reader users get that from the `Announcer`.
 *
 * @example
 * ```tsx
 * import { MessageList } from 'capstan/components'
 *
 * export const Transcript = ({ loadOlder }: { loadOlder: () => void }) => (
 *   <MessageList empty={<p>Ask something.</p>} onReachStart={loadOlder} />
 * )
 * ```
 */
export const MessageList = forwardRef<HTMLDivElement, MessageListProps>(function MessageList(props, ref): ReactNode {
  // The key mounts a new transcript for each conversation, scrolled to its end.
  return <Transcript key={useChatContext().conversationId} {...props} listRef={ref} />
})

/** The newest run, and what is to be known of it. */
interface Begun {
  readonly run: string | undefined
  /** The newest run that the user began themselves. */
  readonly byPerson: string | undefined
  readonly turn?: string | undefined
  /** Queue at the last render. */
  readonly queued: ChatSnapshot['queued']
}

interface TranscriptProps extends MessageListProps {
  readonly listRef: ForwardedRef<HTMLDivElement>
}

function Transcript({
  listRef,
  renderMessage,
  renderPart,
  messageActions,
  tools,
  empty,
  anchor,
  onReachStart,
  start,
  windowAbove = WINDOW_ABOVE,
  className,
  ...rest
}: TranscriptProps): ReactNode {
  const strings = useDictionary().chat
  const messages = useChatStatus(({ messages }) => messages, { isEqual: sameRows })
  const run = useChatStatus(runIdOf, { isEqual: sameRun })
  const [away, setAway] = useState(false)
  const [place] = useState(() => createReadingPosition(setAway))
  const { rows, rowWindow } = useRows(messages, place, windowAbove)
  // Fetched with the transcript, before there is a part that needs it.
  usePartLoading()
  const queued = useChatStatus(({ queued }) => queued)
  // A run that exists at mount was not begun by this list, so its turn counts as an earlier one.
  const [begun, setBegun] = useState<Begun>({ run, byPerson: run, queued })
  if (run !== undefined && run !== begun.run) {
    // Queued messages are sent automatically, without an action of the user.
    const byPerson = begun.queued.some(({ id }) => id === run) ? begun.byPerson : run
    setBegun({ run, byPerson, turn: lastTurn(messages, place.starts), queued })
  } else if (queued !== begun.queued) setBegun({ ...begun, queued })

  const view = useRef<HTMLDivElement>(null)
  useBrowserLayoutEffect(() => {
    place.commit({
      firstId: messages[0]?.id,
      firstRow: messages[rows[0] ?? 0]?.id,
      begun: begun.byPerson,
      rowWindow,
      onReachStart,
    })
  })
  useBrowserLayoutEffect(() => (view.current ? place.attach(view.current) : undefined), [place])

  const shownBy = { renderPart, messageActions, tools }
  const shown: ReactNode[] = []
  const space = (from: number, to: number): ReactNode =>
    rowWindow &&
    from < to && <div key={` ${from}`} className="cs-spacer" style={{ blockSize: rowWindow.space(from, to) }} />
  const turns = groupTurns(messages, rows, place.starts)
  for (const { id, rows } of turns) {
    const inside: ReactNode[] = []
    rows.forEach(({ id, index, from }, at) => {
      const position = rowWindow ? { 'aria-posinset': index + 1, 'aria-setsize': messages.length } : NOWHERE
      ;(at > 0 ? inside : shown).push(space(from, index))
      inside.push(
        <MessageRow key={id} messageId={id} index={rowWindow && index} measure={rowWindow?.measure}>
          {renderMessage ? (
            <ErrorBoundary resetKeys={[renderMessage]}>
              <OwnMessage id={id} position={position} renderMessage={renderMessage} {...shownBy} />
            </ErrorBoundary>
          ) : (
            <Message messageId={id} {...shownBy} {...position} />
          )}
        </MessageRow>,
      )
    })
    shown.push(
      <div
        key={id}
        className="cs-turn"
        data-reserved={
          (anchor !== 'end' && id === begun.turn && id === turns.at(-1)?.id
            ? ''
            : undefined) satisfies TurnAttributes['data-reserved']
        }
      >
        {inside}
      </div>,
    )
  }

  // The browser would scroll to the positions that start and end had at the key press, although rows mounted on the way
  // move them.
  const press = (event: KeyboardEvent<HTMLElement>): void => {
    const go = { Home: place.toStart, End: place.toEnd }[event.key]
    // A message has the focus after the button in it that had it.
    if (!go || !(event.target as Element).matches('.cs-list-view, .cs-message')) return
    event.preventDefault()
    go()
  }
  const jump = (): void => {
    place.toEnd()
    // The button goes away with its purpose; the keyboard continues in the transcript.
    view.current?.focus({ preventScroll: true })
  }
  return (
    <div
      lang={useLang()}
      {...rest}
      {...fileGuard(rest)}
      ref={listRef}
      className={classNames('cs-part cs-list', className)}
      data-at-end={(away ? undefined : '') satisfies Attributes['data-at-end']}
    >
      {/* The keys that scroll belong to whatever scrolls. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        ref={view}
        className="cs-list-view"
        role="region"
        aria-label={strings.transcript}
        tabIndex={0}
        onKeyDown={rowWindow && press}
      >
        <ReadingPositionContext.Provider value={place}>
          <div className="cs-column">
            {start}
            {messages.length === 0 && empty}
            <div className="cs-log" role="log" aria-label={strings.conversation} aria-live="off">
              {shown}
            </div>
          </div>
        </ReadingPositionContext.Provider>
      </div>
      {away && <JumpButton onJump={jump} />}
    </div>
  )
}

interface OwnMessageProps extends Pick<MessageListProps, 'renderPart' | 'messageActions' | 'tools'> {
  readonly id: string
  readonly position: MessagePosition
  readonly renderMessage: NonNullable<MessageListProps['renderMessage']>
}

/** Calls the host's renderer in its own component, so that an error boundary catches what it throws. */
function OwnMessage({ id, position, renderMessage, ...shownBy }: OwnMessageProps): ReactNode {
  return renderMessage(id, position) ?? <Message messageId={id} {...shownBy} {...position} />
}

/** A message to mount, and where the mounted one before it was. */
interface TurnRow {
  readonly id: string
  readonly index: number
  /** The index after the mounted row before: below `index` where rows are left out between the two. */
  readonly from: number
}

/** The mounted rows of one turn: a question of the user and its answers. */
export interface TurnRows {
  /** The id of its first message, mounted or not. */
  readonly id: string
  readonly rows: readonly TurnRow[]
}

/**
 * Groups the messages at `rows` (ascending) by turn. A turn begins with a message of the user, at the very start,
 * and at each id of `begun`: so that older messages loaded above change no turn that is there already.
 */
export function groupTurns(
  messages: readonly ChatMessage[],
  rows: readonly number[],
  begun: ReadonlySet<string>,
): readonly TurnRows[] {
  const turns: (TurnRows & { rows: TurnRow[] })[] = []
  let from = 0
  for (const index of rows) {
    let start = index
    while (start > from && !beginsTurn(messages[start], begun)) start -= 1
    const message = messages[index]
    if (!message) continue
    const last = turns.at(-1)
    const row = { id: message.id, index, from }
    if (last && start === from && !beginsTurn(messages[start], begun)) last.rows.push(row)
    else turns.push({ id: messages[start]?.id ?? message.id, rows: [row] })
    from = index + 1
  }
  return turns
}

function beginsTurn(message: ChatMessage | undefined, begun: ReadonlySet<string>): boolean {
  return message === undefined || message.role === 'user' || begun.has(message.id)
}

/** The id of the current turn: the one of the last message. */
export function lastTurn(messages: readonly ChatMessage[], begun: ReadonlySet<string>): string | undefined {
  return groupTurns(messages, [messages.length - 1], begun)[0]?.id
}

type JumpAttributes = AttributesOf<typeof messageListAttributes, 'the button to the end'>

/** Leads to the end; a dot says that something came since the reader left it. Mounted only while the reader is further up. */
function JumpButton({ onJump }: { readonly onJump: () => void }): ReactNode {
  const strings = useDictionary().chat
  const last = useChatSelector((snapshot) => snapshot.messages.at(-1))
  const [left] = useState(last)
  const fresh = last !== left
  return (
    <button
      type="button"
      className="cs-jump"
      data-new={(fresh ? '' : undefined) satisfies JumpAttributes['data-new']}
      aria-label={fresh ? strings.jumpNew : strings.jump}
      onClick={onJump}
    >
      <Icon name="down" size={20} />
    </button>
  )
}

/** The `data-*` attributes of `MessageList`. */
export const messageListAttributes = {
  root: {
    selector: '.cs-list',
    attributes: {
      'data-at-end': { values: 'present', meaning: 'While the reader is at the end' },
    },
  },
  'the button to the end': {
    selector: '.cs-jump',
    internal: true,
    attributes: {
      'data-new': { values: 'present', meaning: 'When something came since the reader left the end' },
    },
  },
  rows: {
    selector: '.cs-row',
    internal: true,
    attributes: {
      'data-index': { values: 'any', meaning: 'The place of the row, for measuring' },
    },
  },
  turns: {
    selector: '.cs-turn',
    internal: true,
    attributes: {
      'data-reserved': { values: 'present', meaning: 'Keeps space for an answer' },
    },
  },
} as const satisfies PartAttributes
