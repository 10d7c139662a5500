import { describe, expect, it } from 'vitest'
import { agUiProxyWire } from '../../../../src/server/wires/ag-ui/proxy-wire.ts'
import type { BodyEnd } from '../../../../src/server/wires/proxy-wire.ts'
import { called, FINISHED, said, STARTED } from '../../../support/ag-ui-server.ts'

const FAILED = { type: 'RUN_ERROR', message: 'Overloaded.' }
const INTERRUPTED = { ...FINISHED, outcome: { type: 'interrupt', interrupts: [{ id: 'i', reason: 'tool_call' }] } }
const PAGE_TOOL = { name: 'where', description: '' }

function endingAfter(
  events: readonly object[],
  tools: readonly object[] = [],
): ReturnType<typeof agUiProxyWire.createEnding> {
  const ending = agUiProxyWire.createEnding({ threadId: 'chat-1', runId: 'run', tools })
  for (const event of events) ending.take(JSON.stringify(event))
  return ending
}

describe('the end of an AG-UI stream', () => {
  it.each([
    ['nothing', [], 'eof', false],
    ['text without an end', [STARTED, ...said('m', 'Half')], 'eof', false],
    ['RUN_FINISHED', [STARTED, ...said('m', 'All'), FINISHED], 'eof', true],
    ['RUN_FINISHED, then a break', [STARTED, ...said('m', 'All'), FINISHED], 'broken', true],
    ['RUN_ERROR', [STARTED, FAILED], 'broken', true],
    ['speech behind RUN_FINISHED', [STARTED, FINISHED, ...said('m', 'More')], 'eof', false],
    ['state behind RUN_FINISHED', [STARTED, FINISHED, { type: 'STATE_SNAPSHOT', snapshot: {} }], 'eof', true],
    ['speech behind RUN_ERROR', [STARTED, FAILED, ...said('m', 'More')], 'eof', true],
    ['another run behind RUN_FINISHED', [STARTED, FINISHED, STARTED], 'eof', false],
    ['a break while a result is owed', [STARTED, ...called('c', 'search', {}), FINISHED], 'broken', false],
    ['an end in order while a result is owed', [STARTED, ...called('c', 'search', {}), FINISHED], 'eof', true],
    ['a break behind a result', [STARTED, ...called('c', 'search', {}, '3 hits'), FINISHED], 'broken', true],
    [
      'a break behind a result in a snapshot',
      [
        STARTED,
        ...called('c', 'search', {}),
        { type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'r', role: 'tool', toolCallId: 'c', content: '' }] },
        FINISHED,
      ],
      'broken',
      true,
    ],
    ['a break behind a call of the page', [STARTED, ...called('c', 'where', {}), FINISHED], 'broken', true],
    ['a break behind an interrupt', [STARTED, ...called('c', 'mail', {}), INTERRUPTED], 'broken', true],
    [
      'a break behind a call that is pending',
      [STARTED, ...called('c', 'mail', {}), { ...FINISHED, outcome: { type: 'success', pendingToolCallIds: ['c'] } }],
      'broken',
      true,
    ],
  ] satisfies [string, object[], BodyEnd, boolean][])('after %s is judged (%#)', (_name, events, end, isOver) => {
    expect(endingAfter(events, [PAGE_TOOL]).isOver(end)).toBe(isOver)
  })

  it('passes on what is not an event, and leaves out what says nothing', () => {
    const ending = endingAfter([])
    expect(['', '[DONE]', '{', '7', '{"type":7}'].map((data) => ending.take(data))).toEqual([
      'skip',
      'skip',
      'log',
      'log',
      'log',
    ])
  })
})
