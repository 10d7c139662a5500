// @vitest-environment jsdom
import { cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { act } from 'react'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { CapClient } from '../../src/protocols/cap/client/cap-client.ts'
import { AgentProvider } from '../../src/react/agent-provider.tsx'
import { createAgentHandler } from '../../src/server/handler/agent-handler.ts'
import type { Agent } from '../../src/server/run/agent.ts'
import type { GuideModule } from './guide-components.ts'
import { createGuideFolder, guideComponents } from './guide-components.ts'
import { snippetsOf } from './pages.ts'

// Every complete component of the guides, run with an agent that asks, fails and is stopped. A component that compiles and cannot
// answer, show a failure or stop is worse than none: people copy it.

configure({ asyncUtilTimeout: 10_000 })

const components = guideComponents()
const folder = createGuideFolder()
afterAll(() => folder.remove())

const MAIL = { to: 'ann@rivers.example' }
/** What the agent did after consent. */
let sent: unknown[]
let stopped: number
let agent: Agent

const asking: Agent = async function* (_request, run) {
  yield 'I have written it. '
  run.signal.addEventListener('abort', () => (stopped += 1))
  const answer = await run.ask({
    kind: 'approval',
    message: 'Send this mail?',
    subject: { name: 'send_mail', input: MAIL },
  })
  if (answer.type !== 'allowed') return
  sent.push(answer.input)
  yield 'It is sent.'
}
const failing: Agent = async function* () {
  yield 'Half of'
  throw new Error('The model failed.')
}
const working: Agent = async function* (_request, run) {
  yield 'I begin.'
  await new Promise<void>((resolve) => {
    run.signal.addEventListener('abort', () => {
      stopped += 1
      resolve()
    })
  })
}
const answering: Agent = async function* () {
  yield 'A whole answer.'
}

beforeAll(async () => {
  // Loaded on demand; loaded before, only promises are between.
  await import('../../src/components/prompt-components.ts')
})
beforeEach(() => {
  sent = []
  stopped = 0
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  )
  const respond = createAgentHandler({ agent: (request, run) => agent(request, run), onError: () => {} })
  // One server behind every address.
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) =>
    respond(new Request(new URL(url, 'https://agent.example'), init)),
  )
})
afterEach(() => {
  cleanup()
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

/** Shows the component of a module as a page would: below a provider, unless it brings one. */
async function show(module: GuideModule, code: string): Promise<void> {
  const Component = module['default'] ?? Object.values(module).at(-1)
  if (Component === undefined) return
  const id = crypto.randomUUID()
  const client = new CapClient({ baseUrl: 'https://agent.example' })
  const page: ReactNode = <Component conversationId={id} id={id} history={[]} />
  render(code.includes('AgentProvider') ? page : <AgentProvider client={client}>{page}</AgentProvider>)
}

const button = (name: RegExp): HTMLElement => {
  const found = screen.getAllByRole('button', { name }).find((each) => !each.hasAttribute('disabled'))
  if (found === undefined) throw new Error(`Every button ${String(name)} is disabled.`)
  return found
}
const press = (element: HTMLElement): Promise<void> =>
  act(async () => {
    fireEvent.pointerDown(element)
    fireEvent.click(element, { detail: 1 })
  })

/** Sends a message: types it where there is a box, else presses the button that sends one. */
async function ask(): Promise<void> {
  const box = screen.queryAllByRole('textbox').at(-1)
  if (box !== undefined) fireEvent.change(box, { target: { value: 'Tell Ann' } })
  await waitFor(() => button(/^(?:Send|Ask|إرسال)$/))
  await press(button(/^(?:Send|Ask|إرسال)$/))
}
const text = (): string => document.body.textContent ?? ''

describe.each(components)('the component of $name', ({ name, code, ...snippet }) => {
  const open = async (agentOfTest: Agent): Promise<void> => {
    agent = agentOfTest
    document.body.append(Object.assign(document.createElement('div'), { id: 'root' }))
    await act(async () => {
      await show(await folder.load({ name, code, ...snippet }), code)
    })
    await ask()
  }

  it('lets the user allow what the agent asks for, and continues', async () => {
    await open(asking)
    await waitFor(() => expect(text()).toContain('send_mail'))
    await waitFor(() => expect(text()).toContain(MAIL.to))
    expect(sent).toEqual([])
    const allow = await waitFor(() => button(/^(?:Allow|السماح)/))
    const card = allow.closest('.cs-prompt')
    if (card !== null) await waitFor(() => expect(card.hasAttribute('data-ready')).toBe(true))
    await press(allow)
    await waitFor(() => expect(text()).toContain('It is sent.'))
    expect(sent).toEqual([MAIL])
    agent = answering
    await ask()
    await waitFor(() => expect(text()).toContain('A whole answer.'))
  })

  it('shows a failure, and asks again', async () => {
    await open(failing)
    await waitFor(() => expect(text()).toContain('Half of'))
    const again = await waitFor(() => button(/(?:Try again|إعادة المحاولة)$/))
    agent = answering
    await press(again)
    await waitFor(() => expect(text()).toContain('A whole answer.'))
  })

  it.each([
    ['works', working, 'I begin.'],
    ['waits for the user', asking, 'send_mail'],
  ])('stops an agent that %s', async (_case, agentOfTest, words) => {
    await open(agentOfTest)
    await waitFor(() => expect(text()).toContain(words))
    await press(await waitFor(() => button(/^(?:Stop|إيقاف)$/)))
    await waitFor(() => expect(stopped).toBe(1))
    expect(sent).toEqual([])
    agent = answering
    await ask()
    await waitFor(() => expect(text()).toContain('A whole answer.'))
  })
})

describe('the complete components of the guides', () => {
  it('are found', () => {
    console.log(`Complete components of the guides that are run: ${components.length}`)
    expect(components.length).toBeGreaterThan(30)
    expect(snippetsOf({ path: 'x.md', text: '```tsx\n<Chat />\n```\n' })).toHaveLength(1)
  })
})
