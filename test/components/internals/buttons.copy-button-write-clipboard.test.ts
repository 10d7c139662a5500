// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest'
import { writeClipboard } from '../../../src/components/internals/buttons.tsx'

type Written = Record<string, string>

const COPIED = { text: '| a |', html: '<table></table>' }
const BOTH: Written = { 'text/plain': '| a |', 'text/html': '<table></table>' }

class FakeItem {
  readonly forms: Record<string, Blob>
  constructor(forms: Record<string, Blob>) {
    this.forms = forms
  }
}

/** What the page of a browser can do: its clipboard, its items and its copy command. */
interface Page {
  readonly clipboard?: object
  readonly items?: boolean
  /** `copies`: the command fires a copy event. */
  readonly command?: 'copies' | 'refuses' | 'throws'
}

function openPage({ clipboard, items = false, command }: Page): { readonly place: Element; readonly copied: Written } {
  const copied: Written = {}
  vi.stubGlobal('navigator', { ...(clipboard && { clipboard }) })
  if (items) Reflect.set(document.defaultView ?? {}, 'ClipboardItem', FakeItem)
  const place = document.body.appendChild(document.createElement('button'))
  Object.defineProperty(document, 'execCommand', {
    configurable: true,
    value:
      command &&
      (() => {
        if (command === 'throws') throw new Error('Not here.')
        if (command === 'refuses') return false
        const event = new Event('copy', { bubbles: true, cancelable: true, composed: true })
        const clipboardData = { setData: (type: string, content: string) => (copied[type] = content) }
        return !place.dispatchEvent(Object.assign(event, { clipboardData }))
      }),
  })
  return { place, copied }
}

afterEach(() => {
  vi.unstubAllGlobals()
  Reflect.deleteProperty(document.defaultView ?? {}, 'ClipboardItem')
  Reflect.deleteProperty(document, 'execCommand')
  document.body.replaceChildren()
})

describe('writeClipboard', () => {
  it('writes text and HTML with the interface of the clipboard', async () => {
    const written: FakeItem[] = []
    const write = async (items: readonly FakeItem[]): Promise<void> => void written.push(...items)
    const { place, copied } = openPage({ clipboard: { write }, items: true, command: 'copies' })
    expect(await writeClipboard(COPIED, place)).toBe(true)
    expect(
      written.map(({ forms }) => Object.entries(forms).map(([name, { type, size }]) => ({ name, type, size }))),
    ).toEqual([Object.entries(BOTH).map(([name, content]) => ({ name, type: name, size: content.length }))])
    expect(copied).toEqual({})
  })

  it.each<[name: string, page: Page]>([
    ['without the interface of the clipboard', {}],
    [
      'where it refuses',
      { clipboard: { write: () => Promise.reject(new DOMException('', 'NotAllowedError')) }, items: true },
    ],
    ['where it takes text alone', { clipboard: { writeText: () => Promise.reject(new Error('Not called.')) } }],
  ])('writes both by a copy event %s', async (_, page) => {
    const seen = vi.fn()
    const { place, copied } = openPage({ ...page, command: 'copies' })
    document.addEventListener('copy', seen)
    expect(await writeClipboard(COPIED, place)).toBe(true)
    expect(copied).toEqual(BOTH)
    // The listeners of the page are about what the user has selected.
    expect(seen).not.toHaveBeenCalled()
    place.dispatchEvent(new Event('copy', { bubbles: true }))
    expect(seen).toHaveBeenCalledTimes(1)
    document.removeEventListener('copy', seen)
  })

  it('writes text that has no other form with the interface of the clipboard, or by a copy event', async () => {
    const writeText = vi.fn(() => Promise.resolve())
    expect(await writeClipboard({ text: 'a' }, openPage({ clipboard: { writeText }, command: 'copies' }).place)).toBe(
      true,
    )
    expect(writeText.mock.calls).toEqual([['a']])
    const { place, copied } = openPage({
      clipboard: { writeText: () => Promise.reject(new Error()) },
      command: 'copies',
    })
    expect(await writeClipboard({ text: 'b' }, place)).toBe(true)
    expect(copied).toEqual({ 'text/plain': 'b' })
  })

  it.each<[name: string, page: Page]>([
    ['no way', {}],
    ['a command that refuses', { command: 'refuses' }],
    ['a command that throws', { command: 'throws' }],
    [
      'a clipboard that rejects',
      {
        clipboard: { write: () => Promise.reject(new Error()), writeText: () => Promise.reject(new Error()) },
        items: true,
        command: 'refuses',
      },
    ],
  ])('reports a failure with %s', async (_, page) => {
    expect(await writeClipboard(COPIED, openPage(page).place)).toBe(false)
  })

  it('reports a failure where another listener has kept the event from it', async () => {
    const { place, copied } = openPage({ command: 'copies' })
    const keep = (event: Event): void => {
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    window.addEventListener('copy', keep, { capture: true })
    expect(await writeClipboard(COPIED, place)).toBe(false)
    expect(copied).toEqual({})
    window.removeEventListener('copy', keep, { capture: true })
  })
})
