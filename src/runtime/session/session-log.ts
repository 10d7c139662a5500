import { isJsonObject } from '../../base/json-object.ts'
import type { EventLog, LogReader, LogWriter } from '../../server/event-log/event-log.ts'
import type { LoggedOwner } from './logged-session.ts'
import { ownerEntry } from './logged-session.ts'

/** One message as it was logged. */
export interface LoggedMessage {
  readonly id: string
  readonly frame: string
}

/** The messages of one session in order, in an `EventLog`, among entries that say whose they are and how its jobs were invoked. */
export interface SessionLog {
  /** Adds messages and other entries. Rejects when the store has not kept them; nothing is added after that. */
  append(frames: readonly string[]): Promise<void>
  /** The messages that were added, after the one with this id. Ids are in order. Rejects when the log is gone. */
  after(id: string): Promise<readonly LoggedMessage[]>
  /** Nothing more comes: from now on the log is kept as long as the store keeps what has ended. */
  close(): Promise<void>
  /** Nothing of it may be read any more. */
  discard(): Promise<void>
}

/** The key of the log of a session. */
export function keyOf(sessionId: string): string {
  return `arcp:session:${sessionId}`
}

/** Begins the log of a new session. */
export async function beginSessionLog(log: EventLog, sessionId: string, owner: LoggedOwner): Promise<SessionLog> {
  const begun = await log.begin(keyOf(sessionId))
  if (begun.state !== 'created') throw new Error('The session has a log already.')
  const { writer, reader } = begun
  await writer.append({ kind: 'frame', text: JSON.stringify(ownerEntry(owner)) })
  return openSessionLog(writer, reader, 1)
}

/** A log that continues after its first entries. @param written how many there are */
export function openSessionLog(writer: LogWriter, reader: LogReader, written: number): SessionLog {
  let end = written
  const never = new AbortController().signal
  return {
    async append(frames) {
      const entries = frames.map((text) => ({ kind: 'frame', text }) as const)
      if (writer.appendAll !== undefined) await writer.appendAll(entries)
      else for (const entry of entries) await writer.append(entry)
      end += entries.length
    },
    after: (id) => readUntil(reader, end, id, never),
    close: () => writer.close(),
    discard: () => writer.discard(),
  }
}

async function readUntil(
  reader: LogReader,
  end: number,
  after: string,
  signal: AbortSignal,
): Promise<readonly LoggedMessage[]> {
  const found: LoggedMessage[] = []
  for (let at = 0; at < end;) {
    const slice = await reader.read(at, signal)
    for (const entry of slice.entries) {
      if (entry.kind !== 'frame') continue
      const id = idOf(entry.text)
      if (id !== undefined && id > after) found.push({ id, frame: entry.text })
    }
    if (slice.end === at) break
    at = slice.end
  }
  return found
}

/** The id of a message that this runtime has written; undefined for other entries. */
function idOf(frame: string): string | undefined {
  const value: unknown = JSON.parse(frame)
  return isJsonObject(value) && typeof value.id === 'string' ? value.id : undefined
}
