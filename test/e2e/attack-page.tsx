import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { ErrorBanner, MarkdownProvider, Message, RenderErrorContext } from '../../src/components.ts'
import { ChatContext } from '../../src/hooks/chat-context.ts'
import { markdownEngine } from '../../src/markdown.ts'
import type { Message as MessageValue } from '../../src/state/message.ts'
import { answer, createFakeChat, errorOf, text } from '../components/fake-chat.ts'

// A page that puts hostile text wherever an agent's words go, for a browser. What it notices itself is in `window.attacks`.

export interface AttackPage {
  /** What went wrong: broken rules of the policy, elements and attributes no part makes, renders that threw. */
  readonly faults: string[]
  /** Shows texts in every place there is, whole, and says how many answers with markdown and a source were there. */
  show(payloads: readonly string[]): number
  /** Shows texts as answers under way, in so many steps, and says how many of them were markdown in the end. */
  stream(payloads: readonly string[], steps: number): number
  /** Does what a careless renderer would, to see that it is noticed. */
  plant(kind: 'markup' | 'picture' | 'script' | 'attribute' | 'link'): void
}

declare global {
  interface Window {
    attacks: AttackPage
  }
}

const faults: string[] = []
document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => faults.push(`${violatedDirective} ${blockedURI} ${sample}`.slice(0, 200)))

const globals = new Set(Object.getOwnPropertyNames(window))
const chat = createFakeChat()
const main = document.createElement('main')
document.body.append(main)
const root = createRoot(main, { onUncaughtError: (error) => faults.push(`uncaught: ${String(error).slice(0, 200)}`) })
const broke = (error: unknown): void => void faults.push(`thrown: ${String(error).slice(0, 200)}`)

function render(parts: ReactNode): void {
  flushSync(() =>
    root.render(
      <RenderErrorContext.Provider value={broke}>
        <MarkdownProvider engine={markdownEngine}>
          <ChatContext.Provider value={chat}>{parts}</ChatContext.Provider>
        </MarkdownProvider>
      </RenderErrorContext.Provider>,
    ),
  )
}

function everywhere(id: string, payload: string): MessageValue {
  const error = errorOf({ message: payload, agentCode: payload })
  return answer(
    id,
    [
      text(payload),
      { type: 'markdown', id: 'markdown', content: payload },
      { type: 'citations', id: 'citations', citations: [{ sourceId: payload, uri: payload, title: payload, snippet: payload, text: payload.slice(0, 8) }] },
      { type: 'media', id: 'media', items: ['image/png', payload].map((mimeType) => ({ url: payload, alt: payload, mimeType })) },
      { type: 'artifact', id: 'artifact', artifactId: payload, url: payload, mimeType: payload, artifactType: payload },
      { type: 'notice', id: 'notice', message: payload, code: payload },
      { type: 'data', id: 'data', data: { [payload]: payload } },
      { type: 'tool-call', id: 'tool', name: payload, input: payload, status: 'complete' },
      { type: 'warning', id: 'warning', error },
    ],
    { status: 'failed', error },
  )
}

const FORBIDDEN = 'script, iframe, frame, object, embed, applet, base, meta, link, style, form, template, noscript, use, animate, set, foreignObject, audio, source, track, [srcset], [srcdoc], [formaction], [ping], [background], [action]'
const PRESSED_TOGETHER = 'a a, a button, button a, button button'
/** Ids are React's own, with a number of ours behind them. */
const OWN_ID = /^_?[\w:«»-]{0,24}$/
const OWN_CLASS = /^(?:cs-[a-z\d-]+ ?)*$/
const SAFE_LINK = /^(?:https?:\/\/|mailto:|tel:)/

/** Elements and attributes, as they stand on the page. */
function look(): void {
  for (const { localName } of main.querySelectorAll(FORBIDDEN)) faults.push(`<${localName}>`)
  for (const { localName } of main.querySelectorAll(PRESSED_TOGETHER)) faults.push(`${localName} in what can be pressed`)
  for (const element of main.getElementsByTagName('*')) {
    for (const name of element.getAttributeNames()) {
      const value = element.getAttribute(name) ?? ''
      if (name.startsWith('on') || name === 'name' || name === 'src' || (name === 'style' && !/^inline-size: [\d.]+px;$/.test(value))) faults.push(`${element.localName} ${name}`)
      else if ((name === 'id' && !OWN_ID.test(value)) || (name === 'class' && !OWN_CLASS.test(value)) || (name === 'href' && !SAFE_LINK.test(value))) faults.push(`${name} ${value.slice(0, 50)}`)
    }
  }
}

/** What is not in an element: the page's own objects, and its width. */
function lookAround(): void {
  for (const name of Object.getOwnPropertyNames(window)) if (!globals.has(name) && name !== 'attacks') faults.push(`window.${name}`)
  if (Object.keys(Object.prototype).length > 0) faults.push('Object.prototype')
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth > clientWidth) faults.push(`${scrollWidth - clientWidth} px outside of the page`)
}

/** How much of it was there, before the page is empty again. */
function emptied(selector: string): number {
  const found = main.querySelectorAll(selector).length
  render(null)
  return found
}

window.attacks = {
  faults,
  show(payloads) {
    chat.set({ messages: payloads.map((payload, at) => everywhere(`m-${at}`, payload)) })
    render(
      payloads.map((payload, at) => (
        <section key={`m-${at}`}>
          <Message messageId={`m-${at}`} />
          <ErrorBanner error={errorOf({ message: payload, agentCode: payload })} />
        </section>
      )),
    )
    look()
    lookAround()
    return emptied('.cs-message[data-status="failed"]:has(.cs-md):has(.cs-source-item)')
  },
  stream(payloads, steps) {
    const messagesAt = (step: number): readonly MessageValue[] =>
      payloads.map((payload, at) => answer(`m-${at}`, [text(payload.slice(0, Math.ceil((payload.length * step) / steps)))], { status: step === steps ? 'complete' : 'streaming' }))
    chat.set({ messages: messagesAt(0) })
    render(payloads.map((_, at) => <Message key={`m-${at}`} messageId={`m-${at}`} />))
    for (let step = 1; step <= steps; step++) {
      flushSync(() => chat.set({ messages: messagesAt(step) }))
      look()
    }
    lookAround()
    return emptied('.cs-message[data-status="complete"] .cs-md')
  },
  plant(kind) {
    const link = document.createElement('a')
    main.append(link)
    if (kind === 'markup') main.innerHTML = '<b>bold</b>'
    if (kind === 'picture') new Image().src = 'http://elsewhere.invalid/pixel.png'
    if (kind === 'script') link.setAttribute('onclick', 'alert(1)')
    if (kind === 'attribute') link.setAttribute('style', 'position: fixed')
    if (kind === 'link') link.href = 'javascript:alert(1)'
    look()
    link.remove()
  },
}
