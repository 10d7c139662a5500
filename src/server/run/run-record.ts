import { isJsonObject } from '../../base/json-object.ts'
import type { PromptEnd } from '../../seam/prompt.ts'
import { settledPromptSchema } from '../../protocols/cap/presentation/prompt-schema.ts'
import { canonicalUuid } from '../../protocols/cap/values/scalars.ts'
import type { LogEntry, LogReader, Adopted, RunCommand, RunEndReason, RunReply } from '../event-log/event-log.ts'
import type { EventOutput, StreamErrorBody } from './agent-output.ts'
import type { Clock } from '../../base/ports/clock.ts'
import { createRunWriter } from './run-writer.ts'
import { createStreamPlaces, type StreamPlaces } from './stream-places.ts'

/** What a log says of prompts and messages, for runs whose agent is not here any more. */
export interface RunRecord {
  takeEntry(entry: LogEntry): void
  /** Withdraws the prompts that are open on a stream, and gives the events that say so. */
  withdraw(streamId: string): readonly EventOutput[]
  /** What becomes of a command for a run that has ended. */
  reply(command: RunCommand): RunReply
}

interface RecordedPrompt {
  readonly streamId: string
  readonly kind: unknown
  readonly message: unknown
  state: PromptEnd | 'open'
  answerId: string | undefined
}

/** Frames that hold none of these say nothing of prompts, messages and the end, and are not parsed. */
const TELLING = /"op":"(?:CLOSE|ERROR)"|"type":"(?:PROMPT|SAID)"/

export function createRunRecord(): RunRecord {
  const prompts = new Map<string, RecordedPrompt>()
  const said = new Set<string>()
  let ended: RunEndReason = 'finished'

  const takeEvent = (streamId: string, { type, id, data }: Readonly<Record<string, unknown>>): void => {
    if (typeof id !== 'string' || !isJsonObject(data)) return
    if (type === 'SAID') said.add(id)
    if (type !== 'PROMPT') return
    const known = prompts.get(id)
    const settled = settledPromptSchema.safeParse(data)
    if (known === undefined) {
      const { kind, message } = data
      prompts.set(id, { streamId, kind, message, state: 'open', answerId: undefined })
    } else if (settled.success && known.state === 'open') {
      known.state = settled.data.state
      known.answerId = settled.data.answer_id
    }
  }

  const takePacket = (packet: unknown): void => {
    if (!isJsonObject(packet)) return
    const { op, p, stream_id } = packet
    const streamId = canonicalUuid(stream_id) ?? ''
    if (op === 'EVENT' && isJsonObject(p)) takeEvent(streamId, p)
    // CLOSE follows FATAL, and says that the stream failed.
    if (op === 'ERROR' && isJsonObject(p) && p['code'] === 'run_interrupted') ended = 'interrupted'
    if (op === 'CLOSE' && ended !== 'interrupted')
      ended = p === 'cancelled' || p === 'failed' || p === 'unconfirmed' ? p : 'finished'
  }

  return {
    takeEntry(entry) {
      if (entry.kind !== 'frame' || !TELLING.test(entry.text)) return
      for (const row of entry.text.split('\n')) if (row.startsWith('data: ')) takePacket(parsed(row.slice(6)))
    },
    withdraw(streamId) {
      const open = [...prompts].filter(([, prompt]) => prompt.state === 'open' && prompt.streamId === streamId)
      return open.map(([id, prompt]) => {
        prompt.state = 'withdrawn'
        const data = { state: prompt.state, kind: prompt.kind, message: prompt.message }
        return { kind: 'event', type: 'PROMPT', id, data, stream: streamId }
      })
    },
    reply(command) {
      const over: RunReply = { result: 'over', ended }
      switch (command.name) {
        case 'cancel':
          return ended === 'cancelled' ? { result: 'accepted' } : over
        case 'say':
          return said.has(command.messageId) ? { result: 'accepted' } : over
        case 'answer': {
          const prompt = prompts.get(command.promptId)
          if (prompt === undefined) return { result: 'unknown-prompt' }
          const { state, answerId } = prompt
          if (answerId === command.answerId) return { result: 'accepted' }
          return { result: 'settled', state: state === 'open' ? 'withdrawn' : state, answerId }
        }
      }
    },
  }
}

/** Reads the record of a log up to its end. Rejects as the reader does. */
export async function readRunRecord(reader: LogReader): Promise<RunRecord> {
  const record = createRunRecord()
  const { signal } = new AbortController()
  for (let position = 0; ;) {
    const slice = await reader.read(position, signal)
    for (const entry of slice.entries) record.takeEntry(entry)
    if (slice.closed || slice.orphaned === true || slice.end === position) return record
    position = slice.end
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

interface Orphan {
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
