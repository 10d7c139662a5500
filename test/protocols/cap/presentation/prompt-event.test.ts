import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../src/base/json-object.ts'
import { readPacket } from '../../../../src/protocols/cap/read/rare-packet.ts'
import { toEvent } from '../../../../src/protocols/cap/rare-packets.ts'
import type { AgentEvent } from '../../../../src/seam/agent-event.ts'

const STREAM = '6f1c6cf0-1111-4222-8333-444455556666'
const AN_HOUR = 3_600_000

/** The event of a PROMPT as the server writes it. */
function read(data: JsonObject, ahead = 0): AgentEvent | undefined {
  const packet = {
    stream_id: STREAM,
    seq: 1,
    op: 'EVENT',
    t: '2026-11-23T08:00:00.000Z',
    p: { id: 'p1', timestamp: '2026-11-23T08:00:00.000Z', type: 'PROMPT', data },
  }
  return toEvent(readPacket(JSON.stringify(packet), 'strict'), { streamId: STREAM, ordinal: 1, ahead })
}

const ASKED: JsonObject = {
  kind: 'approval',
  message: 'May I send the mail?',
  subject: { name: 'send', input: { to: 'Ann' }, digest: 'd1', tool_call_id: 't1' },
  options: [
    { id: 'yes', label: 'Allow', kind: 'allow-once' },
    { id: 'always', label: 'Always', kind: 'allow-always', grants: 'Every mail to Ann', ttl_ms: 900_000 },
  ],
  expires_at: '2026-11-23T09:00:00.000Z',
  on_expiry: 'cancel',
}

describe('a PROMPT event', () => {
  it('is a prompt, answered by a command', () => {
    expect(read(ASKED)).toEqual({
      type: 'prompt',
      prompt: {
        id: 'p1',
        streamId: STREAM,
        kind: 'approval',
        message: 'May I send the mail?',
        subject: { name: 'send', input: { to: 'Ann' }, digest: 'd1', toolCallId: 't1', editable: undefined },
        options: [
          { id: 'yes', label: 'Allow', kind: 'allow-once' },
          { id: 'always', label: 'Always', kind: 'allow-always', grants: 'Every mail to Ann', ttlMs: 900_000 },
        ],
        expiresAt: Date.parse('2026-11-23T09:00:00.000Z'),
        onExpiry: 'cancel',
        answeredBy: 'command',
        state: 'open',
      },
    })
  })

  it('has its end on the clock of this device, however wrong that is', () => {
    const prompt = read(ASKED, -AN_HOUR)
    expect(prompt?.type === 'prompt' && prompt.prompt.expiresAt).toBe(Date.parse('2026-11-23T08:00:00.000Z'))
  })

  it('has an option without an end where its time is null, as many servers write what is absent', () => {
    const options = [{ id: 'always', label: 'Always', kind: 'allow-always', ttl_ms: null }]
    const event = read({ ...ASKED, options })
    expect(event?.type === 'prompt' && event.prompt.options).toEqual([
      { id: 'always', label: 'Always', kind: 'allow-always' },
    ])
  })

  it.each([
    ['an unknown kind', { kind: 'payment' }],
    ['a subject without a digest', { subject: { name: 'send', input: 1 } }],
    ['an option that cannot be read', { options: [{ id: 'yes', label: 'Allow', kind: 'allow-once' }, { id: 'no' }] }],
    ['two options with one id', { options: [1, 2].map(() => ({ id: 'yes', label: 'Allow', kind: 'allow-once' })) }],
  ])('with %s can only be declined', (_, change) => {
    const event = read({ ...ASKED, ...change })
    expect(event?.type === 'prompt' && event.prompt.kind).toBe('other')
  })

  it.each([
    ['without a message', { message: undefined }],
    ['in a state that nobody knows', { state: 'pondering' }],
  ])('%s is shown as an unknown event', (_, change) => {
    expect(read({ ...ASKED, ...change })).toMatchObject({ type: 'part', part: { type: 'unknown', name: 'PROMPT' } })
  })

  it('that has ended settles the prompt', () => {
    const answer = { type: 'option', option_id: 'yes', digest: 'd1' }
    expect(read({ ...ASKED, state: 'answered', answer_id: 'a1', answer })).toEqual({
      type: 'prompt-settled',
      streamId: STREAM,
      promptId: 'p1',
      state: 'answered',
      answerId: 'a1',
      answer: { type: 'option', optionId: 'yes', digest: 'd1', edits: undefined },
    })
    expect(read({ state: 'expired' })).toMatchObject({ type: 'prompt-settled', state: 'expired' })
  })
})

describe('a CLOSE that says cancelled', () => {
  it('ends the stream as cancelled', () => {
    const packet = { stream_id: STREAM, seq: 1, op: 'CLOSE', t: '2026-11-23T08:00:00.000Z', p: 'cancelled' }
    expect(toEvent(readPacket(JSON.stringify(packet), 'strict'), { streamId: STREAM, ordinal: 1 })).toMatchObject({
      type: 'stream-closed',
      outcome: 'cancelled',
    })
  })
})
