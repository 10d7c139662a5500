import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cdp, page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../../src/styles.css'
import { Chat } from '../../src/components/chat.tsx'
import type { ChatSnapshot } from '../../src/state/chat-snapshot.ts'
import { FeedbackAction } from '../../src/components/feedback-action.tsx'
import { CopyAction, EditAction, RetryAction } from '../../src/components/message/message-actions.tsx'
import { answer, createFakeChat, errorOf, said, text } from '../components/fake-chat.ts'
import { painted, until } from './transcript.tsx'

beforeEach(async () => {
  await cdp().send('Emulation.setTouchEmulationEnabled', { enabled: true })
  await cdp().send('Emulation.setDeviceMetricsOverride', { width: 0, height: 0, deviceScaleFactor: 0, mobile: true })
  await page.viewport(360, 700)
  expect(matchMedia('(pointer: coarse)').matches).toBe(true)
})
afterEach(async () => {
  await cdp().send('Emulation.setTouchEmulationEnabled', { enabled: false })
  await cdp().send('Emulation.clearDeviceMetricsOverride')
  await page.viewport(1280, 800)
})

const gone = errorOf({ code: 'unauthorized', status: 401 })
const STATES: readonly [name: string, snapshot: Partial<ChatSnapshot>][] = [
  [
    'after a failure',
    {
      status: 'error',
      error: gone,
      messages: [
        said('u', 'Why?'),
        answer('a', [{ type: 'thought', id: 't', text: 'Hm.', status: 'complete' }, text('Half')], {
          status: 'failed',
          error: gone,
        }),
      ],
    },
  ],
  [
    'with a message that was not sent',
    { status: 'error', error: gone, messages: [said('u', 'Why?', { status: 'not-sent', error: gone })] },
  ],
  ['with an answer to rate', { messages: [said('u', 'Why?'), answer('a', [text('So.')])] }],
  [
    'while it answers',
    { status: 'streaming', messages: [said('u', 'Why?'), answer('a', [text('Half')], { status: 'streaming' })] },
  ],
]

const rate = (
  <>
    <CopyAction />
    <EditAction />
    <RetryAction />
    <FeedbackAction onFeedback={() => {}} />
  </>
)

/** Where a finger hits a control: its box, or the larger one laid over it. Marks in running text are as large as the text. */
function reachOf(control: Element): { readonly width: number; readonly height: number } {
  const box = control.getBoundingClientRect()
  const after = getComputedStyle(control, '::after')
  const over = (size: string): number => (after.content === 'none' ? 0 : Number.parseFloat(size))
  return { width: Math.max(box.width, over(after.width)), height: Math.max(box.height, over(after.height)) }
}

describe('a finger', () => {
  it.each(STATES)('has 44 pixels for every control of a chat %s, and hits the one it means', async (_, snapshot) => {
    const tall = (element: HTMLElement | null): void => element?.style.setProperty('height', '600px')
    await render(
      <div ref={tall}>
        <Chat chat={createFakeChat(snapshot)} onSignIn={() => {}} messageActions={rate} />
      </div>,
    )
    await until(() => page.getByRole('article').elements().length === snapshot.messages?.length)
    await painted(2)
    const controls = [...document.querySelectorAll('.cs-chat :is(button, a, summary)')].filter(
      (control) => !control.closest('.cs-prose'),
    )
    expect(controls.length).toBeGreaterThan(1)
    const small = controls.filter((control) => {
      const { width, height } = reachOf(control)
      return height < 44 || width < 44
    })
    expect(small.map((control) => control.outerHTML)).toEqual([])
    const missed = controls.filter((control) => {
      const { left, top, width, height } = control.getBoundingClientRect()
      return !control.contains(document.elementFromPoint(left + width / 2, top + height / 2))
    })
    expect(missed.map((control) => control.outerHTML)).toEqual([])
  })
})
