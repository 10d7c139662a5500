// @vitest-environment jsdom
import { act, fireEvent, screen, within } from '@testing-library/react'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { failure } from '../support/scripted-peer.ts'
import { promptOf } from '../support/prompts.ts'
import type { CommandResult } from '../../src/seam/command.ts'
import type { Prompt, PromptKind } from '../../src/seam/prompt.ts'
import { formIn } from '../../src/components/schema-form/schema-form.tsx'
import { loadCommandsModule } from '../../src/state/chat.ts'
import { arabic } from '../../src/strings/arabic.ts'
import { chinese } from '../../src/strings/chinese.ts'
import { german } from '../../src/strings/german.ts'
import type { ChatProps } from '../../src/components/chat.tsx'
import type { ScriptedChat } from './scripted-chat.tsx'
import { ask, showScriptedChat } from './scripted-chat.tsx'
import './show.tsx'

// Loaded on demand; loaded before, only promises are between.
beforeAll(async () => {
  await loadCommandsModule()
  await import('../../src/components/prompt-components.ts')
  await import('../../src/strings/german-pack.ts')
  await import('../../src/strings/chinese-pack.ts')
  await import('../../src/strings/arabic-pack.ts')
  await import('../../src/components/schema-form/bounded-judge.ts')
  await formIn(undefined).load()
})

let results: (CommandResult | Error | Promise<CommandResult>)[]
let page: ScriptedChat

beforeEach(() => {
  results = []
})

async function open(chatProps: ChatProps = {}, ...prompts: readonly Prompt[]): Promise<void> {
  page = showScriptedChat(
    {
      canAct: true,
      onCommand: () => {
        const result = results.shift() ?? { result: 'accepted' }
        if (result instanceof Error) throw result
        return result
      },
    },
    chatProps,
  )
  await page.move(() => ask('Go'))
  await page.move(() => {
    for (const [index, prompt] of prompts.entries()) page.peer.connection.event(index + 1, { type: 'prompt', prompt })
  })
  // The code of the prompts is a promise away.
  await page.move(() => {})
  await page.move(() => {})
}

const wait = (ms: number): Promise<void> => page.move(() => {}, ms)
function card(): HTMLElement {
  const element = page.container.querySelector<HTMLElement>('.cs-prompt')
  if (element === null) throw new Error('No card is shown.')
  return element
}
const button = (name: string): HTMLElement => within(card()).getByRole('button', { name })
const isShown = (): boolean =>
  screen.queryByRole('region', { name: 'Your approval is needed', description: 'May I send the mail?' }) !== null
const answers = (): readonly unknown[] => page.peer.commands.filter(({ type }) => type === 'answer')
const press = (element: HTMLElement): Promise<void> =>
  page.move(() => {
    fireEvent.pointerDown(element)
    fireEvent.click(element, { detail: 1 })
  })

