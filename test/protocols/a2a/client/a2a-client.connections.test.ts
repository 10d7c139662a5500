import { describe, expect, it } from 'vitest'
import { keepServerQuiet } from '../../../support/a2a/quiet-server.ts'
import { CHUNKS, inexactRuns, MODES, playOverChaos, postsOf, timeoutOf } from './play-over-chaos.ts'
import { wordsOf } from '../../../support/a2a/sdk-agent.ts'

/** Of each way; `a2a-client.chaos.test.ts` plays more of them, over slower stores. */
const RUNS = 6

keepServerQuiet()

describe('a broken connection to the server of the official SDK', () => {
  it.each(Object.entries(MODES))('%s: the text is exact and the message was sent once', async (name, mode) => {
    const { played, agent } = await playOverChaos(mode, { runs: RUNS, storeMs: 0, timeoutMs: timeoutOf(name) })
    expect(played.map(({ text }) => text)).toEqual(Array.from({ length: RUNS }, () => wordsOf(CHUNKS)))
    expect(played.flatMap(({ strays, error }) => [...strays, ...(error ? [error] : [])])).toEqual([])
    expect(postsOf(agent)).toHaveLength(RUNS)
    expect(new Set(postsOf(agent)).size).toBe(RUNS)
  })

  it.each(['CRLF', 'CR', 'one byte a write', 'BOM'])('is none where the stream is only written as %s', async (name) => {
    const { agent } = await playOverChaos(MODES[name] ?? (() => []), { runs: 1, storeMs: 0 })
    expect(agent.calls.map(({ method }) => method)).toEqual(['SendStreamingMessage'])
  })

  it('before the first event: the task is looked up by the id of its message', async () => {
    const { played, agent } = await playOverChaos(() => [{ type: 'cut', after: 0 }], { runs: 3, storeMs: 0 })
    expect(inexactRuns(played)).toEqual([])
    expect(postsOf(agent)).toHaveLength(3)
    expect(agent.count('ListTasks')).toBeGreaterThanOrEqual(3)
  })

  it('after each snapshot, without anything new: the task is abandoned after the attempts, and not sent again', async () => {
    const { played, agent } = await playOverChaos(() => () => ({ type: 'cut', after: 1 }), {
      runs: 1,
      storeMs: 0,
      maxAttempts: 3,
      tickMs: 600_000,
    })
    expect(played[0]?.error).toMatchObject({ severity: 'TRANSIENT' })
    expect(postsOf(agent)).toHaveLength(1)
    expect(agent.count('SubscribeToTask')).toBe(3)
  })
})
