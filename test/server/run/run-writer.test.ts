import { describe, expect, it } from 'vitest'
import { allPackets, post, postRequest, textOf } from '../peer.ts'
import { serveAgent } from '../serve-agent.ts'
import { createAgentHandler } from '../../../src/server/handler/agent-handler.ts'
import { memoryEventLog } from '../../../src/server/event-log/memory-event-log.ts'
import type { EventLog, LogEntry, LogWriter } from '../../../src/server/event-log/event-log.ts'
import { createManualClock, settle } from '../../support/manual-clock.ts'

describe('a callback that writes after its run has ended', () => {
  it('is reported to the developer', async () => {
    let late: (() => Promise<void>) | undefined
    const { url, errors } = await serveAgent(async (_request, run) => {
      await run.write('All.')
      late = () => run.write('Too late.')
    })
    expect(textOf(await allPackets(await post(url)))).toBe('All.')
    await expect(late?.()).rejects.toMatchObject({ code: 'app_error' })
    expect(errors).toMatchObject([{ code: 'app_error', message: expect.stringMatching(/after it was closed/) }])
  })
})

/** A log in memory whose writers are what the test makes of them. */
function withWriter(change: (writer: LogWriter) => LogWriter): EventLog {
  const log = memoryEventLog({ clock: createManualClock() })
  return {
    ...log,
    async begin(key, options) {
      const begun = await log.begin(key, options)
      return begun.state === 'created' ? { ...begun, writer: change(begun.writer) } : begun
    },
  }
}

const isFrame = (entry: LogEntry): boolean => entry.kind === 'frame'

describe('an agent that yields', () => {
  it('continues while its words are on their way into the log, and waits when they are too many', async () => {
    let said = 0
    let keep = (): void => {}
    const log = withWriter((writer) => ({
      ...writer,
      async append(entry) {
        if (isFrame(entry) && said < 100) {
          await new Promise<void>((resolve) => {
            keep = resolve
          })
        }
        await writer.append(entry)
      },
    }))
    const handler = createAgentHandler({
      log,
      clock: createManualClock(),
      agent: async function* () {
        for (; said < 100; said++) yield 'x'.repeat(10_000)
      },
    })
    const response = await handler(postRequest('http://agent.example/assist'))
    await settle()
    // The seventh packet is the one that passes 65,536 units.
    expect(said).toBe(6)
    said = 1_000
    keep()
    expect(textOf(await allPackets(response))).toHaveLength(70_000)
  })

  it('is stopped as soon as one of its words could not be kept', async () => {
    const errors: unknown[] = []
    const failure = new Error('no memory')
    let fail = (_error: Error): void => {}
    let ended = false
    const log = withWriter((writer) => ({
      ...writer,
      append: async (entry) =>
        isFrame(entry)
          ? new Promise((_resolve, reject) => {
              fail = reject
            })
          : writer.append(entry),
    }))
    const handler = createAgentHandler({
      log,
      clock: createManualClock(),
      onError: (error) => errors.push(error),
      agent: async function* (_request, run) {
        run.signal.addEventListener('abort', () => (ended = true))
        yield 'lost'
        await new Promise(() => {})
      },
    })
    const response = await handler(postRequest('http://agent.example/assist'))
    await settle()
    expect(ended).toBe(false)
    fail(failure)
    await expect(response.text()).rejects.toMatchObject({ code: 'log_expired' })
    expect([ended, errors]).toEqual([true, [failure]])
  })
})
