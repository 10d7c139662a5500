import { isJsonObject } from '../../../base/json-object.ts'
import type { EventLog, LogReader, LogWriter } from '../../../server/event-log/event-log.ts'

/** Whose session a log is of. It holds no token. */
export interface LoggedOwner {
  readonly principal: string
  /** The session belongs to nobody by name. */
  readonly isAnonymous: boolean
}

/** One message as it was logged. */
export interface LoggedMessage {
  readonly id: string
  readonly frame: string
}

/** The messages of one session in order, in an `EventLog`, behind an entry that says whose they are. */
export interface SessionLog {
  /** Adds messages. Rejects when the store has not kept them; nothing is added after that. */
  append(frames: readonly string[]): Promise<void>
  /** The messages that were added, after the one with this id. Ids are in order. Rejects when the log is gone. */
  after(id: string): Promise<readonly LoggedMessage[]>
  /** Nothing more comes: from now on the log is kept as long as the store keeps what has ended. */
  close(): Promise<void>
}

const KEY = 'arcp:session:'

/** Begins the log of a new session. */
export async function beginSessionLog(log: EventLog, sessionId: string, owner: LoggedOwner): Promise<SessionLog> {
  const begun = await log.begin(KEY + sessionId)
  if (begun.state !== 'created') throw new Error('The session has a log already.')
  const { writer, reader } = begun
  await writer.append({ kind: 'frame', text: JSON.stringify({ owner }) })
  return openSessionLog(writer, reader, 1)
}

function openSessionLog(writer: LogWriter, reader: LogReader, written: number): SessionLog {
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

/** The id of a message that this runtime has written; undefined for the first entry, which is none. */
function idOf(frame: string): string | undefined {
  const value: unknown = JSON.parse(frame)
  return isJsonObject(value) && typeof value.id === 'string' ? value.id : undefined
}
