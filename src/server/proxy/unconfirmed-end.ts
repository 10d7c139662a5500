import type { LogEntry, LogReader } from '../event-log/event-log.ts'

/** Last entry of a run that its proxy has ended, so that the upstream may still be working: a comment, which clients skip. */
export const UNCONFIRMED_END = { kind: 'frame', text: ': unconfirmed\n\n' } as const satisfies LogEntry

/** Whether a closed log ends with that mark. Rejects as the reader does. */
export async function endsUnconfirmed(reader: LogReader): Promise<boolean> {
  const { signal } = new AbortController()
  let last: LogEntry | undefined
  for (let position = 0; ;) {
    const { entries, end, closed } = await reader.read(position, signal)
    last = entries.at(-1) ?? last
    if (closed || end === position) break
    position = end
  }
  return last?.kind === 'frame' && last.text === UNCONFIRMED_END.text
}
