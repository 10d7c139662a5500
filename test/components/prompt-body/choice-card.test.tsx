// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { ChoiceCard } from '../../../src/components/prompt-body/choice-card.tsx'
import type { Prompt, PromptOption } from '../../../src/seam/prompt.ts'
import '../show.tsx'
import { createFakeControls, optionOf, promptOf, PROMPTS } from './fake-controls.ts'
import type { FakeControls } from './fake-controls.ts'

function show(prompt: Prompt, change: object = {}): FakeControls {
  const fake = createFakeControls(prompt)
  const { used: _used, ...props } = fake
  render(<ChoiceCard {...props} {...change} />)
  return fake
}

const choice = (options: readonly PromptOption[]): Prompt => promptOf({ kind: 'choice', options })
const lakes = (count: number): PromptOption[] =>
  Array.from({ length: count }, (_, index) => optionOf('neutral', `Lake ${index + 1}`))

describe('a choice', () => {
  it('of up to four options has a button for each, with its description', () => {
    const { used } = show(PROMPTS.choice)
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent?.trim())).toEqual([
      'Lower weirSheet 14, four lakes',
      'Upper weirSheet 9, one lake',
    ])
    expect(document.activeElement).toBe(document.body)
    fireEvent.click(screen.getByRole('button', { name: /Upper weir/ }))
    expect(used).toEqual([['choose', 'Upper weir']])
  })

  it('of four options has a button for each', () => {
    show(choice(lakes(4)))
    expect(screen.getAllByRole('button')).toHaveLength(4)
    expect(screen.queryByRole('radio')).toBeNull()
  })

  it('of more has a list, of which nothing is chosen at first, and a button that sends', () => {
    const { used } = show(choice(lakes(5)))
    expect(screen.getAllByRole('radio')).toHaveLength(5)
    expect(screen.getByRole('group', { name: 'Options' })).toBeTruthy()
    expect(screen.queryByRole('radio', { checked: true })).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'Send' }))
    expect(used).toEqual([])
    fireEvent.click(screen.getByRole('radio', { name: 'Lake 3' }))
    expect(used).toEqual([])
    fireEvent.click(screen.getByRole('button', { name: 'Send' }))
    expect(used).toEqual([['choose', 'Lake 3']])
  })

  it('of a thousand shows the first sixty, and more on request', () => {
    show(choice(lakes(1000)))
    expect(screen.getAllByRole('radio')).toHaveLength(60)
    fireEvent.click(screen.getByRole('button', { name: 'Show more' }))
    expect(screen.getAllByRole('radio')).toHaveLength(120)
  })

  it('of an option that allows more than this time shows what it grants first, in a list too', () => {
    const always = optionOf('allow-always', 'Yes, from now on', { grants: 'All lakes' })
    const { used } = show(choice([...lakes(5), always]))
    fireEvent.click(screen.getByRole('radio', { name: /Yes, from now on/ }))
    fireEvent.click(screen.getByRole('button', { name: 'Send' }))
    expect(used).toEqual([])
    expect(screen.getByText('All lakes')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Always allow' }))
    expect(used).toEqual([['choose', 'Yes, from now on']])
  })

  it('without options says so, and leaves only the button that declines', () => {
    show(choice([]), { decline: <button>Decline</button> })
    expect(screen.getByText('There is nothing to choose from.')).toBeTruthy()
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Decline'])
  })

  it.each([2, 5])('of %i options gives no answer while it is not ready', (count) => {
    const { used } = show(choice(lakes(count)), { isReady: false })
    for (const radio of screen.queryAllByRole('radio').slice(0, 1)) fireEvent.click(radio)
    for (const button of screen.getAllByRole('button')) fireEvent.click(button)
    expect(used).toEqual([])
  })

  it('shows the subject that an answer would be bound to', () => {
    show({ ...PROMPTS.choice, subject: { name: 'weir', input: { sheet: 14 }, digest: 'd' } })
    expect(screen.getAllByRole('term').map(({ textContent }) => textContent)).toEqual(['About', 'sheet'])
  })

  it('shows labels and descriptions as plain text, on one line, with their codes', () => {
    show(choice([optionOf('neutral', '<i>a</i>\u202E', { description: `**b**\n\n${'c'.repeat(9000)}` })]))
    const text = screen.getByRole('button').textContent ?? ''
    expect(text.trim()).toMatch(/^<i>a<\/i>\[U\+202E\]\*\*b\*\* c+…$/)
    expect(text.length).toBeLessThan(400)
  })
})
