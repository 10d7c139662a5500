import type { EventLog, LogEntry, LogWriter, RunCommand } from '../../../src/server/event-log/event-log.ts'

/** A prompt as the log holds it. */
export interface LoggedPrompt {
  readonly id: string
  readonly run: LoggedRun
  /** What the agent calls it. */
  readonly message: string
  readonly kind: string
  readonly digest: string | undefined
  readonly input: unknown
  readonly settled: SettledEntry[]
}

export interface SettledEntry {
  readonly at: number
  readonly state: string
  readonly answerId: string | undefined
  readonly answer: Readonly<Record<string, unknown>> | undefined
}

export interface LoggedRun {
  readonly requestId: string
  /** The reason its last stream was closed with. */
  closed: string | undefined
  /** Nobody can read it any more: its only process died, or it was discarded. */
  isLost: boolean
  /** Texts of words that the agent was told. */
  readonly said: string[]
}

/** An answer that came to the process which has to judge it. */
export interface Arrival {
  readonly at: number
  readonly promptId: string
  readonly answerId: string
}

/** Reads along what is in the logs, as soon as it is there. */
export interface LogWitness {
  readonly prompts: ReadonlyMap<string, LoggedPrompt>
  readonly runs: readonly LoggedRun[]
  readonly arrivals: readonly Arrival[]
  /** The log with an eye on what is written. */
  watch(log: EventLog): EventLog
  arrived(command: RunCommand): void
  /** The logs that are open are gone. */
  lose(): void
}

const TELLING = /"op":"CLOSE"|"type":"(?:PROMPT|SAID)"/

export function createLogWitness(now: () => number): LogWitness {
  const prompts = new Map<string, LoggedPrompt>()
  const runs: LoggedRun[] = []
  const open = new Map<string, LoggedRun>()
  const arrivals: Arrival[] = []

  function takePacket(run: LoggedRun, packet: Packet): void {
    if (packet.op === 'CLOSE' && typeof packet.p === 'string') run.closed = packet.p
    if (packet.op !== 'EVENT' || typeof packet.p !== 'object') return
    const { id, type, data } = packet.p
    if (type === 'SAID') run.said.push(String(data['text']))
    if (type !== 'PROMPT') return
    const known = prompts.get(id)
    if (known === undefined) {
      const subject = data['subject'] as { readonly digest: string; readonly input: unknown } | undefined // as the server writes it
      prompts.set(id, {
        id,
        run,
        message: String(data['message']),
        kind: String(data['kind']),
        digest: subject?.digest,
        input: subject?.input,
        settled: [],
      })
    } else
      known.settled.push({
        at: now(),
        state: String(data['state']),
        answerId: data['answer_id'] as string | undefined, // as the server writes it
        answer: data['answer'] as SettledEntry['answer'], // as the server writes it
      })
  }

  function take(run: LoggedRun, entry: LogEntry): void {
    if (entry.kind !== 'frame' || !TELLING.test(entry.text)) return
    for (const row of entry.text.split('\n'))
      if (row.startsWith('data: ')) takePacket(run, JSON.parse(row.slice(6)) as Packet) // the server writes packets
  }

  function watchWriter(writer: LogWriter, run: LoggedRun): LogWriter {
    return {
      ...writer,
      async append(entry) {
        await writer.append(entry)
        take(run, entry)
      },
      ...(writer.appendAll && {
        async appendAll(entries: readonly LogEntry[]) {
          await writer.appendAll?.(entries)
          for (const entry of entries) take(run, entry)
        },
      }),
      async discard() {
        await writer.discard()
        run.isLost = true
      },
    }
  }

  return {
    prompts,
    runs,
    arrivals,
    arrived(command) {
      if (command.name === 'answer')
        arrivals.push({ at: now(), promptId: command.promptId, answerId: command.answerId })
    },
    lose() {
      for (const run of open.values()) run.isLost = true
    },
    watch: (log) => ({
      ...log,
      async begin(key, options) {
        const begun = await log.begin(key, options)
        if (begun.state !== 'created') return begun
        const run: LoggedRun = { requestId: key, closed: undefined, isLost: false, said: [] }
        open.set(key, run)
        runs.push(run)
        return { ...begun, writer: watchWriter(begun.writer, run) }
      },
      ...(log.adopt && {
        async adopt(key: string) {
          const adopted = await log.adopt?.(key)
          const run = open.get(key)
          return adopted && run && { ...adopted, writer: watchWriter(adopted.writer, run) }
        },
      }),
    }),
  }
}

interface Packet {
  readonly op: string
  readonly p: string | { readonly id: string; readonly type: string; readonly data: Readonly<Record<string, unknown>> }
}

/** A memory log whose commands are noted as they come in. */
export function noteArrivals(log: EventLog, arrived: (command: RunCommand) => void): EventLog {
  return {
    ...log,
    async command(key, command) {
      arrived(command)
      return (await log.command?.(key, command)) ?? { state: 'unknown' }
    },
  }
}
