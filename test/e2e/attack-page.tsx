import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { ErrorBanner, MarkdownBlock, MarkdownProvider, Message, RenderErrorContext } from '../../src/components.ts'
import { ChatContext } from '../../src/hooks/chat-context.ts'
import { markdownEngine } from '../../src/markdown.ts'
import type { Message as MessageValue } from '../../src/state/message.ts'
import { answer, createFakeChat, errorOf, text } from '../components/fake-chat.ts'

// A page that puts hostile text wherever an agent's words go, for a browser. What it notices itself is in `window.attacks`.

export interface AttackPage {
  /** What went wrong: broken rules of the policy, elements and attributes no part makes, renders that threw. */
  readonly faults: string[]
  /** Shows texts in every place there is, whole. */
  show(payloads: readonly string[]): void
  /** Shows texts as answers under way, each as far as its share of the steps says, one piece after the other. */
  stream(payloads: readonly string[], steps: number): void
  /** How much is there to be seen. */
  count(selector: string): number
  text(): string
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
      { type: 'media', id: 'media', items: ['image/png', 'video/mp4', payload].map((mimeType) => ({ url: payload, alt: payload, mimeType })) },
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
/** Ids are React's own, with a number of ours behind them. */
const OWN_ID = /^_?[\w:«»-]{0,24}$/

function look(): void {
  for (const { localName } of main.querySelectorAll(FORBIDDEN)) faults.push(`<${localName}>`)
  for (const element of main.querySelectorAll('*')) {
    for (const { name, value } of element.attributes) {
      if (name.startsWith('on') || name === 'name' || (name === 'style' && !/^inline-size: [\d.]+px;$/.test(value))) faults.push(`${element.localName} ${name}`)
      if (name === 'id' && !OWN_ID.test(value)) faults.push(`id ${value.slice(0, 50)}`)
      if (name === 'class' && !/^(?:cs-[a-z\d-]+ ?)*$/.test(value)) faults.push(`class ${value.slice(0, 50)}`)
      if ((name === 'href' && !/^(?:https?:\/\/|mailto:|tel:)/.test(value)) || name === 'src') faults.push(`${element.localName} ${name} ${value.slice(0, 50)}`)
    }
    if (element.matches('a a, a button, button a, button button')) faults.push(`${element.localName} in what can be pressed`)
  }
  for (const name of Object.getOwnPropertyNames(window)) if (!globals.has(name) && name !== 'attacks') faults.push(`window.${name}`)
  if (Object.keys(Object.prototype).length > 0) faults.push('Object.prototype')
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth > clientWidth) faults.push(`${scrollWidth - clientWidth} px outside of the page`)
}

window.attacks = {
  faults,
  show(payloads) {
    chat.set({ messages: payloads.map((payload, at) => everywhere(`m-${at}`, payload)) })
    render(
      payloads.map((payload, at) => (
        // Texts stand still here.
        // oxlint-disable-next-line react/no-array-index-key
        <section key={at}>
          <Message messageId={`m-${at}`} />
          <MarkdownBlock content={payload} />
          <ErrorBanner error={errorOf({ message: payload, agentCode: payload })} />
        </section>
      )),
    )
    look()
    render(null)
  },
  stream(payloads, steps) {
    const messagesAt = (step: number): readonly MessageValue[] =>
      payloads.map((payload, at) => answer(`m-${at}`, [text(payload.slice(0, Math.ceil((payload.length * step) / steps)))], { status: step === steps ? 'complete' : 'streaming' }))
    chat.set({ messages: messagesAt(0) })
    render(payloads.map((_, at) => <Message key={`m-${at}`} messageId={`m-${at}`} />)) // oxlint-disable-line react/no-array-index-key -- as above
    for (let step = 1; step <= steps; step++) {
      flushSync(() => chat.set({ messages: messagesAt(step) }))
      look()
    }
    render(null)
  },
  count: (selector) => main.querySelectorAll(selector).length,
  text: () => main.textContent,
  plant(kind) {
    const link = document.createElement('a')
    main.append(link)
    if (kind === 'markup') main.innerHTML = '<b>bold</b>'
    if (kind === 'picture') new Image().src = 'http://elsewhere.invalid/pixel.png'
    if (kind === 'script') link.setAttribute('onclick', 'alert(1)')
    if (kind === 'attribute') link.setAttribute('style', 'position: fixed')
    // oxlint-disable-next-line no-script-url -- what it is about
    if (kind === 'link') link.href = 'javascript:alert(1)'
    look()
    link.remove()
  },
}
