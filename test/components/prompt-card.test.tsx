// @vitest-environment jsdom
import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { PromptCard } from '../../src/components/prompt-card.tsx'
import { germanPrompts } from '../../src/strings/german-pack.ts'
import { PromptStringsProvider } from '../../src/components/dictionary/prompt-strings-context.tsx'
import { createFakeControls, promptOf } from './prompt-body/fake-controls.ts'
import './show.tsx'

describe('PromptCard', () => {
  it('asks in the language of the page, with each button named once, for an approval without a message', () => {
    const prompt = promptOf({
      kind: 'approval',
      message: '',
      subject: { name: 'send_mail', input: { to: 'ann' }, digest: 'd' },
      options: [
        { id: 'allow-once', label: 'Allow', kind: 'allow-once' },
        { id: 'reject-once', label: 'Deny', kind: 'reject-once' },
      ],
    })
    render(
      <PromptStringsProvider strings={germanPrompts}>
        <PromptCard controls={createFakeControls(prompt).controls} />
      </PromptStringsProvider>,
    )
    expect(screen.getByRole('region', { description: /send_mail erlauben\?/ })).toBeTruthy()
    // The words of the app are no quotation of the agent.
    expect(document.querySelector('blockquote')).toBeNull()
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent?.trim())).toEqual([
      'Nicht erlauben',
      germanPrompts.approval.allowOnce,
    ])
  })
})
