import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { Chat } from '../../src/components.ts'
import { german } from '../../src/locales.ts'
import type { Prompt } from '../../src/seam/prompt.ts'
import { answer, connectionAt, part, said, text } from '../../stories/support/messages.ts'
import { optionOf, promptOf, PROMPTS } from '../../stories/support/prompts.ts'
import { createFakeChat } from '../components/fake-chat.ts'

// A page with a chat whose agent asks while it answers, for a browser: the space that a prompt takes, and what moves for it.

export interface PromptSpacePage {
  /** Names of the prompts that can be shown. */
  readonly names: readonly string[]
  /** Shows a conversation whose last answer is being written and has this many paragraphs. */
  begin(paragraphs: number): void
  ask(name: string): void
  /** The prompt is answered, and the answer continues. */
  settle(): void
  /** Cumulative layout shift since the last call, with each element that shifted. */
  shifts(): { readonly score: number; readonly of: readonly string[] }
  /** Upper edge of each block of the last turn, in CSS pixels of the page. */
  textTops(): readonly number[]
  /** Controls of the card that can be used. */
  controls(): number
  /** The focused control of the card, and how many rows of its pixels are not on the page or lie below something else. */
  focused(): { readonly name: string; readonly hiddenRows: number } | undefined
}

declare global {
  interface Window {
    space: PromptSpacePage
  }
}

let score = 0
let shifted: string[] = []
const observer = new PerformanceObserver((list) => note(list.getEntries()))
observer.observe({ type: 'layout-shift', buffered: true })

/** The members of Chromium's `LayoutShift`, which TypeScript does not declare. */
interface LayoutShift extends PerformanceEntry {
  readonly value: number
  readonly sources: readonly { readonly node: Node | null }[]
}

function note(entries: PerformanceEntryList): void {
  for (const entry of entries) {
    const { value, sources } = entry as LayoutShift
    score += value
    shifted.push(
      ...sources.map(({ node }) => (node instanceof Element ? node.className : (node?.nodeName ?? 'pseudo'))),
    )
  }
}

const SENTENCE =
  'The bank gives way where the water is fastest, and what it takes is laid down again on the other side.'

const prompts: Readonly<Record<string, Prompt>> = {
  ...PROMPTS,
  'choice of many': promptOf({
    kind: 'choice',
    message: 'Which weir do you mean?',
    options: Array.from({ length: 7 }, (_, index) => optionOf('neutral', `Weir ${index + 1}`)),
  }),
  'long form': promptOf({
    kind: 'form',
    message: 'Some gauges have no width. What should I use for each of them?',
    schema: {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 6 }, (_, index) => [`gauge${index}`, { type: 'number', title: `Gauge ${index}, metres` }]),
      ),
    },
  }),
  'long approval': promptOf({
    message: `May I send this mail? ${SENTENCE.repeat(3)}`,
    subject: { name: 'send_mail', input: { to: 'office@example.org', text: SENTENCE.repeat(8) }, digest: 'd-long' },
    options: [
      optionOf('allow-once', 'Allow'),
      optionOf('allow-once', 'Allow for this conversation'),
      optionOf('reject-once', 'Deny'),
      optionOf('reject-once', 'Deny for this conversation'),
    ],
    expiresAt: Date.now() + 3_600_000,
    onExpiry: 'cancel',
  }),
}

const { searchParams } = new URL(location.href)
const chat = createFakeChat()
const main = document.createElement('main')
document.body.append(main)
flushSync(() =>
  createRoot(main).render(
    <Chat chat={chat} title="Rivers" {...(searchParams.get('lang') === 'de' ? { strings: german } : {})} />,
  ),
)

const earlier = [said('u-0', 'What is a meander?'), answer('a-0', [text(SENTENCE)])]
const question = said('u-1', 'Why do rivers meander?')
const connection = connectionAt({ phase: 'streaming' })
let written = [text('')]

const streaming = (parts: typeof written) => [...earlier, question, answer('a-1', parts, { status: 'streaming' })]

window.space = {
  names: Object.keys(prompts),
  begin(paragraphs) {
    written = [text(Array.from({ length: paragraphs }, () => SENTENCE).join('\n\n'), 'text')]
    chat.set({ messages: earlier, status: 'ready' })
    chat.set({ messages: [...earlier, question], status: 'submitted', connection })
    chat.set({ messages: streaming(written), status: 'streaming' })
  },
  ask(name) {
    const prompt = prompts[name]
    if (prompt === undefined) throw new Error(`There is no prompt ${name}.`)
    chat.set({
      messages: streaming([...written, part(prompt.id, { type: 'prompt', prompt })]),
      status: 'awaiting-input',
    })
  },
  settle() {
    chat.set({ messages: streaming(written), status: 'streaming' })
  },
  shifts() {
    note(observer.takeRecords())
    const found = { score, of: shifted }
    score = 0
    shifted = []
    return found
  },
  textTops() {
    const blocks = [...document.querySelectorAll('.cs-turn:last-child :is(.cs-bubble, .cs-prose p)')]
    return blocks.map((block) => Math.round(block.getBoundingClientRect().top))
  },
  controls() {
    const radios = document.querySelectorAll('.cs-prompt input[type=radio]').length
    // The keyboard comes to a group of radio buttons once.
    return (
      document.querySelectorAll('.cs-prompt :is(button, a, input, select, textarea)').length - Math.max(0, radios - 1)
    )
  },
  focused() {
    const control = document.activeElement
    if (!control?.matches('.cs-prompt :is(button, a, input, select, textarea)')) return undefined
    const { left, width, top, bottom } = control.getBoundingClientRect()
    let hiddenRows = 0
    for (let y = top + 1; y < bottom - 1; y += 1) {
      const isHidden = [0.2, 0.5, 0.8].some((part) => {
        const found = document.elementFromPoint(left + width * part, y)
        // The corners of a round one belong to its label.
        return found === null || !(control.contains(found) || found.closest('label')?.contains(control) === true)
      })
      if (isHidden) hiddenRows += 1
    }
    return { name: control.textContent || (control.getAttribute('name') ?? control.tagName), hiddenRows }
  },
}
