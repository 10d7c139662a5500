import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../src/seam/agent-event.ts'
import { type Conversation, type ChatMessage, textOf } from '../../src/state/turn.ts'
import {
  answerMessageId,
  applyEvent,
  beginTurn,
  endTurn,
  markSent,
  resumeTurn,
  userMessageId,
} from '../../src/state/conversation.ts'
import { failure } from '../support/scripted-peer.ts'

const question: ChatMessage = {
  id: userMessageId('r1'),
  role: 'user',
  parts: [{ type: 'text', id: 'text-1', text: 'Why?' }],
  status: 'sending',
  requestId: 'r1',
}
const begun = (): Conversation => beginTurn({ messages: [], turn: undefined }, 'r1', question, 10)
const fold = (events: readonly AgentEvent[], from = begun()): Conversation =>
  events.reduce((conversation, event) => applyEvent(conversation, event, 20), from)
const text = (value: string, streamId = 's1'): AgentEvent => ({ type: 'text', streamId, text: value })
const citation: AgentEvent = {
  type: 'part',
  streamId: 's1',
  partId: 'c1',
  part: { type: 'citations', citations: [{ sourceId: 'a', uri: 'https://a.example', title: 'A' }] },
}
const media: AgentEvent = { type: 'part', streamId: 's1', partId: 'm1', part: { type: 'media', items: [] } }
const notice: AgentEvent = {
  type: 'part',
  streamId: 's1',
  partId: 'n1',
  part: { type: 'notice', message: 'The level below is from yesterday.' },
}
const thought = (value: string, id: string): AgentEvent => ({
  type: 'part',
  streamId: 's1',
  partId: id,
  part: { type: 'thought', text: value },
})
const progress = (fraction: number): AgentEvent => ({
  type: 'part',
  streamId: 's1',
  partId: 'p1',
  part: { type: 'progress', label: 'ResumePoint', status: 'running', fraction },
})
const answerOf = (conversation: Conversation): ChatMessage => {
  const message = conversation.messages.find(({ id }) => id === answerMessageId('r1'))
  if (message === undefined) throw new Error('there is no answer')
  return message
}
const kinds = (conversation: Conversation): string[] =>
  answerOf(conversation).parts.map((part) => (part.type === 'text' ? part.text : part.type))

describe('an answer that grows', () => {
  it('shows the question and a place for the answer immediately', () => {
    expect(begun().messages.map(({ role, status }) => [role, status])).toEqual([
      ['user', 'sending'],
      ['assistant', 'pending'],
    ])
  })

  it('joins the deltas of a stream into one text', () => {
    const conversation = fold([text('Rivers '), text('bend')])
    expect(kinds(conversation)).toEqual(['Rivers bend'])
    expect(answerOf(conversation)).toMatchObject({ status: 'streaming', firstTextAt: 20 })
  })

  it('does not cut a sentence for the part next to it', () => {
    expect(kinds(fold([text('Rivers '), citation, progress(0.1), text('bend')]))).toEqual([
      'Rivers bend',
      'citations',
      'progress',
    ])
    expect(kinds(fold([text('Rivers '), thought('hm', 't1'), text('bend')]))).toEqual(['Rivers bend', 'thought'])
  })

  it('puts a notice between two paragraphs where it came, so that "the level below" is below it, and beside a sentence it falls into', () => {
    expect(kinds(fold([text('One.\n\n'), notice, text('Two.')]))).toEqual(['One.\n\n', 'notice', 'Two.'])
    expect(kinds(fold([text('Rivers '), notice, text('bend')]))).toEqual(['Rivers bend', 'notice'])
  })

  it('begins a new text after a block, and after a thought between paragraphs', () => {
    expect(kinds(fold([text('Before'), media, text('after')]))).toEqual(['Before', 'media', 'after'])
    expect(kinds(fold([text('One.\n\n'), thought('hm', 't1'), text('Two.')]))).toEqual(['One.\n\n', 'thought', 'Two.'])
  })

  it('updates a part in place by its id', () => {
    const conversation = fold([progress(0.1), text('A'), progress(0.9)])
    expect(answerOf(conversation).parts).toMatchObject([
      { type: 'progress', id: 'p1', fraction: 0.9 },
      { type: 'text' },
    ])
  })

  it('marks a gap at its place and never joins over it', () => {
    const gap: AgentEvent = { type: 'diagnostic', diagnostic: { kind: 'gap', streamId: 's1', after: 1, before: 4 } }
    expect(kinds(fold([text('one '), gap, text('four')]))).toEqual(['one ', 'gap', 'four'])
  })

  it('gives every further stream its own message, with an id that a replay would give again', () => {
    const events = [text('A'), text('B', 's2'), text('a'), text('b', 's2')]
    const conversation = fold(events)
    expect(conversation.messages.map((message) => textOf(message))).toEqual(['Why?', 'Aa', 'Bb'])
    expect(conversation.messages.map(({ id }) => id)).toEqual(fold(events).messages.map(({ id }) => id))
  })

  it('leaves every other message the same object', () => {
    const before = fold([text('A')])
    const after = applyEvent(before, text('B'), 30)
    expect(after.messages[0]).toBe(before.messages[0])
    expect(after.messages[1]).not.toBe(before.messages[1])
    expect(applyEvent(before, { type: 'run-finished' }, 30)).toBe(before)
  })

  it('replaces everything on a snapshot', () => {
    const snapshot: AgentEvent = {
      type: 'snapshot',
      streamId: 's1',
      parts: [{ partId: 't1', part: { type: 'text', text: 'whole' } }],
    }
    expect(kinds(fold([text('ha'), media, snapshot]))).toEqual(['whole'])
  })
})

