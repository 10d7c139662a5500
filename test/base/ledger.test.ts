import { describe, expect, it } from 'vitest'
import type { Ledger, NumberedPacket, StreamState, LedgerVerdict } from '../../src/base/ledger.ts'
import { createLedger } from '../../src/base/ledger.ts'

const packet = (streamId: string, seq?: number, closes = false): NumberedPacket => ({ streamId, seq, closes })

/** Checks and records a packet, as a session does. */
function take(ledger: Ledger, given: NumberedPacket, firstOfResume = false): LedgerVerdict {
  const judgement = ledger.judge(given, firstOfResume)
  if (judgement.verdict === 'duplicate') return 'duplicate'
  const stream = ledger.record(given, judgement)
  if (given.closes) ledger.end(stream, 'closed')
  return judgement.verdict
}

describe('the deduplication ledger', () => {
  it('judges without writing anything down', () => {
    const streams = new Map<string, StreamState>()
    const ledger = createLedger(streams)
    expect(ledger.judge(packet('a', 1), false)).toEqual(ledger.judge(packet('a', 1), false))
    expect(streams.size).toBe(0)
    expect(ledger.hasSettled).toBe(false)
  })

  it('takes each number of a stream once, and marks a jump with the number before it', () => {
    const ledger = createLedger(new Map())
    expect(
      [packet('a', 1), packet('a', 1), packet('b', 1), packet('a', 2), packet('a', 1)].map((given) =>
        take(ledger, given),
      ),
    ).toEqual(['new', 'duplicate', 'new', 'new', 'duplicate'])
    expect(ledger.judge(packet('a', 5), false)).toEqual({ verdict: 'gap', missingAfter: 2 })
  })

  it('deduplicates nothing without numbers', () => {
    const ledger = createLedger(new Map())
    expect([packet('a'), packet('a'), packet('a', 7)].map((given) => take(ledger, given))).toEqual([
      'new',
      'new',
      'new',
    ])
  })

  it.each([
    ['lets a stream begin with any number, when no rule is given', undefined, 9, { verdict: 'new' }],
    ['lets a stream begin with the first number of the rule', 1, 1, { verdict: 'new' }],
    ['lets a stream begin with a lower number', 1, 0, { verdict: 'new' }],
    ['marks a stream that begins later', 1, 3, { verdict: 'gap', missingAfter: 0 }],
    ['takes the rule of another protocol', 100, 102, { verdict: 'gap', missingAfter: 99 }],
  ])('%s', (_, firstSeq, seq, judgement) => {
    expect(createLedger(new Map(), firstSeq).judge(packet('a', seq), false)).toEqual(judgement)
  })

  it('knows a sender that began again by an unknown stream while a known one is open, and forgets what it knew', () => {
    const streams = new Map<string, StreamState>()
    const ledger = createLedger(streams, 1)
    take(ledger, packet('a', 1))
    expect(ledger.judge(packet('a', 2), true)).toEqual({ verdict: 'new' })
    expect(ledger.judge(packet('b', 1), false)).toEqual({ verdict: 'new' })
    expect(ledger.judge(packet('b', 4), true)).toEqual({ verdict: 'restarted', missingAfter: 0 })
    expect(take(ledger, packet('b', 4), true)).toBe('restarted')
    expect([...streams.keys()]).toEqual(['b'])
    take(ledger, packet('b', 5, true))
    expect(ledger.hasSettled).toBe(true)
    expect(take(ledger, packet('c', 1), true)).toBe('new')
  })

  it('takes nothing of a closed stream, and of a failed one only its close', () => {
    const ledger = createLedger(new Map())
    take(ledger, packet('a', 1, true))
    expect(take(ledger, packet('a', 2))).toBe('duplicate')
    const judgement = ledger.judge(packet('b', 1), false)
    ledger.end(ledger.record(packet('b', 1), judgement), 'failed')
    expect(take(ledger, packet('b', 2))).toBe('duplicate')
    expect(take(ledger, packet('b', 2, true))).toBe('new')
  })
})
