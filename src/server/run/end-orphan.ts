import type { Clock } from '../../base/ports/clock.ts'
import type { EventOutput, StreamErrorBody } from './agent-output.ts'
import type { Adopted, LogReader } from '../event-log/event-log.ts'
import { createRunRecord, type RunRecord } from './run-record.ts'
import { createRunWriter } from './run-writer.ts'
import { createStreamPlaces, type StreamPlaces } from './stream-places.ts'

export interface Orphan {
  readonly reader: LogReader
  readonly log: Adopted
  readonly clock: Clock
  readonly uuid: () => string
}

const INTERRUPTED: StreamErrorBody = {
  code: 'run_interrupted',
  message: 'The server that was answering stopped before the answer was complete. Ask again.',
  severity: 'FATAL',
}

/** Ends a log whose agent died: FATAL and CLOSE on every open stream, with the next sequence numbers. */
export async function endOrphan({ reader, log, clock, uuid }: Orphan): Promise<void> {
  const record = createRunRecord()
  const before = await readAdopted(reader, log, record)
  // Nobody can answer what the agent that died has asked.
  const lastEvents = (stream: string): readonly EventOutput[] => record.withdraw(stream)
  try {
    const writer = createRunWriter({ log: log.writer, clock, uuid, maxAnswerLength: Infinity, before, lastEvents })
    await writer.fail(INTERRUPTED)
  } catch (error) {
    await discardAfter(log)
    throw error
  }
  await log.writer.close()
}

/** Reads what an adopted log holds, into the record too. One that cannot be read cannot be completed, so it is discarded. */
export async function readAdopted(
  reader: LogReader,
  log: Adopted,
  record?: Pick<RunRecord, 'takeEntry'>,
): Promise<StreamPlaces> {
  try {
    return await readPlaces(reader, log.end, record)
  } catch (error) {
    await discardAfter(log)
    throw error
  }
}

async function discardAfter({ writer }: Adopted): Promise<void> {
  // The first error is the more useful one, and a log that cannot be discarded becomes orphaned again.
  await writer.discard().catch(() => {})
}

/** Reads a log up to a counter. */
async function readPlaces(
  reader: LogReader,
  end: number,
  record: Pick<RunRecord, 'takeEntry'> | undefined,
): Promise<StreamPlaces> {
  const places = createStreamPlaces()
  const { signal } = new AbortController()
  for (let position = 0; position < end;) {
    const slice = await reader.read(position, signal)
    for (const entry of slice.entries) {
      places.takeEntry(entry)
      record?.takeEntry(entry)
    }
    if (slice.end === position) break
    position = slice.end
  }
  return places
}
