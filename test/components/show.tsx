import { act, cleanup, configure, render } from '@testing-library/react'
import type { RenderOptions, RenderResult } from '@testing-library/react'
import type { ReactNode } from 'react'
import { version } from 'react'
import { afterEach, beforeEach, expect, onTestFinished, vi } from 'vitest'
import { createDraft, type Draft, DraftContext } from '../../src/components/composer/draft.ts'
import { loadOnDemand } from '../support/load-on-demand.ts'
import { ChatContext } from '../../src/react/chat-context.ts'
import type { FakeChat } from './fake-chat.ts'

await loadOnDemand()

// Some parts fetch their code when they are used. How long a busy machine takes for that says nothing.
configure({ asyncUtilTimeout: 20_000 })

// React reports its troubles (keys, hydration, updates after unmount) on the console: none is acceptable here.
const complaint = vi.spyOn(console, 'error')
beforeEach(() => {
  complaint.mockClear()
})
afterEach(() => {
  cleanup()
  expect(complaint).not.toHaveBeenCalled()
})

/**
 * React tells the root of what a boundary caught, as the options here take it. React 18 tells the console in place of it, and the
 * window before: of each failure more than once, as it looks twice before it gives up.
 */
export function hearCaughtErrors(): { readonly options: RenderOptions; readonly caught: readonly unknown[] } {
  const caught: unknown[] = []
  if (!version.startsWith('18')) return { caught, options: { onCaughtError: (error) => caught.push(error) } }
  let thrown: unknown
  const note = (event: ErrorEvent): void => {
    thrown = event.error
  }
  window.addEventListener('error', note)
  const told = vi.spyOn(console, 'error').mockImplementation((...words: unknown[]) => {
    if (!String(words[0]).startsWith('The above error occurred')) return
    caught.push(thrown)
    told.mock.calls.pop()
  })
  onTestFinished(() => {
    window.removeEventListener('error', note)
    told.mockReset()
  })
  return { caught, options: {} }
}

/** Shows parts inside a chat. */
export function show(chat: FakeChat, parts: ReactNode, draft: Draft = createDraft()): RenderResult {
  return render(
    <ChatContext.Provider value={chat}>
      <DraftContext.Provider value={draft}>{parts}</DraftContext.Provider>
    </ChatContext.Provider>,
  )
}

/** Lets what was promised come about. */
export async function settle(): Promise<void> {
  await act(async () => {
    await Promise.resolve()
  })
}

/** Moves the fake timers. */
export function pass(ms: number): void {
  act(() => {
    vi.advanceTimersByTime(ms)
  })
}