describe('an answer that begins again', () => {
  it('drops what was said and never mixes the two', () => {
    const restarted: AgentEvent = { type: 'diagnostic', diagnostic: { kind: 'restarted', streamId: 's9' } }
    const conversation = fold([text('old'), text('older', 's2'), restarted, text('new', 's9')])
    expect(conversation.messages.map((message) => textOf(message))).toEqual(['Why?', 'new'])
    expect(answerOf(conversation)).toMatchObject({ restarted: true, status: 'streaming' })
  })
})

describe('the ending of a turn', () => {
  const sent = (): Conversation => markSent(fold([text('A')]))

  it('is complete when the run finished', () => {
    expect(endTurn(sent(), { type: 'finished' }, 40).messages).toMatchObject([
      { status: 'sent' },
      { status: 'complete', endedAt: 40 },
    ])
  })

  it('is stopped when the user stopped it', () => {
    expect(answerOf(endTurn(sent(), { type: 'stopped' }, 40))).toMatchObject({ status: 'stopped' })
  })

  it('is incomplete when the connection would not hold, failed when the agent gave up, text kept in both', () => {
    const error = failure()
    expect(answerOf(endTurn(sent(), { type: 'failed', error }, 40))).toMatchObject({
      status: 'incomplete',
      error,
      parts: [{ text: 'A' }],
    })
    const broke = failure({ kind: 'runtime', code: 'agent_error', severity: 'FATAL' })
    expect(answerOf(endTurn(sent(), { type: 'failed', error: broke }, 40))).toMatchObject({
      status: 'failed',
      parts: [{ text: 'A' }],
    })
  })

  it('keeps the words and shows no empty answer when nothing ever came back', () => {
    const error = failure()
    expect(endTurn(begun(), { type: 'failed', error }, 40).messages).toMatchObject([
      { role: 'user', status: 'not-sent', error },
    ])
  })

  it('does not touch a stream that ended before', () => {
    const conversation = fold(
      [text('A'), { type: 'stream-closed', streamId: 's1' }, text('B', 's2')],
      markSent(begun()),
    )
    const ended = endTurn(conversation, { type: 'failed', error: failure() }, 40)
    expect(ended.messages.map(({ status }) => status)).toEqual(['sent', 'complete', 'incomplete'])
  })

  it('can be taken back by resuming', () => {
    const ended = endTurn(sent(), { type: 'failed', error: failure() }, 40)
    expect(answerOf(resumeTurn(ended))).toMatchObject({ status: 'streaming', error: undefined })
  })

  it('marks only the stream that failed', () => {
    const error = failure({ severity: 'FATAL' })
    const conversation = fold(
      [text('A'), text('B', 's2'), { type: 'stream-failed', streamId: 's2', error }],
      markSent(begun()),
    )
    expect(conversation.messages.map(({ status }) => status)).toEqual(['sent', 'streaming', 'failed'])
  })
})
