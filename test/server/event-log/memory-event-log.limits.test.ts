import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import type { LogEntry } from '../../../src/server/event-log/event-log.ts'
import { memoryEventLog } from '../../../src/server/event-log/memory-event-log.ts'
import { createManualClock, settle } from '../../support/manual-clock.ts'
import { create, frame, never, readAll } from '../event-log-contract.ts'

describe('a log in memory', () => {
  it('gives a reader that is behind a bounded part at a time, and all of it in the end', async () => {
    const log = memoryEventLog({ clock: createManualClock() })
    const { writer, reader } = await create(log, 'run')
    const entries = Array.from({ length: 300 }, (_, index) => frame(`${index} ${'x'.repeat(5000)}`))
    for (const entry of entries) await writer.append(entry)
    await writer.close()
    const first = await reader.read(0, never)
    expect(first.entries.length).toBeLessThan(20)
    expect([first.end, first.closed]).toEqual([first.entries.length, false])
    expect(await readAll(reader)).toEqual(entries)
  })

  it('bounds what all runs in progress take together', async () => {
    const log = memoryEventLog({ clock: createManualClock(), maxLiveBytes: 100 })
    const first = await create(log, 'first')
    const second = await create(log, 'second')
    await first.writer.append(frame('x'.repeat(30)))
    await second.writer.append(frame('x'.repeat(20)))
    const full = { code: 'storage_full', severity: 'TRANSIENT' }
    const waiting = second.reader.read(1, never)
    await expect(log.begin('third')).rejects.toMatchObject(full)
    await expect(second.writer.append(frame('x'))).rejects.toMatchObject(full)
    await expect(waiting).rejects.toMatchObject({ code: 'log_expired' })
    await expect(second.writer.append(frame('x'))).rejects.toMatchObject({ code: 'log_expired' })
    expect((await log.find('second')).state).toBe('expired')
    await first.writer.append(frame('x'.repeat(20)))
    await first.writer.close()
    // A finished run no longer counts.
    const third = await create(log, 'third')
    await third.writer.append(frame('x'.repeat(50)))
    await log.expire('third')
    await create(log, 'fourth')
  })

  it('lets go of the text of an evicted run, although it is still read, and notifies its readers', async () => {
    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc') as () => void // the flag puts it there
    const log = memoryEventLog({ clock: createManualClock(), maxBytes: 1_000_000 })
    const held: WeakRef<LogEntry>[] = []
    const readers = []
    for (let run = 0; run < 30; run++) {
      const { writer, reader } = await create(log, `run ${run}`)
      for (let count = 0; count < 10; count++) {
        const entry = frame('x'.repeat(20_000))
        held.push(new WeakRef(entry))
        await writer.append(entry)
      }
      await reader.read(0, never)
      readers.push(reader)
      await writer.close()
    }
    await settle()
    collectGarbage()
    // Two finished runs of 400 kB fit into the limit.
    expect(held.filter((entry) => entry.deref() !== undefined)).toHaveLength(20)
    const told = await Promise.all(
      readers.map(async (reader) =>
        reader.read(4, never).then(
          () => 'more',
          (error: unknown) => error,
        ),
      ),
    )
    expect(told.filter((each) => each === 'more')).toHaveLength(2)
    expect(told[0]).toMatchObject({ code: 'log_expired', severity: 'FATAL' })
  })
})