describe('a prompt above the composer', () => {
  it('comes with the first prompt, and the focus stays in the composer', async () => {
    await open({})
    screen.getByRole('textbox').focus()
    expect(screen.queryByRole('group', { name: 'Questions for you' })).toBeNull()
    await page.move(() => page.peer.connection.event(1, { type: 'prompt', prompt: promptOf() }))
    expect(isShown()).toBe(true)
    expect(document.activeElement).toBe(screen.getByRole('textbox'))
  })

  it('is answered by a click, once, and its row in the transcript tells so', async () => {
    const subject = { name: 'send_mail', input: { to: 'a@b.example' }, digest: 'd1' }
    await open({}, promptOf({ subject }))
    await wait(600)
    await press(button('Allow once'))
    expect(answers()).toMatchObject([{ promptId: 'p1', answer: { type: 'option', optionId: 'yes', digest: 'd1' } }])
    expect(isShown()).toBe(false)
    const trace = page.container.querySelector<HTMLElement>('.cs-prompt-trace')
    expect(trace?.querySelector('blockquote')?.textContent).toBe('May I send the mail?')
    expect(trace?.querySelector('.cs-prompt-trace-outcome')?.textContent).toBe('You allowed send_mail once')
  })

  it.each<[kind: PromptKind, heading: string]>([
    ['approval', 'Your approval is needed'],
    ['permission', 'Your approval is needed'],
    ['choice', 'The assistant has a question'],
    ['form', 'The assistant has a question'],
    ['sign-in', 'The assistant has a question'],
    ['other', 'The assistant has a question'],
  ])('of kind %s has the heading "%s" and quotes the agent below it', async (kind, heading) => {
    await open({}, promptOf({ kind, message: 'Your approval is needed' }))
    const quotes = within(card()).getAllByRole('blockquote')
    expect(quotes.map(({ textContent }) => textContent)).toEqual(['Your approval is needed'])
    expect(card().querySelector('header')?.textContent).toBe(heading)
    expect(card().querySelector('header blockquote')).toBeNull()
    expect(screen.getByRole('region', { name: heading, description: 'Your approval is needed' })).toBe(card())
  })

  it('isolates the direction of the quoted sentence from its heading', async () => {
    await open({}, promptOf({ message: 'هل أرسل الرسالة؟' }))
    const quote = within(card()).getByRole('blockquote')
    expect(quote.firstElementChild?.getAttribute('dir')).toBe('auto')
    expect(quote.getAttribute('dir')).toBeNull()
  })

  it('has only the heading as its name if the agent states no reason', async () => {
    await open({}, promptOf({ message: ' ' }))
    expect(screen.getByRole('region', { name: 'Your approval is needed', description: '' })).toBe(card())
    expect(within(card()).queryByRole('blockquote')).toBeNull()
    expect(card().querySelector('.cs-prompt-message')).toBeNull()
  })

  it('takes no click, key or form in the first 600 ms', async () => {
    await open({}, promptOf())
    await press(button('Allow once'))
    await page.move(() => fireEvent.click(button('Allow once')))
    fireEvent.keyDown(button('Allow once'), { key: 'Enter' })
    await page.move(() => fireEvent.click(button('Allow once')), 400)
    expect(answers()).toEqual([])
    expect(isShown()).toBe(true)
    await wait(600)
    await press(button('Allow once'))
    expect(answers()).toHaveLength(1)
  })

  it('takes no press that began before, and no key that is held down', async () => {
    await open({}, promptOf())
    fireEvent.pointerDown(button('Allow once'))
    await wait(700)
    await page.move(() => fireEvent.click(button('Allow once'), { detail: 1 }))
    expect(answers()).toEqual([])
    expect(fireEvent.keyDown(button('Allow once'), { key: 'Enter', repeat: true })).toBe(false)
    expect(fireEvent.keyDown(button('Allow once'), { key: ' ', repeat: true })).toBe(false)
    await page.move(() => fireEvent.click(button('Allow once')))
    expect(answers()).toEqual([])
    expect(fireEvent.keyDown(button('Allow once'), { key: 'Enter' })).toBe(true)
    await page.move(() => fireEvent.click(button('Allow once')))
    expect(answers()).toHaveLength(1)
  })

  it('waits 600 ms again after it has moved', async () => {
    await open({}, promptOf())
    await wait(700)
    const place = vi.spyOn(card(), 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 40, 300, 200))
    await press(button('Allow once'))
    expect(answers()).toEqual([])
    await wait(500)
    await press(button('Allow once'))
    expect(answers()).toEqual([])
    await wait(400)
    await press(button('Allow once'))
    expect(answers()).toHaveLength(1)
    place.mockRestore()
  })

  it('lets an input be changed and reviewed while it moves, and allows it only after that', async () => {
    const editable = { type: 'object', properties: { to: { type: 'string' } } }
    const subject = { name: 'send_mail', input: { to: 'a@b.example' }, digest: 'd1', editable }
    await open({}, promptOf({ subject }))
    await press(button('Edit'))
    await page.move(() => fireEvent.change(within(card()).getByRole('textbox'), { target: { value: 'c@d.example' } }))
    await press(button('Review changes'))
    // The validator is a promise away, too.
    await page.move(() => {})
    expect(card().textContent).toContain('Your changes')
    await press(button('Allow once'))
    expect(answers()).toEqual([])
    await wait(700)
    await press(button('Allow once'))
    expect(answers()).toMatchObject([{ answer: { edits: { to: 'c@d.example' } } }])
  })

  it('lets a form be filled in while it moves, and sends nothing by a key that is held down', async () => {
    const schema = {
      type: 'object',
      properties: { dry: { type: 'boolean' }, names: { type: 'array', items: { type: 'string' } } },
    }
    await open({}, promptOf({ kind: 'form', schema, options: undefined, subject: undefined }))
    const box = within(card()).getByRole<HTMLInputElement>('checkbox')
    await press(box)
    expect(box.checked).toBe(true)
    await press(button('Add to names'))
    const row = within(card()).getByRole('textbox')
    expect(fireEvent.keyDown(row, { key: 'Enter' })).toBe(false)
    await wait(700)
    expect(fireEvent.keyDown(row, { key: 'Enter', repeat: true })).toBe(false)
    expect(fireEvent.keyDown(row, { key: 'Enter' })).toBe(true)
    expect(answers()).toEqual([])
  })

  it('can be declined where no option says no', async () => {
    await open({}, promptOf({ kind: 'choice', options: [{ id: 'a', label: 'A', kind: 'neutral' }] }))
    await wait(700)
    await press(button('Decline'))
    expect(answers()).toMatchObject([{ answer: { type: 'decline' } }])
  })

  it('has no other way to decline where an option says no', async () => {
    await open({}, promptOf())
    expect(within(card()).queryByRole('button', { name: 'Decline' })).toBeNull()
  })

  it('shows that the answer is on its way, and takes no other meanwhile', async () => {
    await open({}, promptOf())
    await wait(700)
    let told = (_result: CommandResult): void => {}
    results = [new Promise((resolve) => (told = resolve))]
    await press(button('Allow once'))
    expect(card().textContent).toContain('Sending your answer…')
    await wait(700)
    await press(button('Deny Refuse'))
    expect(answers()).toHaveLength(1)
    await page.move(() => told({ result: 'accepted' }))
    expect(isShown()).toBe(false)
  })

  it('is open again with the reasons when the agent refuses the answer', async () => {
    await open({}, promptOf())
    await wait(700)
    results = [{ result: 'invalid', errors: [{ path: '/to', message: 'Unknown recipient' }] }]
    await press(button('Allow once'))
    expect(card().textContent).toContain('The assistant didn’t accept this answer.')
    expect(card().textContent).toContain('Unknown recipient')
  })

  it('offers to send an unconfirmed answer again, under the same id', async () => {
    await open({}, promptOf())
    await wait(700)
    results = Array.from({ length: 12 }, () => failure())
    await press(button('Allow once'))
    for (let round = 0; round < 20; round++) await page.move(() => page.peer.connection.alive(), 10_000)
    expect(card().textContent).toContain('It is not known whether your answer arrived.')
    expect(within(card()).queryByRole('button', { name: 'Deny Refuse' })).toBeNull()
    results = []
    await press(button('Send again'))
    expect(isShown()).toBe(false)
    expect(new Set(page.peer.commands.map((command) => 'answerId' in command && command.answerId)).size).toBe(1)
  })

  it('tells when the agent takes it back', async () => {
    await open({}, promptOf())
    await page.move(() =>
      page.peer.connection.event(2, { type: 'prompt-settled', promptId: 'p1', streamId: 's1', state: 'withdrawn' }),
    )
    expect(isShown()).toBe(false)
    expect(screen.getByText('The question was withdrawn').getAttribute('role')).toBe('status')
    expect(page.container.querySelector('.cs-prompt-trace')?.textContent).toContain('Withdrawn without an answer')
  })

  it('counts down by the clock of the client, and says what comes after', async () => {
    await open({})
    const expiresAt = page.environment.clock.date() + 90_000
    await page.move(() => page.peer.connection.event(1, { type: 'prompt', prompt: promptOf({ expiresAt }) }), 0)
    expect(card().textContent).toContain('90 s left')
    expect(card().textContent).toContain(
      'If you don’t answer in time, the question expires and the assistant gets no answer.',
    )
    await page.move(() => page.peer.connection.alive(), 30_000)
    expect(card().textContent).toContain('60 s left')
    await page.move(() => page.peer.connection.alive(), 40_000)
    await page.move(() => page.peer.connection.alive(), 21_000)
    expect(card().textContent).toContain('Time is up')
  })

  it('shows one of several at a time, and the next one when the first is answered', async () => {
    await open({}, promptOf(), promptOf({ id: 'p2', message: 'May I delete the file?' }))
    expect(card().textContent).toContain('May I send the mail?')
    expect(card().textContent).toContain('1 of 2')
    expect(screen.getByText('2 questions for you').getAttribute('role')).toBe('status')
    await page.move(() => fireEvent.click(button('Next question')))
    expect(card().textContent).toContain('May I delete the file?')
    await page.move(() => fireEvent.click(button('Previous question')))
    await wait(700)
    button('Allow once').focus()
    await press(button('Allow once'))
    expect(card().textContent).toContain('May I delete the file?')
    expect(document.activeElement).toBe(card())
    await wait(700)
    button('Allow once').focus()
    await press(button('Allow once'))
    expect(document.activeElement).toBe(screen.getByRole('textbox'))
  })

  it.each([
    [german, 'approval', 'Deine Zustimmung ist nötig'],
    [german, 'choice', 'Der Assistent hat eine Frage'],
    [chinese, 'approval', '需要你的批准'],
    [chinese, 'choice', '助手有一个问题'],
    [arabic, 'approval', 'مطلوب موافقتك'],
    [arabic, 'choice', 'لدى المساعد سؤال'],
  ] as const)('speaks the language of the chat: %#', async (strings, kind, heading) => {
    await open({ strings }, promptOf({ kind }))
    expect(card().querySelector('header')?.textContent).toBe(heading)
  })

  it('shows the text of the agent as it is, never as markdown or markup', async () => {
    await open({}, promptOf({ message: '**Allow** <button>Allow</button> [all](https://a.example)' }))
    expect(card().querySelector('.cs-prompt-message :not(span)')).toBeNull()
    expect(card().textContent).toContain('**Allow** <button>Allow</button> [all](https://a.example)')
  })

  it('marks the title of a hidden page with the number of prompts', async () => {
    document.title = 'Rivers'
    await open({}, promptOf())
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    expect(document.title).toBe('(1) Rivers')
    visibility.mockReturnValue('visible')
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    expect(document.title).toBe('Rivers')
    visibility.mockRestore()
  })
})

