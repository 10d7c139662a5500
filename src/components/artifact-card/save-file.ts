/** Long enough for every browser to have begun the download. */
const KEEP_MS = 60_000

/** Characters that cannot be in a file name everywhere, and invisible ones, which can hide its real ending. */
const UNFIT = /[\p{C}\u2028\u2029\\/:*?"<>|]/gu

/**
 * Saves content under a name. The type is one that no browser shows: a page out of this content would run as a page of the app.
 *
 * @param page the document in which it was asked for
 * @param content text, or base64
 * @throws DOMException when `base64` is set and `content` is none
 */
export function saveFile(page: Document, name: string, content: string, base64: boolean): void {
  const bytes = base64 ? Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0)) : content
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }))
  const link = page.createElement('a')
  link.href = url
  link.download = name.replace(UNFIT, '_').replace(/^\.+/, '') || 'file'
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), KEEP_MS)
}
