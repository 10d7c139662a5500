import { describe, expect, it } from 'vitest'
import type { Prompt, PromptState } from '../../src/seam/prompt.ts'
import type { ChatMessage } from '../../src/state/turn.ts'
import { keepOutcomes, promptsOf } from '../../src/state/prompts.ts'
import { promptOf } from '../support/prompts.ts'

const messageOf = (prompt: Prompt): ChatMessage => ({
  id: 'm1',
  role: 'assistant',
  status: 'streaming',
  parts: [{ type: 'prompt', id: prompt.id, prompt }],
})

describe('keepOutcomes', () => {
  it.each([
    ['answered', 'open', 'answered'],
    ['answered', 'sending', 'answered'],
    ['expired', 'unconfirmed', 'expired'],
    ['withdrawn', 'open', 'withdrawn'],
    ['answered', 'withdrawn', 'answered'],
    ['withdrawn', 'answered', 'answered'],
    ['sending', 'open', 'open'],
    ['open', 'answered', 'answered'],
    ['declined', 'answered', 'answered'],
  ] as const satisfies (readonly [PromptState, PromptState, PromptState])[])(
    'of a prompt that is shown as %s and told as %s is %s',
    (shown, told, kept) => {
      const before = [messageOf(promptOf({ state: shown, answerId: 'a1' }))]
      const next = [messageOf(promptOf({ state: told }))]
      const { messages, outcomes } = keepOutcomes(before, next)
      expect(messages.flatMap(promptsOf).map(({ state }) => state)).toEqual([kept])
      if (kept === told) expect([messages, outcomes]).toEqual([next, []])
      else expect(outcomes).toMatchObject([{ id: 'p1', state: shown, answerId: 'a1' }])
    },
  )

  it('does not keep the end of a prompt that asks for something else now', () => {
    const subject = { name: 'send', input: 1, digest: 'd1' }
    const before = [messageOf(promptOf({ state: 'answered', subject }))]
    const next = [messageOf(promptOf({ subject: { ...subject, digest: 'd2' } }))]
    expect(keepOutcomes(before, next)).toEqual({ messages: next, outcomes: [] })
  })
})
