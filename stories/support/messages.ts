import type { AgentErrorInit } from '../../src/base/agent-error.ts'
import { AgentError } from '../../src/base/agent-error.ts'
import type { AgentPart, Citation, MediaItem } from '../../src/seam/agent-event.ts'
import type { Connection, Phase } from '../../src/session/connection.ts'
import type { ChatMessage, MessagePart } from '../../src/state/turn.ts'

/** Fields of any phase: those that the phase does not have are left out. */
interface ConnectionChange extends Partial<
  Pick<Connection, 'attempt' | 'maxAttempts' | 'connections' | 'requests' | 'hasOpened'>
> {
  readonly phase?: Phase | undefined
  readonly nextRetryAt?: number | undefined
  readonly error?: AgentError | undefined
}

/** A connection; idle unless the change says more. */
export function connectionAt({ phase = 'idle', nextRetryAt = 0, error, ...change }: ConnectionChange = {}): Connection {
  const counts = { attempt: 0, maxAttempts: 3, connections: 0, requests: 0, hasOpened: true, ...change }
  if (phase === 'waiting') return { ...counts, phase, nextRetryAt, error }
  if (phase === 'failed') return { ...counts, phase, error: error ?? errorOf() }
  if (phase === 'idle' || phase === 'closed' || phase === 'stopped') return { ...counts, phase }
  return { ...counts, phase, error }
}

/** A failure; FATAL and from the agent unless the init says more. */
export function errorOf(init: Partial<AgentErrorInit> = {}): AgentError {
  return new AgentError({
    kind: 'runtime',
    code: 'agent_error',
    severity: 'FATAL',
    message: 'The index is gone.',
    ...init,
  })
}

/** A text part. */
export const text = (words: string, id = 'text-1'): MessagePart => ({ type: 'text', id, text: words })

/** Any other part of an answer, with an id. */
export const part = (id: string, shown: AgentPart): MessagePart => ({ id, ...shown })

/** A message of the user, sent. */
export const said = (id: string, words: string, change: Partial<ChatMessage> = {}): ChatMessage => ({
  id,
  role: 'user',
  status: 'sent',
  parts: [text(words)],
  ...change,
})

/** A message of the agent, complete. */
export const answer = (id: string, parts: readonly MessagePart[], change: Partial<ChatMessage> = {}): ChatMessage => ({
  id,
  role: 'assistant',
  status: 'complete',
  parts,
  ...change,
})

/** A picture without a network: grey hills, drawn here. */
export function picture(alt = 'A river in a valley', hue = 230): MediaItem {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="200"><rect width="320" height="200" fill="hsl(${hue} 30% 88%)"/><path d="M0 150 Q80 80 160 140 T320 120 V200 H0Z" fill="hsl(${hue} 25% 62%)"/><path d="M0 180 Q120 130 200 170 T320 160 V200 H0Z" fill="hsl(${hue} 25% 45%)"/></svg>`
  return { url: `data:image/svg+xml,${encodeURIComponent(svg)}`, mimeType: 'image/svg+xml', alt }
}

/** Sources about rivers, the subject of every story. */
export const SOURCES: readonly [Citation, Citation, Citation] = [
  {
    sourceId: 'leopold-1960',
    uri: 'https://example.org/river-meanders',
    title: 'River meanders',
    snippet: 'Meander wavelength keeps close to ten channel widths over five orders of magnitude.',
    confidence: 0.94,
    text: 'about ten channel widths',
  },
  {
    sourceId: 'oxbow',
    uri: 'https://example.org/oxbow-lakes',
    title: 'How an oxbow lake forms',
    snippet: 'The neck of a loop is cut through in flood.',
    confidence: 0.71,
  },
  { sourceId: 'notes', uri: 'https://example.net/field-notes/2019', title: 'Field notes, upper Mole' },
]
