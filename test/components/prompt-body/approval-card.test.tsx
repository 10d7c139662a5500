// @vitest-environment jsdom
import { fireEvent, render, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { ApprovalCard } from '../../../src/components/prompt-body/approval-card.tsx'
import type { Prompt } from '../../../src/seam/prompt.ts'
import '../show.tsx'
import { createFakeControls, optionOf, promptOf, PROMPTS } from './fake-controls.ts'
import type { FakeControls } from './fake-controls.ts'

function show(prompt: Prompt, change: Partial<Pick<FakeControls, 'isReady'>> | object = {}): FakeControls {
  const fake = createFakeControls(prompt)
  const { used: _used, ...props } = fake
  render(<ApprovalCard {...props} {...change} />)
  return fake
}

const buttons = (): string[] => screen.getAllByRole('button').map(({ textContent }) => textContent?.trim() ?? '')
const press = (name: string | RegExp): void => void fireEvent.click(screen.getByRole('button', { name }))

describe('an approval', () => {
  it('shows what is to be done, each value of the input by its key', () => {
    show(PROMPTS.approval)
    const rows = screen.getAllByRole('term').map((term) => [
      term.textContent,
      // A term is followed by its definition.
      (term.nextElementSibling as HTMLElement).textContent,
    ])
    expect(rows).toEqual([
      ['Action', 'send_mail'],
      ['to', 'office@example.org'],
      ['subject', 'Gauges'],
      ['urgent', 'false'],
      ['notes', '[\n  "Gauge 12 is back.",\n  "Gauge 27 is not."\n]'],
    ])
  })

  it('takes the option that was pressed, once', () => {
    const { used } = show(PROMPTS.approval)
    press('Allow once')
    expect(used).toEqual([['choose', 'Allow']])
  })

  it('takes no focus when it appears', () => {
    show(PROMPTS.approval)
    expect(document.activeElement).toBe(document.body)
  })

  it('has what refuses first and what allows last, as the only button with weight', () => {
    show(PROMPTS.approval)
    expect(buttons()).toEqual(['Deny', 'Allow for 60 min… Always', 'Allow once'])
    expect(screen.getAllByRole('button').map((button) => button.dataset['kind'])).toEqual(['plain', 'plain', 'primary'])
  })

  it('shows what an option grants beyond this time before it can be taken', () => {
    const { used } = show(PROMPTS.approval)
    press(/^Allow for 60 min…/)
    expect(used).toEqual([])
    expect(screen.getByText('Mails to addresses of example.org')).toBeTruthy()
    expect(screen.getByText('for 60 min')).toBeTruthy()
    expect(buttons()).toEqual(['Back', 'Allow for 60 min'])
    press('Allow for 60 min')
    expect(used).toEqual([['choose', 'Always']])
  })

  it('begins the second step on the button that goes back, and goes back', () => {
    const { used } = show(PROMPTS.approval)
    press(/^Allow for 60 min…/)
    expect(document.activeElement?.textContent).toBe('Back')
    press('Back')
    expect(buttons()).toHaveLength(3)
    expect(document.activeElement?.className).toContain('cs-decision')
    expect(used).toEqual([])
  })

  it('gives no consent with the second click of a double click', () => {
    const { used } = show(PROMPTS.approval)
    press(/^Allow for 60 min…/)
    fireEvent.click(screen.getByRole('button', { name: 'Allow for 60 min' }), { detail: 2 })
    expect(used).toEqual([])
    fireEvent.click(screen.getByRole('button', { name: 'Allow for 60 min' }), { detail: 1 })
    expect(used).toEqual([['choose', 'Always']])
  })

  it.each([
    ['has no end', {}],
    ['has an end that nobody lives to see', { ttlMs: 1e300 }],
  ])('says so of an option that %s, and that it says not what it grants', (_, change) => {
    show(promptOf({ options: [optionOf('allow-always', 'Yes', change)] }))
    press(/^Always allow…/)
    expect(screen.getByText('with no time limit')).toBeTruthy()
    expect(screen.getByText('The assistant does not say what else you allow with this.')).toBeTruthy()
  })

  it('leaves the second step when the agent offers the option no more', () => {
    const { used, ...props } = createFakeControls(PROMPTS.approval)
    const { rerender } = render(<ApprovalCard {...props} />)
    press(/^Allow for 60 min…/)
    const prompt = { ...PROMPTS.approval, options: [optionOf('reject-once', 'Deny')] }
    rerender(<ApprovalCard {...props} controls={{ ...props.controls, prompt }} />)
    expect(buttons()).toEqual(['Deny'])
    expect(used).toEqual([])
  })

  it.each([
    ['is not ready', { isReady: false }],
    ['is being answered', { isSending: true }],
  ])('gives no answer while it %s', (_, change) => {
    const { used } = show(PROMPTS.approval, change)
    press('Allow once')
    press('Deny')
    press(/^Allow for 60 min…/)
    press('Allow for 60 min')
    expect(used).toEqual([])
  })

  it('says what a button does in words of the app, whatever the agent calls it', () => {
    show(
      promptOf({
        options: [
          optionOf('allow-once', 'Deny'),
          optionOf('allow-always', 'Allow once', { id: '2' }),
          optionOf('reject-always', 'Allow', { id: '3' }),
        ],
      }),
    )
    expect(buttons()).toEqual(['Always deny Allow', 'Always allow… Allow once', 'Allow once Deny'])
  })

  it('numbers options that look the same, and names one without a label by its id', () => {
    show(
      promptOf({
        options: [
          optionOf('allow-once', 'Send', { id: 'a' }),
          optionOf('allow-once', ' send\n', { id: 'b' }),
          optionOf('neutral', 'Later', { id: 'c' }),
          optionOf('neutral', '\uFF2Cater', { id: 'd' }),
          optionOf('neutral', '', { id: 'wait' }),
        ],
      }),
    )
    expect(buttons()).toEqual(['Later (1)', '\uFF2Cater (2)', 'wait', 'Allow once Send (1)', 'Allow once send (2)'])
  })

  it('shows the words of the agent as plain text', () => {
    const label = '**Deny** [x](https://evil.example) <b>no</b>'
    show(promptOf({ options: [optionOf('allow-once', label)], subject: { name: '# send', input: label, digest: 'd' } }))
    const button = screen.getByRole('button', { name: `Allow once ${label}` })
    expect(within(button).getByText(label).localName).toBe('bdi')
    expect(screen.queryByRole('link')).toBeNull()
    expect(document.querySelector('b')).toBeNull()
    expect(screen.getByText('# send')).toBeTruthy()
  })

  it('has no name of many characters, and none that breaks', () => {
    show(promptOf({ options: [optionOf('reject-once', `x${'\n'.repeat(300)}${'y'.repeat(1_000_000)}`)] }))
    expect(buttons()[0]?.length).toBeLessThan(100)
    expect(buttons()[0]).not.toContain('\n')
  })

  it('says of nothing that it is nothing, and of one value that it is the input', () => {
    show(promptOf({ subject: { name: 'reboot', input: {}, digest: 'd' } }))
    expect(screen.getByText('No input')).toBeTruthy()
    show(promptOf({ subject: { name: 'run', input: 'rm -rf\u202E /', digest: 'd' } }))
    expect(screen.getByText('Input').nextElementSibling?.textContent).toBe('rm -rfU+202E /')
  })

  it('shows the beginning of a giant input, and more of it when it is asked for', () => {
    const input = {
      text: 'x'.repeat(10_000_000),
      ...Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`k${n}`, n])),
    }
    show(promptOf({ subject: { name: 'write', input, digest: 'd' } }))
    const before = document.body.textContent?.length ?? 0
    expect(before).toBeLessThan(10_000)
    expect(screen.getAllByText('Not everything is shown.', { exact: false })).toHaveLength(2)
    expect(screen.getAllByRole('term')).toHaveLength(21)
    const [ofText, ofRows] = screen.getAllByRole('button', { name: 'Show more' })
    fireEvent.click(ofText ?? document.body)
    expect((document.body.textContent?.length ?? 0) - before).toBe(10_000)
    fireEvent.click(ofRows ?? document.body)
    expect(screen.getAllByRole('term')).toHaveLength(41)
  })

  it('has few elements, whatever is in the input', () => {
    const hidden = 'a\u200B'.repeat(100_000)
    const input = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`${n}${hidden}`, hidden]))
    show(promptOf({ subject: { name: hidden, input, digest: 'd' } }))
    expect(document.querySelectorAll('*').length).toBeLessThan(6000)
  })
})
