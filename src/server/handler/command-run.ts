import type { EventLog, LogReader } from '../event-log/event-log.ts'
import type { RunCommand, RunReply } from '../event-log/run-command.ts'
import { controlUnsupported, runNotFound } from '../http/control-response.ts'
import { readRunRecord } from '../run/run-record.ts'

export interface CommandRunOptions {
  readonly log: EventLog
  readonly key: string
  readonly command: RunCommand
  /** Ends an orphaned log. Absent: it is kept for a new run. */
  readonly endOrphan: ((reader: LogReader) => Promise<void>) | undefined
}

/** A log that is orphaned is ended and asked again; who is slower than others asks once more. */
const MOST_TRIES = 3

/**
 * Carries a command to the process that runs the agent. A run that has ended is judged by its log.
 *
 * @throws HttpRefusal 404 for a run that there never was, 501 where the log carries no commands
 */
export async function commandRun({ log, key, command, endOrphan }: CommandRunOptions): Promise<RunReply> {
  if (log.command === undefined) throw controlUnsupported()
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const sent = await log.command(key, command)
    switch (sent.state) {
      case 'replied':
        return sent.reply
      case 'closed':
        return (await readRunRecord(sent.reader)).reply(command)
      case 'unknown':
        throw runNotFound()
      case 'expired':
        return { result: 'over', ended: 'expired' }
      case 'unavailable':
        return { result: 'unavailable' }
      case 'orphaned':
        if (endOrphan === undefined) return { result: 'over', ended: 'interrupted' }
        await endOrphan(sent.reader)
    }
  }
  return { result: 'unavailable' }
}
