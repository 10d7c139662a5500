import { describe, expect, it } from 'vitest'
import type { EventLog, LogWriter } from '../../../src/server/event-log/event-log.ts'
import { memoryEventLog } from '../../../src/server/event-log/memory-event-log.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { collect, framesOf } from '../peer.ts'
import { answerText, followRun, postRun, serveAnswers, serveWire, WIRES } from '../serve-wire.ts'

interface SharedLog extends EventLog {
  /** From now on every log that is open is one whose process has died. */
  kill(): void
}

/** A log over several processes, of which the one that writes can die. */
function sharedLog(): SharedLog {
  const log = memoryEventLog({ clock: createManualClock() })
  const writers = new Map<string, LogWriter>()
  let isDead = false
  return {
    ...log,
    kill: () => (isDead = true),
    async begin(key, options) {
      const begun = await log.begin(key, options)
      if (begun.state === 'created') writers.set(key, begun.writer)
      // What a process that is dead writes is not written.
      return begun.state !== 'created'
        ? begun
        : {
            ...begun,
            writer: {
              ...begun.writer,
              append: async (entry) => (isDead ? undefined : begun.writer.append(entry)),
              close: async () => (isDead ? undefined : begun.writer.close()),
            },
          }
    },
    async find(key) {
      const found = await log.find(key)
      if (found.state !== 'exists') return found
      const { reader } = found
      const read: typeof reader.read = async (after, signal) => {
        const end = await endOf(reader)
        if (isDead && writers.has(key) && after >= end) return { entries: [], end, closed: false, orphaned: true }
        return reader.read(after, signal)
      }
      return { state: 'exists', reader: { read } }
    },
    async adopt(key) {
      const writer = writers.get(key)
      const found = await log.find(key)
      if (writer === undefined || found.state !== 'exists') return undefined
      writers.delete(key)
      return { writer, end: await endOf(found.reader) }
    },
  }

  async function endOf(reader: {
    read: (after: number, signal: AbortSignal) => Promise<{ end: number }>
  }): Promise<number> {
    return (await reader.read(0, new AbortController().signal)).end
  }
}

describe.each(WIRES)('a run of wire %s whose process died', (wire) => {
  it('is ended as lost by who reads it next, once', async () => {
    const log = sharedLog()
    const body = answerText(wire, 'Rivers ', 'meander.')
    const upstream = await serveAnswers((res) =>
      res.write(body.slice(0, body.indexOf('\n\n', body.indexOf('Rivers')) + 2)),
    )
    const { url } = await serveWire(wire, upstream, { log })
    const leaving = new AbortController()
    const first = framesOf(await postRun(wire, url, 'run-1', {}, leaving.signal))
    const heard = [await first.next(), await first.next(), await first.next()].map(({ value }) => value)
    leaving.abort()
    log.kill()
    const rest = await collect(framesOf(await followRun(wire, url, 'run-1', { 'last-event-id': 'run-1/3' })))
    expect(rest.at(-1)?.id).toBe(`run-1/${3 + rest.length}`)
    expect(rest.map(({ data }) => data).join('')).toContain('connection to the agent was lost')
    const again = await collect(framesOf(await followRun(wire, url, 'run-1')))
    expect(again).toEqual([...heard, ...rest])
    expect(upstream.seen).toHaveLength(1)
  })
})
