import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { ErrorBanner, MarkdownProvider, Message, RenderErrorContext } from '../../src/components.ts'
import { ChatContext } from '../../src/react/chat-context.ts'
import { markdownEngine } from '../../src/markdown.ts'
import type { ChatMessage } from '../../src/state/turn.ts'
import { answer, createFakeChat, errorOf, text } from '../components/fake-chat.ts'

// A page that puts hostile text wherever an agent's words go, for a browser. What it notices itself is in `window.attacks`.

export interface AttackPage {
  /** What went wrong: broken rules of the policy, elements and attributes no part makes, renders that threw. */
  readonly faults: string[]
  /** Shows texts in every place there is, whole, and says how many answers with markdown and a source were there. */
  show(payloads: readonly string[]): number
  /**
   * Shows texts as answers under way, all of them side by side, each with one code unit more in every commit, and looks at all
   * that each commit made or changed. What is longer than `WHOLE` comes in 16 pieces between its beginning and its end.
   */
  grow(payloads: readonly string[]): Grown
  /** Does what a careless renderer would, to see that it is noticed. */
  plant(kind: 'markup' | 'picture' | 'script' | 'attribute' | 'link' | 'passing'): void
}

/** What was seen of texts that grew. */
export interface Grown {
  /** How many of them were markdown in the end. */
  readonly shown: number
  /** How many beginnings of them were on the page. */
  readonly cuts: number
  /** How many elements were made, and attributes changed, on the way. */
  readonly changes: number
}

declare global {
  interface Window {
    attacks: AttackPage
  }
}

const faults: string[] = []
document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
  faults.push(`${violatedDirective} ${blockedURI} ${sample}`.slice(0, 200)),
)

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

function everywhere(id: string, payload: string): ChatMessage {
  const error = errorOf({ message: payload, agentCode: payload })
  return answer(
    id,
    [
      text(payload),
      { type: 'markdown', id: 'markdown', content: payload },
      {
        type: 'citations',
        id: 'citations',
        citations: [{ sourceId: payload, uri: payload, title: payload, snippet: payload, text: payload.slice(0, 8) }],
      },
      {
        type: 'media',
        id: 'media',
        items: ['image/png', payload].map((mimeType) => ({ url: payload, alt: payload, mimeType })),
      },
      { type: 'artifact', id: 'artifact', artifactId: payload, url: payload, mimeType: payload, artifactType: payload },
      { type: 'notice', id: 'notice', message: payload, code: payload },
      { type: 'data', id: 'data', data: { [payload]: payload } },
      { type: 'tool-call', id: 'tool', name: payload, input: payload, status: 'complete' },
      { type: 'warning', id: 'warning', error },
    ],
    { status: 'failed', error },
  )
}

const FORBIDDEN =
  'script, iframe, frame, object, embed, applet, base, meta, link, style, form, template, noscript, use, animate, set, foreignObject, audio, source, track, [srcset], [srcdoc], [formaction], [ping], [background], [action]'
const PRESSED_TOGETHER = 'a a, a button, button a, button button'
/** Ids are React's own, with a number of ours behind them. */
const OWN_ID = /^_?[\w:«»-]{0,24}$/
const OWN_CLASS = /^(?:cs-[a-z\d-]+ ?)*$/
/** Widths of columns, and where the first line of a stretch of a long paragraph begins: numbers capstan has measured. */
const OWN_STYLE = /^inline-size: [\d.]+px;$|^text-indent: [\d.]+px; margin-block-start: -?[\d.]+px;$/
const SAFE_LINK = /^(?:https?:\/\/|mailto:|tel:)/

/** An element and its attributes. */
function lookAt(element: Element): void {
  if (element.matches(FORBIDDEN)) faults.push(`<${element.localName}>`)
  if (element.matches(PRESSED_TOGETHER)) faults.push(`${element.localName} in what can be pressed`)
  for (const name of element.getAttributeNames()) {
    const value = element.getAttribute(name) ?? ''
    if (name.startsWith('on') || name === 'name' || name === 'src' || (name === 'style' && !OWN_STYLE.test(value)))
      faults.push(`${element.localName} ${name}`)
    else if (
      (name === 'id' && !OWN_ID.test(value)) ||
      (name === 'class' && !OWN_CLASS.test(value)) ||
      (name === 'href' && !SAFE_LINK.test(value))
    )
      faults.push(`${name} ${value.slice(0, 50)}`)
  }
}

