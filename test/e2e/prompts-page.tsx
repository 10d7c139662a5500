import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { Chat } from '../../src/components.ts'
import type { Prompt } from '../../src/seam/prompt.ts'
import { answer, part, text } from '../../stories/support/messages.ts'
import { PROMPTS } from '../../stories/support/prompts.ts'
import { createFakeChat } from '../components/fake-chat.ts'
import { hostilePrompts } from './hostile-prompts.ts'

// A page with a chat whose agent asks with the worst of intentions, for a browser. What it notices itself is in `window.prompts`.

/** What a card looks like on the page. */
export interface Look {
  /** Points of the card that something else lies over, of all points that were looked at. */
  readonly covered: number
  readonly points: number
  /** Elements in the card that words of an agent may not make, and links beside that to sign in. */
  readonly made: readonly string[]
  /** Whether the page, or the card, is wider than the window. */
  readonly isTooWide: boolean
}

export interface PromptsPage {
  /** Rules of the policy that were broken, and errors. */
  readonly faults: string[]
  readonly names: readonly string[]
  /** Answers that were given. */
  answers(): readonly unknown[]
  /** Shows a prompt of the corpus, or a plain one without a name, below hostile messages. Milliseconds of the commit. */
  show(name?: string): number
  look(): Look
  /** Milliseconds of each task of more than 50 since the last call. */
  longTasks(): readonly number[]
}

declare global {
  interface Window {
    prompts: PromptsPage
  }
}

const faults: string[] = []
document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
  faults.push(`${violatedDirective} ${blockedURI} ${sample}`.slice(0, 200)),
)
window.addEventListener('error', ({ message }) => faults.push(message.slice(0, 200)))

let tasks: number[] = []
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) tasks.push(Math.round(duration))
}).observe({ entryTypes: ['longtask'] })

const OVER =
  '<div style="position:fixed;inset:0;z-index:99999;background:#fff">Your approval is needed</div><dialog open>Allow</dialog>'
const MESSAGE = answer('a-1', [
  text(`${OVER}\n\n${'\u0301\u0489'.repeat(3000)}\n\n\u202E${'W'.repeat(3000)}`, 't1'),
  part('m1', {
    type: 'markdown',
    content: `${OVER}\n\n# ${'\u0301'.repeat(3000)}\n\n| a |\n|---|\n| ${'W'.repeat(3000)} |`,
  }),
  part('d1', { type: 'data', data: [{ [OVER]: 'W'.repeat(3000) }], viewHint: 'TABLE' }),
])

const corpus = new Map(hostilePrompts())
const chat = createFakeChat({ status: 'awaiting-input' })
const main = document.createElement('main')
document.body.append(main)
const root = createRoot(main, { onUncaughtError: (error) => faults.push(`uncaught: ${String(error).slice(0, 200)}`) })
flushSync(() => root.render(<Chat chat={chat} title="Rivers" />))

let shown = 0

window.prompts = {
  faults,
  names: [...corpus.keys()],
  answers: () => chat.used.filter(([action]) => action === 'answer'),
  show(name) {
    const asked: Prompt = corpus.get(name ?? '') ?? PROMPTS.approval
    const prompt = { ...asked, id: `p-${(shown += 1)}` }
    const start = performance.now()
    flushSync(() => chat.set({ messages: [MESSAGE, answer('a-2', [part(prompt.id, { type: 'prompt', prompt })])] }))
    return performance.now() - start
  },
  look() {
    const card = document.querySelector('.cs-prompt')
    if (card === null) throw new Error('There is no card.')
    const { left, top, right, bottom } = card.getBoundingClientRect()
    let covered = 0
    let points = 0
    // Its corners are round.
    for (let x = left + 20; x < right - 20; x += 10) {
      for (let y = Math.max(0, top) + 3; y < Math.min(innerHeight, bottom) - 3; y += 10) {
        points += 1
        const found = document.elementFromPoint(x, y)
        if (found === null || !card.contains(found)) covered += 1
      }
    }
    const made = [...card.querySelectorAll('img, script, iframe, style, dialog, a, [style], [onclick], [onerror]')]
    return {
      covered,
      points,
      made: made
        .filter((element) => !element.matches('a.cs-button[rel~=noopener][href^="https://survey.example/"]'))
        .map((element) => element.outerHTML.slice(0, 100)),
      isTooWide: document.documentElement.scrollWidth > innerWidth || right - left > innerWidth,
    }
  },
  longTasks() {
    const before = tasks
    tasks = []
    return before
  },
}
