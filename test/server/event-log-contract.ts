import type { Begun, EventLog, LogEntry } from '../../src/server/event-log/event-log.ts'

type Created = Extract<Begun, { state: 'created' }>

export async function create(log: EventLog, key: string): Promise<Created> {
  const begun = await log.begin(key)
  if (begun.state !== 'created') throw new Error(`expected a new log, got ${begun.state}`)
  return begun
}

export const frame = (text: string): LogEntry => ({ kind: 'frame', text })
export const never = new AbortController().signal

export async function readAll(reader: Created['reader'], from = 0): Promise<LogEntry[]> {
  const all: LogEntry[] = []
  const { signal } = new AbortController()
  for (let position = from; ;) {
    const slice = await reader.read(position, signal)
    all.push(...slice.entries)
    position = slice.end
    if (slice.closed) return all
  }
}