/** All that is on the page. */
function look(): void {
  for (const element of main.getElementsByTagName('*')) lookAt(element)
}

function watch(): MutationObserver {
  // Nothing else runs while texts grow, so that its records are asked for and never brought.
  const observer = new MutationObserver(() => {})
  observer.observe(main, { subtree: true, childList: true, attributes: true })
  return observer
}

/** What was made or changed since the last time, also where it is gone again; and how much that was. */
function lookAtNew(records: readonly MutationRecord[]): number {
  const changed = new Set<Element>()
  for (const { type, target, addedNodes } of records) {
    if (type === 'attributes' && target instanceof Element) changed.add(target)
    for (const node of addedNodes) {
      if (!(node instanceof Element)) continue
      changed.add(node)
      for (const element of node.getElementsByTagName('*')) changed.add(element)
    }
  }
  for (const element of changed) lookAt(element)
  return changed.size
}

/** Longer texts, which say one thing again and again, are cut after each of their first 500 code units and their last 80, and fifteen times between them. */
const WHOLE = 7_000
const FIRST = 500
const LAST = 80

/** Where a text ends, commit by commit. */
function* endsOf({ length }: string): Generator<number, undefined> {
  const rest = Math.ceil((length - FIRST - LAST) / 16)
  const alone = (end: number): boolean => length <= WHOLE || end < FIRST || end >= length - LAST
  for (let end = 0; end < length; yield end) end = alone(end) ? end + 1 : Math.min(length - LAST, end + rest)
}

/** What is not in an element: the page's own objects, and its width. */
function lookAround(): void {
  for (const name of Object.getOwnPropertyNames(window))
    if (!globals.has(name) && name !== 'attacks') faults.push(`window.${name}`)
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
  grow(payloads) {
    let cuts = 0
    let changes = 0
    let under = payloads.map((payload, at) => ({
      payload,
      ends: endsOf(payload),
      message: answer(`m-${at}`, [text('')], { status: 'streaming' }),
    }))
    const messages = under.map(({ message }) => message)
    const changed = watch()
    chat.set({ messages: [...messages] })
    render(messages.map(({ id }) => <Message key={id} messageId={id} />))
    while (under.length > 0) {
      for (const { payload, ends, message } of under) {
        const end = ends.next().value
        const at = Number(message.id.slice(2))
        messages[at] =
          end === undefined
            ? { ...(messages[at] ?? message), status: 'complete' }
            : { ...message, parts: [text(payload.slice(0, end))] }
        if (end !== undefined) cuts++
      }
      flushSync(() => chat.set({ messages: [...messages] }))
      changes += lookAtNew(changed.takeRecords())
      under = under.filter(({ message }) => messages[Number(message.id.slice(2))]?.status === 'streaming')
    }
    changed.disconnect()
    look()
    lookAround()
    return { shown: emptied('.cs-message[data-status="complete"] .cs-md'), cuts, changes }
  },
  plant(kind) {
    const link = document.createElement('a')
    main.append(link)
    if (kind === 'passing') {
      const changed = watch()
      const form = document.createElement('form')
      link.append(form)
      form.remove()
      lookAtNew(changed.takeRecords())
      changed.disconnect()
    }
    if (kind === 'markup') main.innerHTML = '<b>bold</b>'
    if (kind === 'picture') new Image().src = 'http://elsewhere.invalid/pixel.png'
    if (kind === 'script') link.setAttribute('onclick', 'alert(1)')
    if (kind === 'attribute') link.setAttribute('style', 'position: fixed')
    if (kind === 'link') link.href = 'javascript:alert(1)'
    look()
    link.remove()
  },
}
