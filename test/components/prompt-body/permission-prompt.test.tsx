// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { PermissionPrompt } from '../../../src/components/prompt-body/permission-prompt.tsx'
import type { Prompt, PromptOption } from '../../../src/seam/prompt.ts'
import '../show.tsx'
import { createFakeControls, optionOf, PROMPTS } from './fake-controls.ts'
import type { FakeControls } from './fake-controls.ts'

function show(prompt: Prompt, change: object = {}): FakeControls {
  const fake = createFakeControls(prompt)
  const { used: _used, ...props } = fake
  render(<PermissionPrompt {...props} {...change} />)
  return fake
}

const permission = (options: readonly PromptOption[]): Prompt => ({ ...PROMPTS.permission, options })
const times = (): string[] => screen.getAllByRole('option').map(({ textContent }) => textContent ?? '')
const choose = (value: string): void => void fireEvent.change(screen.getByRole('combobox'), { target: { value } })
const press = (name: string | RegExp): void => void fireEvent.click(screen.getByRole('button', { name }))

describe('a permission', () => {
  it('shows what is to be allowed, and on what', () => {
    show(PROMPTS.permission)
    expect(screen.getAllByRole('term').map((term) => [term.textContent, term.nextElementSibling?.textContent])).toEqual(
      [
        ['Permission', 'fs.write'],
        ['Resource', '/reports/lower-reach'],
        ['reason', 'Save the table beside gauges.csv.'],
      ],
    )
    expect(document.activeElement).toBe(document.body)
  })

  it('begins with the shortest time, and takes the one that was chosen', () => {
    const { used } = show(PROMPTS.permission)
    expect(times()).toEqual(['This one time', 'For 15 min', 'With no time limit'])
    press('Allow')
    choose('quarter')
    // What it is allowed is in the table.
    expect(screen.queryByText(/does not say/)).toBeNull()
    press('Allow')
    expect(used).toEqual([
      ['choose', 'once'],
      ['choose', 'quarter'],
    ])
  })

  it('shows what a time without an end grants once more before it is taken', () => {
    const { used } = show(PROMPTS.permission)
    choose('always')
    press('Allow…')
    expect(used).toEqual([])
    press('Always allow')
    expect(used).toEqual([['choose', 'always']])
  })

  it('has no list for one time, and shows it with what it grants', () => {
    const lease = optionOf('allow-always', 'Lease', { id: 'lease', ttlMs: 900_000, grants: 'Files in /reports' })
    const { used } = show(permission([lease]))
    expect(screen.queryByRole('combobox')).toBeNull()
    expect(screen.getByText('for 15 min')).toBeTruthy()
    expect(screen.getByText('Files in /reports')).toBeTruthy()
    press('Allow')
    expect(used).toEqual([['choose', 'lease']])
  })

  it.each([
    ['a time', 60_000, 'After this, the assistant does not have to ask again: for 60 s'],
    ['no time, and so once', undefined, 'Duration this one time'],
    ['no time that the agent says', null, 'Duration not said by the assistant'],
  ])('says beside the button how long it is allowed: %s', (_, ttlMs, words) => {
    show(permission([optionOf('allow-once', 'Allow', { ttlMs }), optionOf('reject-once', 'Deny')]))
    const described = screen.getByRole('button', { name: 'Allow' }).getAttribute('aria-describedby') ?? ''
    expect(document.getElementById(described)?.textContent).toBe(words)
  })

  it('says that the agent tells neither what it may do nor what else', () => {
    const { subject: _subject, ...nameless } = permission([optionOf('allow-always', 'Allow', { ttlMs: 60_000 })])
    show(nameless)
    expect(screen.getByText('The assistant does not say what else you allow with this.')).toBeTruthy()
  })

  it('has what refuses before what allows', () => {
    const { used } = show(PROMPTS.permission)
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent?.trim())).toEqual(['Deny', 'Allow'])
    press('Deny')
    expect(used).toEqual([['choose', 'deny']])
  })

  it('tells times apart that have the same words', () => {
    const lease = (id: string, label: string, kind: PromptOption['kind']): PromptOption =>
      optionOf(kind, label, { id, ttlMs: 900_000 })
    show(
      permission([
        lease('a', 'Read', 'allow-always'),
        lease('b', 'Write', 'allow-always'),
        lease('c', 'Read', 'allow-once'),
        lease('d', 'Read', 'allow-always'),
      ]),
    )
    expect(times()).toHaveLength(4)
    expect(new Set(times()).size).toBe(4)
  })

  it('without an option that allows has no such button', () => {
    show(permission([optionOf('reject-once', 'No')]))
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent?.trim())).toEqual(['Deny No'])
  })

  it('gives no answer while it is not ready', () => {
    const { used } = show(PROMPTS.permission, { isReady: false })
    press('Allow')
    press('Deny')
    choose('quarter')
    press('Allow')
    choose('always')
    press('Allow…')
    press('Always allow')
    expect(used).toEqual([])
  })
})
