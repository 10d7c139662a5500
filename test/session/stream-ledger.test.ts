import { expect, it } from 'vitest'
import type { StreamState } from '../../src/base/ledger.ts'
import { createStreamLedger } from '../../src/session/stream-ledger.ts'
import { delivery, failure, textDelivery } from '../support/scripted-peer.ts'

/** A map that counts how many of its entries were looked at in a row. */
class CountingMap extends Map<string, StreamState> {
  visits = 0;

  override *values(): MapIterator<StreamState> {
    for (const value of super.values()) {
      this.visits += 1
      yield value
    }
  }
}

it('answers whether a stream is open without looking through all streams', () => {
  const streams = new CountingMap()
  const ledger = createStreamLedger(streams)
  for (let at = 0; at < 1000; at += 1) {
    ledger.admit(textDelivery(1, 'x', `s${at}`), false)
    expect(ledger.hasSettled).toBe(false)
    ledger.admit(delivery(2, { type: 'stream-closed', streamId: `s${at}` }, `s${at}`), false)
    expect(ledger.hasSettled).toBe(true)
    expect(ledger.failure).toBe(undefined)
  }
  expect(streams.visits).toBe(0)
})

it('knows the streams that an earlier connection left open, closed and failed', () => {
  const error = failure()
  const state = (value: StreamState['state']): StreamState => ({
    seq: 1,
    state: value,
    error: value === 'failed' ? error : undefined,
  })
  const ledger = createStreamLedger(
    new Map([
      ['a', state('closed')],
      ['b', state('failed')],
      ['c', state('open')],
    ]),
  )
  expect(ledger.hasSettled).toBe(false)
  expect(ledger.failure).toBe(error)
  ledger.admit(delivery(2, { type: 'stream-closed', streamId: 'c' }, 'c'), false)
  expect(ledger.hasSettled).toBe(true)
})

it('forgets the streams of an answer that begins again', () => {
  const ledger = createStreamLedger(new Map([['a', { seq: 1, state: 'open' as const }]]))
  expect(ledger.admit(textDelivery(1, 'x', 'b'), true).verdict).toBe('restarted')
  ledger.admit(delivery(2, { type: 'stream-closed', streamId: 'b' }, 'b'), false)
  expect(ledger.hasSettled).toBe(true)
})

it('makes nothing for the packets that nothing is missing before: they are admitted unchanged', () => {
  const ledger = createStreamLedger(new Map(), 1)
  const admissions = new Set([1, 2, 3].map((seq) => ledger.admit(textDelivery(seq, 'x'), false)))
  expect([...admissions]).toEqual([{ verdict: 'new' }])
  expect(ledger.admit(textDelivery(3, 'x'), false)).toEqual({ verdict: 'duplicate', events: [] })
  const gap = ledger.admit(textDelivery(5, 'x'), false)
  expect(gap.events?.map(({ type }) => type)).toEqual(['diagnostic', 'text'])
})
