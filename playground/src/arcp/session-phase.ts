import type { Connection } from 'capstan'
import type { ArcpSessionPhase } from 'capstan/arcp'
import type { SessionPhase } from 'capstan/components'

/** What the session is for people: one whose connection was lost is reconnecting, whatever its last message said. */
export function sessionPhase(phase: ArcpSessionPhase, { phase: connection, attempt }: Connection): SessionPhase {
  const isLost = connection === 'waiting' || connection === 'offline' || (connection === 'connecting' && attempt > 0)
  return isLost ? 'reconnecting' : phase
}
