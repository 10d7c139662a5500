import type { ConversationTurn } from './conversation-store.ts'

/** Where a request is in its conversation, as its client says. */
export interface TurnPlace {
  /** The request it follows. Undefined: it is the first, or the client does not say. */
  readonly after: string | undefined
  /** Requests that the page no longer shows. */
  readonly replaces: readonly string[]
  /** The client says that nothing is before it. @default false */
  readonly isFirst?: boolean
}

/**
 * The turns that a page shows before a request: edits and regenerations leave branches in a conversation, and this is the branch
 * the request is on. It goes from turn to turn by what each one followed. For a client that does not name the previous request,
 * it is all turns that no later one has replaced. Pure.
 *
 * @param turns all turns before the request, in the order in which they were begun
 */
export function shownTurns(
  turns: readonly ConversationTurn[],
  { after, replaces, isFirst = false }: TurnPlace,
): ConversationTurn[] {
  if (isFirst) return []
  const parent = turns.find(({ id }) => id === after)
  if (parent === undefined) {
    const gone = new Set([...replaces, ...turns.flatMap((turn) => turn.replaces)])
    return turns.filter(({ id }) => !gone.has(id))
  }
  // Only turns that were begun before: a client that names one of later cannot make a circle.
  const before = turns.slice(0, turns.indexOf(parent))
  return [...shownTurns(before, placeOf(parent)), parent]
}

/** The turns of the newest branch: what a page shows that opens the conversation. */
export function newestTurns(turns: readonly ConversationTurn[]): ConversationTurn[] {
  const last = turns.at(-1)
  return last === undefined ? [] : [...shownTurns(turns.slice(0, -1), placeOf(last)), last]
}

function placeOf({ after, replaces }: ConversationTurn): TurnPlace {
  return { after, replaces }
}
