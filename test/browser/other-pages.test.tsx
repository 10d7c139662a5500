import type { ReactNode } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import sheet from '../../src/styles.css?inline'
import { selectionEnds } from '../../src/base/node-page.ts'
import { CitationProvider } from '../../src/components/citation-block/citation-provider.tsx'
import { CitedText } from '../../src/components/citation-block/cited-text.tsx'
import { isEscapeTaken } from '../../src/components/internals/input-guards.ts'
import { ThreadList } from '../../src/components/thread-list.tsx'
import type { Thread } from '../../src/state/thread.ts'
import { rivers } from './cited-answer.tsx'
import { painted, until } from './transcript.tsx'

/** Places outside of the page's own tree, and the element in each that parts are rendered into. */
const PLACES: Readonly<Record<string, () => HTMLElement>> = {
  'an open shadow root': () => inShadow('open'),
  'a closed shadow root': () => inShadow('closed'),
  'an iframe': () => {
    const frame = document.body.appendChild(document.createElement('iframe'))
    Object.assign(frame.style, { inlineSize: '600px', blockSize: '700px' })
    // A frame without an address has a document.
    const { body } = frame.contentDocument as Document
    return withSheets(body)
  },
}

function inShadow(mode: ShadowRootMode): HTMLElement {
  const host = document.body.appendChild(document.createElement('div'))
  const root = host.attachShadow({ mode })
  return withSheets(root.appendChild(document.createElement('main')))
}

function withSheets(parent: HTMLElement): HTMLElement {
  const style = parent.ownerDocument.createElement('style')
  style.textContent = sheet
  const place = parent.ownerDocument.createElement('div')
  parent.append(style, place)
  return place
}

/** Renders into a place of another tree, as an app does: by a portal. */
async function show(place: HTMLElement, parts: ReactNode): Promise<void> {
  const root = createRoot(document.createElement('div'))
  onTestFinished(() => root.unmount())
  flushSync(() => root.render(createPortal(parts, place)))
  await painted(2)
}

afterEach(() => document.body.replaceChildren())

const threads: readonly Thread[] = Array.from({ length: 1000 }, (_, at) => ({
  id: `thread-${at}`,
  title: `Reach ${at}`,
  status: 'idle',
  unread: false,
  createdAt: at,
  updatedAt: at,
}))

const press = (target: EventTarget, options: EventInit = {}): boolean =>
  target.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, composed: true, ...options }))

describe.each(Object.entries(PLACES))('parts in %s', (_, openPlace) => {
  it('mount the rows of a long list around the view when a box around the list scrolls', async () => {
    const place = openPlace()
    await show(
      place,
      <div className="box" style={{ blockSize: 300, overflow: 'auto' }}>
        <ThreadList threads={threads} onSelect={() => {}} style={{ blockSize: 'auto', overflow: 'visible' }} />
      </div>,
    )
    const box = place.querySelector('.box')
    const titles = (): readonly string[] =>
      [...place.querySelectorAll('.cs-thread-title')].map(({ textContent }) => textContent ?? '')
    expect(titles().length).toBeLessThan(100)
    expect(titles()).not.toContain('Reach 500')
    box?.scrollTo(0, box.scrollHeight / 2)
    await until(() => titles().some((title) => /^Reach (?:49|50)\d$/.test(title)))
    expect(titles().length).toBeLessThan(100)
  })

  it('keep the card of a source open for a press in it, and close it for one elsewhere', async () => {
    const place = openPlace()
    await show(
      place,
      <p>
        <CitationProvider citations={rivers(2)}>
          <CitedText text="Rivers meander [1]." />
        </CitationProvider>
        <b className="elsewhere">elsewhere</b>
      </p>,
    )
    const card = (): Element | null => place.querySelector('[popover]:popover-open')
    const open = async (): Promise<void> => {
      place.querySelector<HTMLElement>('.cs-cite')?.click()
      await until(() => card() !== null)
    }
    await open()
    press(card()?.querySelector('a, button, p, span') ?? document.body)
    await painted(2)
    expect(card()).not.toBeNull()
    for (const target of [place.querySelector('.elsewhere'), place.ownerDocument.body]) {
      press(target ?? document.body)
      await until(() => card() === null)
      await open()
    }
  })

  it('know where the selection is', () => {
    const place = openPlace()
    place.textContent = 'Some selected words'
    const text = place.firstChild
    const selection = place.ownerDocument.defaultView?.getSelection()
    if (!text) throw new Error('There is a text.')
    selection?.setBaseAndExtent(text, 2, text, 10)
    expect(selectionEnds(place)).toEqual([text, text])
    selection?.removeAllRanges()
  })
})

describe('Escape', () => {
  it('is taken by a popover in any tree of the page, and not by a dialog that the chat is in', () => {
    const place = inShadow('open')
    expect(isEscapeTaken(place)).toBe(false)
    const outside = document.body.appendChild(document.createElement('div'))
    const besides = inShadow('open')
    for (const parent of [document.body, place.parentElement ?? place, outside, besides]) {
      const popover = parent.appendChild(document.createElement('div'))
      popover.popover = 'auto'
      popover.showPopover()
      expect(isEscapeTaken(place)).toBe(true)
      popover.hidePopover()
      expect(isEscapeTaken(place)).toBe(false)
      popover.popover = 'manual'
      popover.showPopover()
      expect(isEscapeTaken(place)).toBe(false)
      popover.remove()
    }
    const dialog = document.body.appendChild(document.createElement('dialog'))
    const inner = dialog.appendChild(document.createElement('div')).attachShadow({ mode: 'closed' })
    const chat = inner.appendChild(document.createElement('section'))
    dialog.showModal()
    expect(isEscapeTaken(chat)).toBe(false)
    expect(isEscapeTaken(place)).toBe(true)
  })
})
