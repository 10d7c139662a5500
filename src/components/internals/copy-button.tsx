'use client'

import { type ComponentPropsWithoutRef, type MouseEvent, type ReactNode, type Ref, useEffect, useState } from 'react'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { Icon } from './icon.tsx'
import { IconButton, type buttonAttributes } from './buttons.tsx'
import type { AttributesOf } from './part.ts'

type Attributes = AttributesOf<typeof buttonAttributes, 'buttons'>

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