describe('a card with the part of its kind', () => {
  const always = { id: 'always', label: 'Always', kind: 'allow-always', grants: 'All mails' } as const
  const deny = { id: 'deny', label: 'Deny', kind: 'reject-once' } as const

  it('allows for longer in two steps, and neither in the first 600 milliseconds', async () => {
    await open({}, promptOf({ options: [always, deny] }))
    await page.move(() => fireEvent.click(button('Always allow…')))
    expect(screen.queryByText('All mails')).toBeNull()
    await wait(700)
    await press(button('Always allow…'))
    expect(answers()).toEqual([])
    expect(screen.getByText('All mails')).toBeDefined()
    await press(button('Always allow'))
    expect(answers()).toMatchObject([{ answer: { type: 'option', optionId: 'always' } }])
  })

  it.each(['sign-in', 'form', 'other'] as const)('can be declined where no option can be taken: %s', async (kind) => {
    await open({}, promptOf({ kind, options: [deny], subject: undefined }))
    await wait(700)
    await press(button('Decline'))
    expect(answers()).toMatchObject([{ answer: { type: 'decline' } }])
  })

  it('shows what in its message would turn the direction of text', async () => {
    await open({}, promptOf({ message: 'Open \u202Efdp.exe?' }))
    expect(screen.getByRole('region', { description: /Open U\+202Efdp\.exe\?$/ })).toBeDefined()
  })
})

describe('a chat that waits for the user', () => {
  it('is not stopped by Escape inside of the prompt, and is elsewhere', async () => {
    await open({}, promptOf())
    fireEvent.keyDown(button('Allow once'), { key: 'Escape' })
    await wait(100)
    expect(page.peer.commands).toEqual([])
    await page.move(() => fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Escape' }))
    expect(page.peer.commands).toMatchObject([{ type: 'cancel' }])
  })

  it('keeps a message until the question is answered, or cancels the question for it', async () => {
    await open({}, promptOf())
    await page.move(() => ask('Something else'))
    expect(screen.getByText('Waiting for your reply above')).toBeDefined()
    await page.move(() => fireEvent.click(screen.getByRole('button', { name: 'Cancel the question and send' })))
    expect(answers()).toMatchObject([{ answer: { type: 'cancel' } }])
    await page.move(() => page.peer.connection.close(2))
    expect(page.peer.connections).toHaveLength(2)
    expect(page.peer.connection.opening.request).toBe('Something else')
  })

  it('is told to a screen reader', async () => {
    await open({}, promptOf())
    expect(screen.getByText('Your approval is needed', { selector: '[role=status]' })).toBeDefined()
  })
})
