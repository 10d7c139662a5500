import type { ArcpMessage } from '../read/message.ts'
import type { ArcpState } from './arcp-state.ts'
import { foldInput } from './fold-message.ts'
import { foldRareMessage } from './fold-rare-message.ts'
import { createStateDraft } from './state-draft.ts'

/**
 * Folds messages into the state of sessions, jobs, prompts, leases, artifacts, metrics and subscriptions. Pure: the state before stays
 * as it is, and is returned when nothing changed. A message counts as often as it is given: leave duplicates out by their id.
 *
 * @example
 * ```ts
 * import { emptyArcpState, foldArcpMessages, readArcpMessage } from 'capstan/arcp'
 *
 * const message = readArcpMessage({ arcp: '1.0', id: 'm1', type: 'log', timestamp: '2026-05-09T13:00:00Z', payload: { level: 'info', message: 'Ready' } })
 * console.log(foldArcpMessages(emptyArcpState, [message]).logs)
 * ```
 */
export function foldMessages(before: ArcpState, messages: Iterable<ArcpMessage>): ArcpState {
  const draft = createStateDraft(before)
  for (const message of messages) foldInput(draft, message, { foldRare: foldRareMessage })
  return draft.snapshot()
}
