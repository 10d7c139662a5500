import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../src/seam/agent-event.ts'
import { applyEvent, beginTurn } from '../../src/state/conversation.ts'
import type { ChatMessage } from '../../src/state/turn.ts'
import { promptOf } from '../support/prompts.ts'

function answerTo(...events: readonly AgentEvent[]): ChatMessage {
  const begun = beginTurn({ messages: [], turn: undefined }, 'r1', undefined, 0)
  const [answer] = events.reduce((told, event) => applyEvent(told, event, 1), begun).messages
  if (answer === undefined) throw new Error('the turn has an answer')
  return answer
}

const text = (words: string, partId?: string): AgentEvent => ({ type: 'text', streamId: 's1', text: words, partId })

describe('text with the id of its part', () => {
  it('continues that part, whatever came in between', () => {
    const { parts } = answerTo(text('One ', 'a'), text('Uno ', 'b'), text('two', 'a'), text('due', 'b'))
    expect(parts).toEqual([
      { type: 'text', id: 'a', text: 'One two' },
      { type: 'text', id: 'b', text: 'Uno due' },
    ])
  })
})

describe('a snapshot', () => {
  it('replaces all the stream has shown, in its order', () => {
    const data = { type: 'data', data: 1 } as const
    const { parts } = answerTo(text('Old words'), {
      type: 'snapshot',
      streamId: 's1',
      parts: [
        { partId: 't1', part: { type: 'text', text: 'Before' } },
        { partId: 'd1', part: data },
        { partId: 't2', part: { type: 'text', text: 'After' } },
      ],
    })
    expect(parts).toEqual([
      { type: 'text', id: 't1', text: 'Before' },
      { id: 'd1', ...data },
      { type: 'text', id: 't2', text: 'After' },
    ])
  })

  it('continues with text of the parts it named', () => {
    const { parts } = answerTo(
      { type: 'snapshot', streamId: 's1', parts: [{ partId: 't1', part: { type: 'text', text: 'Be' } }] },
      text('fore', 't1'),
    )
    expect(parts).toEqual([{ type: 'text', id: 't1', text: 'Before' }])
  })

  it('keeps what the user was asked and has answered', () => {
    const { parts } = answerTo(
      text('May I?'),
      { type: 'prompt', prompt: promptOf() },
      { type: 'prompt-settled', streamId: 's1', promptId: 'p1', state: 'expired' },
      { type: 'snapshot', streamId: 's1', parts: [{ partId: 't1', part: { type: 'text', text: 'Then not.' } }] },
      { type: 'prompt', prompt: promptOf() },
    )
    expect(parts).toMatchObject([{ text: 'Then not.' }, { type: 'prompt', id: 'p1', prompt: { state: 'expired' } }])
  })
})

describe('the shared state', () => {
  const state = (value: unknown): AgentEvent => ({
    type: 'part',
    streamId: 's1',
    partId: 'state',
    part: { type: 'state', state: value },
  })

  it('is replaced in place, and cuts no sentence', () => {
    expect(answerTo(text('So '), state(1), text('it '), state(2), text('goes.')).parts).toEqual([
      { type: 'text', id: 'text-1', text: 'So it goes.' },
      { type: 'state', id: 'state', state: 2 },
    ])
  })

  it('stays when what was shown is replaced', () => {
    const snapshot: AgentEvent = { type: 'snapshot', streamId: 's1', parts: [] }
    expect(answerTo(text('So.'), state(1), snapshot).parts).toEqual([{ type: 'state', id: 'state', state: 1 }])
  })
})

describe('a prompt', () => {
  it('is a part of its stream, once, and settled in place', () => {
    const asked: AgentEvent = { type: 'prompt', prompt: promptOf() }
    const settled: AgentEvent = { type: 'prompt-settled', streamId: 's1', promptId: 'p1', state: 'expired' }
    expect(answerTo(text('May I?'), asked, asked, settled, text('Then not.')).parts).toMatchObject([
      { type: 'text', text: 'May I?' },
      { type: 'prompt', id: 'p1', prompt: { state: 'expired' } },
      { type: 'text', text: 'Then not.' },
    ])
  })

  it('that was never asked is settled without a trace', () => {
    const settled: AgentEvent = { type: 'prompt-settled', streamId: 's1', promptId: 'p1', state: 'expired' }
    expect(answerTo(text('So.'), settled).parts).toHaveLength(1)
  })
})

describe('what the agent says of its end', () => {
  it('is stopped and cancelled when it was cancelled', () => {
    const closed: AgentEvent = { type: 'stream-closed', streamId: 's1', outcome: 'cancelled' }
    expect(answerTo(text('So'), closed)).toMatchObject({ status: 'stopped', stop: 'cancelled' })
  })

  it('is complete when it waits for the user', () => {
    const closed: AgentEvent = { type: 'stream-closed', streamId: 's1', outcome: 'awaiting-input' }
    expect(answerTo(text('So'), closed)).toMatchObject({ status: 'complete' })
  })

  it('keeps what the answer took', () => {
    const usage = { inputTokens: 3, outputTokens: 4 }
    expect(answerTo(text('So'), { type: 'usage', streamId: 's1', usage })).toMatchObject({ usage })
  })
})
