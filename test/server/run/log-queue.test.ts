import { describe, expect, it } from 'vitest'
import type { LogEntry } from '../../../src/server/event-log/event-log.ts'
import { createLogQueue } from '../../../src/server/run/log-queue.ts'
import { settle } from '../../support/manual-clock.ts'
import { frame } from '../event-log-contract.ts'

interface ScriptedLog {
  readonly log: { append(entry: LogEntry): Promise<void>; appendAll?(entries: readonly LogEntry[]): Promise<void> }
  /** What was asked of it, each time. */
  readonly asked: string[]
  /** Ends the write that is under way. */
  end(error?: Error): Promise<void>
}

function scriptedLog(whole: boolean): ScriptedLog {
  const asked: string[] = []
  let ending: { resolve(): void; reject(error: Error): void } | undefined
  const write = (entries: readonly LogEntry[]): Promise<void> => {
    asked.push(entries.map((entry) => (entry.kind === 'stream' ? '' : entry.text)).join(' '))
    return new Promise((resolve, reject) => {
      ending = { resolve, reject }
    })
  }
  return {
    log: { append: (entry) => write([entry]), ...(whole && { appendAll: write }) },
    asked,
    async end(error) {
      if (error === undefined) ending?.resolve()
      else ending?.reject(error)
      await settle()
    },
  }
}

const nothing = (): void => {}

describe('entries on their way into a log', () => {
  it('go at once when nothing is under way, and otherwise together with the next write', async () => {
    const { log, asked, end } = scriptedLog(true)
    const queue = createLogQueue(log, nothing)
    for (const text of ['a', 'bb', 'c']) queue.push(frame(text))
    expect([asked, queue.pending]).toEqual([['a'], 4])
    await end()
    expect([asked, queue.pending]).toEqual([['a', 'bb c'], 3])
    queue.push(frame('d'))
    await end()
    expect([asked, queue.pending]).toEqual([['a', 'bb c', 'd'], 1])
    await end()
    expect(queue.pending).toBe(0)
    await queue.settled()
  })

  it('go one after the other into a log that takes one at a time', async () => {
    const { log, asked, end } = scriptedLog(false)
    const queue = createLogQueue(log, nothing)
    for (const text of ['a', 'b', 'c']) queue.push(frame(text))
    for (const known of [['a'], ['a', 'b'], ['a', 'b', 'c']]) {
      expect(asked).toEqual(known)
      await end()
    }
    await queue.settled()
  })

  it('are settled when they are in the log, whatever comes behind them', async () => {
    const { log, end } = scriptedLog(true)
    const queue = createLogQueue(log, nothing)
    const settled: string[] = []
    for (const text of ['a', 'b']) {
      queue.push(frame(text))
      void queue.settled().then(() => settled.push(text))
    }
    await end()
    expect(settled).toEqual(['a'])
    queue.push(frame('c'))
    await end()
    expect(settled).toEqual(['a', 'b'])
  })

  it('that could not be written are lost with all that follow, for the same reason, and nothing more is asked', async () => {
    const { log, asked, end } = scriptedLog(true)
    const lost: unknown[] = []
    const queue = createLogQueue(log, (error) => lost.push(error))
    const failure = new Error('no memory')
    for (const text of ['a', 'b']) queue.push(frame(text))
    const waiting = queue.settled().catch((error: unknown) => error)
    await end(failure)
    expect(await waiting).toBe(failure)
    queue.push(frame('c'))
    await expect(queue.settled()).rejects.toBe(failure)
    expect([asked, lost]).toEqual([['a'], [failure]])
  })

  it('are lost as well in a log that throws before it promises anything', async () => {
    const failure = new Error('hasty')
    const queue = createLogQueue(
      {
        append: () => {
          throw failure
        },
      },
      nothing,
    )
    queue.push(frame('a'))
    await expect(queue.settled()).rejects.toBe(failure)
  })
})
