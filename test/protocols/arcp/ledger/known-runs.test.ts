import { describe, expect, it } from 'vitest'
import { createKnownRuns, type KnownRun } from '../../../../src/protocols/arcp/ledger/known-runs.ts'

const run = (requestId: string, members: Partial<KnownRun> = {}): KnownRun => ({
  requestId,
  invokeId: `invoke ${requestId}`,
  jobId: 'job',
  ...members,
})

describe('the runs of a client', () => {
  it('are found by each of their ids until they are forgotten', () => {
    const runs = createKnownRuns()
    const [first, second] = [run('a'), run('b', { jobId: undefined })]
    runs.add(first)
    runs.add(second)
    runs.bind(second, 'job')
    expect([runs.byRequest('a'), runs.byInvoke('invoke b'), runs.ofJob('job')]).toEqual([
      first,
      second,
      [first, second],
    ])
    runs.forget('a')
    expect([runs.byRequest('a'), runs.byInvoke('invoke a'), runs.ofJob('job')]).toEqual([
      undefined,
      undefined,
      [second],
    ])
    runs.forget('b')
    expect([runs.ofJob('job'), [...runs.all()]]).toEqual([[], []])
  })

  it('that read their job again are the one that was left, and others that were left as well', () => {
    const runs = createKnownRuns()
    const left = run('left')
    for (const each of [left, run('beside'), run('away', { isAway: true }), run('elsewhere', { jobId: 'other' })])
      runs.add(each)
    runs.replay(left)
    expect(['left', 'beside', 'away', 'elsewhere'].map((id) => runs.isReplaying(id))).toEqual([
      true,
      false,
      true,
      false,
    ])
  })
})
