// @vitest-environment jsdom
import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { Message } from '../../../src/components/message/message.tsx'
import { answer, createFakeChat, text } from '../fake-chat.ts'
import { show } from '../show.tsx'
import { marks, river, sources } from './river-sources.ts'

// jsdom has no popovers: their content counts as hidden.
describe('the card of a source', () => {
  const open = (): HTMLElement => {
    show(
      createFakeChat({ messages: [answer('a', [text('They bend.[1]'), sources('c', river)])] }),
      <Message messageId="a" />,
    )
    const [mark] = marks()
    if (!mark) throw new Error('There is no mark.')
    act(() => mark.focus())
    return mark
  }

  it('is right after its mark, says what it is, and is not read out', () => {
    const mark = open()
    expect(mark.getAttribute('aria-expanded')).toBe('true')
    const card = screen.getByRole('dialog', { hidden: true })
    expect(card.getAttribute('aria-label')).toBe('Source 1: Rivers')
    expect(mark.nextElementSibling).toBe(card)
    for (const words of ['rivers.example', 'They bend.', '84% confidence']) expect(card.textContent).toContain(words)
    expect(
      within(card)
        .getByRole('link', { hidden: true, name: /^Open source/ })
        .getAttribute('href'),
    ).toBe(river.uri)
    expect(document.querySelector('[aria-live]:not([aria-live=off]), [role=status], [role=alert]')).toBeNull()
  })

  it('marks its source in the list, and a source its marks', () => {
    const mark = open()
    const row = screen.getByRole('listitem')
    expect(row.dataset['active']).toBe('')
    fireEvent.keyDown(mark, { key: 'Escape' })
    expect(row.dataset['active']).toBeUndefined()
    expect(mark.dataset['active']).toBeUndefined()
    fireEvent.pointerEnter(row)
    expect(mark.dataset['active']).toBe('')
    fireEvent.pointerLeave(row)
    expect(mark.dataset['active']).toBeUndefined()
  })

  it('of a source that is not a web address has nothing to open', () => {
    show(
      createFakeChat({
        messages: [answer('a', [text('They bend.[1]'), sources('c', { ...river, uri: 'javascript:alert(1)' })])],
      }),
      <Message messageId="a" />,
    )
    act(() => marks()[0]?.focus())
    expect(screen.queryByRole('link', { hidden: true })).toBeNull()
    expect(screen.getByRole('dialog', { hidden: true }).textContent).toContain(
      'javascript:alert(1) (link disabled: not a web address)',
    )
  })
})
