// @vitest-environment jsdom
import { act } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { Countdown } from '../../../src/components/internals/live-time.tsx'
import { defaultStrings } from '../../../src/strings/dictionary.ts'
import { arabic } from '../../../src/strings/arabic.ts'
import { chinese } from '../../../src/strings/chinese.ts'
import { german } from '../../../src/strings/german.ts'
import { createFakeChat } from '../fake-chat.ts'
import { pass, show } from '../show.tsx'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

describe('a time to wait', () => {
  it.each([
    [1_400, 'Reconnecting in 1 s'],
    [119_000, 'Reconnecting in 119 s'],
    [119 * MINUTE, 'Reconnecting in 119 min'],
    [2 * HOUR, 'Reconnecting in 2 hr'],
    [47 * HOUR, 'Reconnecting in 47 hr'],
    [16_667 * MINUTE, 'Reconnecting in 12 days'],
  ])('of %i ms reads %s', (ms, words) => {
    expect(defaultStrings.reconnection.reconnectingIn(ms)).toBe(words)
  })

  it('is in hours and days in every language', () => {
    const days = [german, arabic, chinese].map(({ reconnection }) =>
      [reconnection.reconnectingIn(3 * HOUR), reconnection.reconnectingIn(12 * DAY)].join(' | '),
    )
    expect(days).toEqual([
      expect.stringMatching(/3 Std\..*12 Tg\./),
      expect.stringMatching(/3 س.*12 يومًا/),
      expect.stringMatching(/3小时.*12天/),
    ])
  })

  it('shows the same figure wherever it is counted, however much later one of them appeared', () => {
    vi.useFakeTimers()
    try {
      const until = performance.now() + 4_000
      show(createFakeChat(), <Countdown until={until} />)
      pass(37)
      show(createFakeChat(), <Countdown until={until} />)
      const seen = new Set<string>()
      for (let step = 0; step < 4_000; step++) {
        act(() => void vi.advanceTimersByTime(1))
        const [first, second] = [...document.querySelectorAll('.cs-countdown')].map(({ textContent }) => textContent)
        expect(second).toBe(first)
        seen.add(first ?? '')
      }
      expect(seen.size).toBe(5)
    } finally {
      vi.useRealTimers()
    }
  })
})
