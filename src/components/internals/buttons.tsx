'use client'

import {
  type ComponentPropsWithoutRef,
  type ReactNode,
  forwardRef,
  type MouseEvent,
  type Ref,
  useEffect,
  useState,
} from 'react'
import { type IconName, type IconProps, Icon } from './icon.tsx'
import { classNames, type AttributesOf, type PartAttributes } from './part.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'

type Attributes = AttributesOf<typeof buttonAttributes, 'buttons'>

interface IconButtonProps extends ComponentPropsWithoutRef<'button'> {
  readonly icon: IconName
  readonly label: string
  /** Pixels of the glyph; with 20 the button is a large one. */
  readonly size?: IconProps['size'] | undefined
}

/** A button of one glyph, named for everyone. */
export const IconButton = forwardRef<HTMLButtonElement, IconButtonProps>(function IconButton(
  { icon, label, size = 16, className, ...rest },
  ref,
): ReactNode {
  return (
    <button
      ref={ref}
      type="button"
      className={classNames('cs-icon-button', className)}
      data-size={(size === 20 ? undefined : 'small') satisfies Attributes['data-size']}
      aria-label={label}
      title={label}
      {...rest}
    >
      <Icon name={icon} size={size} />
    </button>
  )
})

/** The `data-*` attributes of the buttons in the parts. */
export const buttonAttributes = {
  buttons: {
    selector: '.cs-button, .cs-icon-button',
    internal: true,
    attributes: {
      'data-kind': { values: ['primary', 'plain', 'link'], meaning: 'The visual weight of a button' },
      'data-size': { values: ['small'], meaning: 'A small one' },
      'data-outcome': { values: ['copied', 'failed'], meaning: 'What became of copying' },
    },
  },
} as const satisfies PartAttributes

interface StepButtonProps {
  /** Whatever goes wrong with what it promises shows in the snapshot. */
  readonly onPress: () => unknown
  readonly children: ReactNode
}

/** The next step at the end of a row, gone when it was used: the keyboard continues in the transcript. */
export function StepButton({ onPress, children }: StepButtonProps): ReactNode {
  return (
    <button
      type="button"
      className="cs-button"
      data-kind="link"
      onClick={(event) => {
        keepFocus(event)
        Promise.resolve(onPress()).catch(() => {})
      }}
    >
      {children}
    </button>
  )
}

/** The newest message, last in the last turn. */
const LAST = '.cs-turn:last-child > .cs-row:last-child > .cs-message'

/** Moves the focus to a message, for keyboard users: it is not in the tab order. */
function focusMessage(message: HTMLElement): void {
  message.tabIndex = -1
  message.focus({ preventScroll: true })
}

/** Moves the focus to the newest message of a chat, or to its empty transcript, without scrolling. */
export function focusLastMessage(chat: Element | null | undefined): void {
  const message = chat?.querySelector<HTMLElement>(LAST)
  if (message) focusMessage(message)
  else chat?.querySelector<HTMLElement>('.cs-list-view')?.focus({ preventScroll: true })
}

/**
 * Moves the focus to the message around a button that disappears when it is used, without scrolling. Otherwise the focus
 * would be lost.
 */
export function keepFocus({ currentTarget }: MouseEvent<HTMLElement>): void {
  const message = currentTarget.closest<HTMLElement>('.cs-message')
  if (message) focusMessage(message)
}

const SHOWN_MS = 2000

interface CopyButtonProps extends Omit<ComponentPropsWithoutRef<'button'>, 'children' | 'onClick'> {
  /** Called on click, so that nothing is joined while streaming. */
  readonly text: () => string
  /** The same as HTML. Absent: it is text alone. */
  readonly html?: (() => string | undefined) | undefined
  /** Says in words what it does, beside its glyph. */
  readonly labelled?: boolean | undefined
  readonly buttonRef?: Ref<HTMLButtonElement> | undefined
}

/** Copies text and says so in its own place for two seconds. */
export function CopyButton({ text, html, labelled = false, buttonRef, ...rest }: CopyButtonProps): ReactNode {
  const strings = useDictionary().message
  const [outcome, setOutcome] = useState<'copied' | 'failed' | undefined>()
  useEffect(() => {
    if (outcome === undefined) return
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async ({ currentTarget }: MouseEvent<HTMLButtonElement>): Promise<void> => {
    const isCopied = await writeClipboard({ text: text(), html: html?.() }, currentTarget)
    setOutcome(isCopied ? 'copied' : 'failed')
  }
  const label = outcome === 'copied' ? strings.copied : outcome === 'failed' ? strings.copyFailed : strings.copy
  const icon = outcome === 'copied' ? 'check' : outcome === 'failed' ? 'alert' : 'copy'
  const press = {
    ...rest,
    ref: buttonRef,
    'data-outcome': outcome satisfies Attributes['data-outcome'],
    onClick: (event: MouseEvent<HTMLButtonElement>) => void copy(event),
  }
  if (!labelled) return <IconButton icon={icon} label={label} {...press} />
  return (
    <button type="button" className="cs-button" data-size="small" {...press}>
      <Icon name={icon} />
      <span>{label}</span>
    </button>
  )
}

/** One content in the forms that other programs take. */
interface Copied {
  readonly text: string
  /** The same as HTML, for documents and spreadsheets. Absent: text alone. */
  readonly html?: string | undefined
}

/**
 * Puts something on the clipboard during a click. Without the clipboard's own interface, as on pages over plain HTTP, or where
 * it refuses, as in frames without that permission, a copy event carries it.
 *
 * @param place an element of the document that has the focus
 * @returns whether it is on the clipboard
 */
export async function writeClipboard(copied: Copied, place: Element): Promise<boolean> {
  const { ownerDocument } = place
  return (await isWritten(copied, ownerDocument)) || copyByEvent(copied, ownerDocument)
}

async function isWritten(copied: Copied, document: Document): Promise<boolean> {
  const view = document.defaultView
  if (view === null) return false
  try {
    const { navigator, ClipboardItem } = view
    if (copied.html === undefined) await navigator.clipboard.writeText(copied.text)
    else {
      const blobs = formsOf(copied).map(([type, content]) => [type, new Blob([content], { type })] as const)
      await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))])
    }
    return true
  } catch {
    // The page has no such interface, or it is not permitted.
    return false
  }
}

function formsOf({ text, html }: Copied): readonly (readonly [type: string, content: string])[] {
  const plain = ['text/plain', text] as const
  return html === undefined ? [plain] : [plain, ['text/html', html]]
}

/** Before all other listeners of the page, and without changing what is selected. */
function copyByEvent(copied: Copied, document: Document): boolean {
  const listening = new AbortController()
  const options = { capture: true, signal: listening.signal }
  let isCopied = false
  const root = document.defaultView ?? document
  // Some browsers enable copying without a selection for a page that handles this event alone.
  root.addEventListener('beforecopy', (event) => event.preventDefault(), options)
  root.addEventListener(
    'copy',
    (event) => {
      event.preventDefault()
      event.stopImmediatePropagation()
      const { clipboardData } = event as ClipboardEvent
      for (const [type, content] of formsOf(copied)) clipboardData?.setData(type, content)
      isCopied = clipboardData !== null
    },
    options,
  )
  try {
    // Deprecated, and the only way where there is no other. It may be missing, and it may refuse.
    // oxlint-disable-next-line typescript/no-deprecated
    return document.execCommand('copy') && isCopied
  } catch {
    return false
  } finally {
    listening.abort()
  }
}
