// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { DictionaryProvider } from '../../../src/components/dictionary/dictionary-context.tsx'
import { ClockTime } from '../../../src/components/internals/live-time.tsx'
import { createFakeChat } from '../fake-chat.ts'
import { show } from '../show.tsx'

describe('the time of a message', () => {
  it.each([
    ['en-US', '2:05 PM'],
    ['en-GB', '14:05'],
    ['de', '14:05'],
  ])('in %s reads %s', (lang, words) => {
    show(
      createFakeChat(),
      <DictionaryProvider strings={{ language: { lang } }}>
        <ClockTime at={new Date(2026, 2, 1, 14, 5).getTime()} />
      </DictionaryProvider>,
    )
    expect(document.querySelector('time')?.textContent?.replace(/\s/u, ' ')).toBe(words)
  })
})
