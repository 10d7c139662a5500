/** One content in the forms that other programs take. */
export interface Copied {
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
