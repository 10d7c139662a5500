import { beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../../src/styles.css'
import { Chat } from '../../src/components/chat.tsx'
import { answer, createFakeChat, said, text } from '../components/fake-chat.ts'
import { painted } from './transcript.tsx'

function boxOf(selector: string): DOMRect {
  const box = document.querySelector(selector)?.getBoundingClientRect()
  if (box === undefined) throw new Error(`There is no ${selector}.`)
  return box
}

async function showTurn(status: 'sent' | 'sending' = 'sent'): Promise<void> {
  const messages = [said('u', 'Why do rivers meander?', { status }), answer('a', [text('No bank is perfectly even.')])]
  await render(
    <div ref={(element) => element?.style.setProperty('block-size', '30rem')}>
      <Chat chat={createFakeChat({ messages })} />
    </div>,
  )
  await painted(2)
}

describe.each([1280, 360])('the space from a question to its answer, %i pixels wide', (width) => {
  beforeEach(async () => {
    await page.viewport(width, 800)
    await userEvent.hover(document.body, { position: { x: 0, y: 0 } })
  })

  it.each(['sent', 'sending'] as const)(
    'is that of two messages, with no further row for actions, when it is %s',
    async (status) => {
      await showTurn(status)
      // The row of actions, 28 pixels, with what keeps it from both.
      expect(boxOf('[data-role="assistant"]').top - boxOf('.cs-bubble').bottom).toBe(38)
    },
  )

  it('has space for the actions of the question, each of which can be pressed', async () => {
    await showTurn()
    const actions = document.querySelectorAll<HTMLElement>('[data-role="user"] .cs-actions button')
    expect(actions.length).toBeGreaterThan(1)
    await userEvent.hover(page.getByText('Why do rivers meander?'))
    for (const action of actions) {
      const { left, top, width: wide, height, bottom } = action.getBoundingClientRect()
      expect(bottom).toBeLessThanOrEqual(boxOf('[data-role="assistant"]').top)
      expect(action.contains(document.elementFromPoint(left + wide / 2, top + height / 2))).toBe(true)
      expect(action.contains(document.elementFromPoint(left + wide / 2, bottom - 2))).toBe(true)
    }
  })
})
