import { createSseDecoder } from '../../wire/sse-decoder.ts'
import { encodeSseFrame } from '../../wire/sse-encoder.ts'
import type { SseFrame } from '../../wire/transport.ts'
import { DEFAULT_MAX_FRAME_BYTES } from '../../wire/transport.ts'
import type { Adopted, LogEntry, LogReader } from '../event-log/event-log.ts'
import { appendEntries } from '../run/log-queue.ts'
import { UPSTREAM_LOST } from '../upstream/run-verdicts.ts'
import type { StreamEnding } from './proxy-wire.ts'
import { UNCONFIRMED_END } from './unconfirmed-end.ts'

export interface WireOrphan {
  readonly reader: LogReader
  readonly log: Adopted
  /** Name of the run, which the ids of its frames begin with. */
  readonly run: string
  readonly ending: StreamEnding
}

/** Brings a log to its end whose process died: with it the connection to the upstream is lost, and no other brings the rest. */
export async function endWireOrphan({ reader, log: { writer, end }, run, ending }: WireOrphan): Promise<void> {
  try {
    let count = 0
    const decoder = createSseDecoder({
      onFrame: ({ data }: SseFrame) => {
        count += 1
        ending.take(data)
      },
      maxFrameBytes: DEFAULT_MAX_FRAME_BYTES,
    })
    const { signal } = new AbortController()
    const utf8 = new TextEncoder()
    for (let position = 0; position < end;) {
      const slice = await reader.read(position, signal)
      for (const entry of slice.entries) if (entry.kind === 'frame') decoder.push(utf8.encode(entry.text))
      if (slice.end === position) break
      position = slice.end
    }
    const own = ending.isOver('broken') ? [] : ending.fail(UPSTREAM_LOST)
    const frames = [...own, ...ending.last].map((data, at): LogEntry => {
      return { kind: 'frame', text: encodeSseFrame({ id: `${run}/${count + at + 1}`, data }) }
    })
    if (own.length > 0) frames.push(UNCONFIRMED_END)
    await appendEntries(writer, end === 0 ? [{ kind: 'stream' }, ...frames] : frames)
  } catch (error) {
    // The first error is the more useful one, and a log that cannot be discarded becomes orphaned again.
    await writer.discard().catch(() => {})
    throw error
  }
  await writer.close()
}
