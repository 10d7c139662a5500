import type { ChatInstance, Clock, Connection } from 'capstan'
import { wholeSeconds } from './inner.ts'
import type { WireRecorder } from './wire-recorder.ts'

/** Writes into the log what the client decides about the connection: waits, giving up, continuing. */
export function followConnection(chat: ChatInstance, wire: WireRecorder, clock: Clock): () => void {
  let before = chat.getSnapshot().connection
  return chat.subscribe(() => {
    const { connection } = chat.getSnapshot()
    if (connection === before) return
    const previous = before
    before = connection
    if (connection.phase === 'waiting' && connection.nextRetryAt !== previous.nextRetryAt)
      tellWait(connection, wire, clock)
    if (connection.phase === previous.phase) return
    if (connection.phase === 'offline') wire.note('wait', 'offline', 'Offline: waiting for the network')
    if (connection.phase === 'stopped') wire.note('plain', 'stop', 'Stopped by you')
    if (connection.phase === 'failed') {
      const code = connection.error?.agentCode ?? connection.error?.code
      wire.note(
        'bad',
        'fatal',
        connection.attempt > 0
          ? `Gave up after ${connection.requests} ${connection.requests === 1 ? 'request' : 'requests'}: ${code}`
          : `Failed: ${code}`,
      )
    }
  })
}

function tellWait(
  { error, nextRetryAt = 0, attempt, maxAttempts }: Connection,
  wire: WireRecorder,
  clock: Clock,
): void {
  if (error?.code === 'timeout') wire.droppedByClient('Timed out: treated as disconnected')
  const waitMs = Math.max(0, nextRetryAt - clock.now())
  const why = error?.severity === 'TRANSIENT' && error.agentCode !== undefined ? `${error.agentCode}: w` : 'W'
  wire.note('wait', 'clock', `${why}aiting ${wholeSeconds(waitMs)}, attempt ${attempt} of ${maxAttempts}`, {
    until: nextRetryAt,
    text: (leftMs) => `${why}aiting ${wholeSeconds(leftMs)}, attempt ${attempt} of ${maxAttempts}`,
  })
  wire.waits(waitMs)
}
