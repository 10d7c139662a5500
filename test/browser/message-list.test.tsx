import { act } from 'react'
import { describe, expect, it } from 'vitest'
import { createFakeChat, answer, said, text } from '../components/fake-chat.ts'
import { painted, rested, showTranscript, thread, words } from './transcript.tsx'

describe('a reader at the live edge', () => {
  it('sees the end in every frame, however fast the answer grows', async () => {
    const chat = createFakeChat({ status: 'streaming', messages: [...thread(6), said('u', 'And then?'), answer('live', [text('')], { status: 'streaming' })] })
    const { gap } = await showTranscript(chat)
    const gaps: number[] = []
    for (let commit = 0; commit < 200; commit += 1) {
      chat.change('live', { parts: [text(words(4 * (commit + 1)))] })
      await painted()
      gaps.push(gap())
    }
    expect(gaps).toEqual(Array.from({ length: 200 }, () => 0))
  })
})
