import type { ReactNode } from 'react'
import { Activity, useEffect, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { CapClient, backoff } from '../../src/index.ts'
import { Chat, ChatHeader, MarkdownProvider } from '../../src/components.ts'
import { markdownEngine } from '../../src/markdown.ts'
import { AgentProvider } from '../../src/react.ts'
import { translate } from '../markdown/view/foreign-changes/foreign-changes.ts'
import '../../src/styles.css'

// A page with a chat, of the kind that is behind the `?`. `window.kindPage` says what is on it.

/** What is on the page, read at once. */
export interface Shown {
  readonly questions: readonly string[]
  readonly answers: readonly string[]
  readonly isRunning: boolean
  readonly hasPopover: boolean
  readonly composer: string
}

export interface KindPage {
  readonly faults: string[]
  /** Shown texts of the last answer, in every frame since `watch`. */
  readonly samples: Set<string>
  watch(): void
  shown(): Shown
  /** The middle of the last such element, in CSS pixels of the window. Undefined: there is none, or it cannot be pressed there. */
  spot(selector: string): { readonly x: number; readonly y: number } | undefined
  /** Does what this kind of page does to a chat at any time. */
  disturb(): Promise<void>
}

declare global {
  interface Window {
    kindPage: KindPage
  }
}

const kind = new URLSearchParams(location.search).get('kind') ?? 'plain'
const faults: string[] = []
addEventListener('error', ({ message }) => faults.push(message))
addEventListener('unhandledrejection', ({ reason }) => faults.push(String(reason)))
document.addEventListener('securitypolicyviolation', ({ violatedDirective, sample }) =>
  faults.push(`${violatedDirective} ${sample}`),
)
const { error: report } = console
console.error = (...words: unknown[]) => {
  faults.push(words.map(String).join(' '))
  report(...words)
}

const client = new CapClient({ baseUrl: `/cap/${kind}`, retry: backoff({ baseMs: 10 }) })

function App(): ReactNode {
  return (
    <AgentProvider client={client}>
      <MarkdownProvider engine={markdownEngine}>
        <Chat
          header={
            <ChatHeader title="Desk">
              <button type="button" className="open-info" popoverTarget="info">
                Info
              </button>
              <div id="info" popover="auto">
                <p>About this desk</p>
              </div>
            </ChatHeader>
          }
        />
      </MarkdownProvider>
    </AgentProvider>
  )
}

/** Before a sheet is loaded, nothing is where it will be pressed. */
let hasLook = true

/** A sheet for a document or a shadow root that does not have that of the page. */
function sheetLink(page: Document): HTMLLinkElement {
  const link = page.createElement('link')
  link.rel = 'stylesheet'
  link.href = new URL('/page.css', location.href).href
  hasLook = false
  link.addEventListener('load', () => (hasLook = true))
  return link
}

function addMain(parent: ParentNode, page: Document): HTMLElement {
  const main = page.createElement('main')
  main.className = 'cs-root'
  parent.append(main)
  return main
}

const CONTROL = 'button[class^=cs-]'
const isNoControl = (text: Text): boolean => text.parentElement?.closest(CONTROL) === null

/** Translates as a browser does, some time after text is new. Text of a control at the worst time, between its press and its release. */
function translateLater(root: HTMLElement): void {
  let timer: number | undefined
  const observer = new MutationObserver(() => {
    timer ??= window.setTimeout(() => {
      timer = undefined
      translate(root, isNoControl)
    }, 100)
  })
  observer.observe(root, { subtree: true, childList: true, characterData: true })
  root.addEventListener('pointerdown', ({ target }) => {
    const control = (target as Element).closest(CONTROL)
    if (control) translate(control)
  })
}

let disturb = async (): Promise<void> => {}
/** The element that the chat is in, in its own document or shadow root. */
let place: HTMLElement

switch (kind) {
  case 'shadow': {
    const shadow = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' })
    shadow.append(sheetLink(document))
    place = addMain(shadow, document)
    createRoot(place).render(<App />)
    break
  }
  case 'frame': {
    const frame = document.body.appendChild(document.createElement('iframe'))
    frame.title = 'Chat'
    const inner = frame.contentDocument
    if (!inner) throw new Error('A frame without an address has a document.')
    inner.head.append(sheetLink(inner))
    place = addMain(inner.body, inner)
    createRoot(addMain(document.body, document)).render(createPortal(<App />, place))
    break
  }
  case 'window': {
    const popup = open('', '', 'popup,width=900,height=700')
    if (!popup) throw new Error('The browser blocked the window.')
    popup.document.title = 'Chat'
    popup.document.head.append(sheetLink(popup.document))
    place = addMain(popup.document.body, popup.document)
    createRoot(addMain(document.body, document)).render(createPortal(<App />, place))
    break
  }
  case 'activity': {
    place = addMain(document.body, document)
    const Hideable = (): ReactNode => {
      const [mode, setMode] = useState<'visible' | 'hidden'>('visible')
      useEffect(() => {
        disturb = async () => {
          setMode('hidden')
          await new Promise((resolve) => setTimeout(resolve, 50))
          flushSync(() => setMode('visible'))
        }
      }, [])
      return (
        <Activity mode={mode}>
          <App />
        </Activity>
      )
    }
    createRoot(place).render(<Hideable />)
    break
  }
  default: {
    place = addMain(document.body, document)
    createRoot(place).render(<App />)
    if (kind === 'translated') {
      translateLater(document.body)
      disturb = async () => translate(document.body, isNoControl)
    }
  }
}

const textsOf = (selector: string): string[] =>
  [...place.querySelectorAll(selector)].map(({ textContent }) => textContent ?? '')

/** The texts of each answer, without what is between them. */
const answers = (): string[] =>
  [...place.querySelectorAll('[data-role=assistant]')].map((message) =>
    [...message.querySelectorAll('.cs-prose')].map(({ textContent }) => textContent).join(''),
  )

const kindPage: KindPage = {
  faults,
  samples: new Set(),
  watch() {
    kindPage.samples.clear()
    const look = (): void => {
      kindPage.samples.add(answers().at(-1) ?? '')
      requestAnimationFrame(look)
    }
    look()
  },
  shown: () => ({
    questions: textsOf('[data-role=user] .cs-bubble'),
    answers: answers(),
    isRunning: place.querySelector('.cs-composer [aria-label="Stop"]') !== null,
    hasPopover: place.querySelector('#info:popover-open') !== null,
    composer: place.querySelector<HTMLTextAreaElement>('.cs-composer textarea')?.value ?? '',
  }),
  spot(selector) {
    const element = [...place.querySelectorAll(selector)].at(-1)
    if (!element || !hasLook) return undefined
    element.scrollIntoView({ block: 'nearest' })
    const { left, top, width, height } = element.getBoundingClientRect()
    const [x, y] = [left + width / 2, top + height / 2]
    // The root of what is on a page is a document or a shadow root.
    const hit = (element.getRootNode() as Document | ShadowRoot).elementFromPoint(x, y)
    if (!hit || !(element.contains(hit) || hit.contains(element))) return undefined
    const frame = element.ownerDocument.defaultView?.frameElement?.getBoundingClientRect()
    return { x: Math.round(x + (frame?.left ?? 0)), y: Math.round(y + (frame?.top ?? 0)) }
  },
  disturb: () => disturb(),
}
window.kindPage = kindPage
