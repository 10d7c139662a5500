import { movePrompt } from '../../state/prompts.ts'
import type { StoredMessage } from './stored-message.ts'
import type { StoredState } from './stored-state.ts'
import type { ThreadChange, ThreadRecord } from './thread-disk.ts'

/**
 * Rebases a refused change on the state of a later leader, so that it only adds to it: messages that are missing there
 * are appended, and the title and the start of the thread stay.
 * @param term the fencing token it is written with
 */
export function joinPast(record: ThreadRecord, change: ThreadChange, term: number): ThreadChange {
  const { state, thread } = change
  const pastThread = record.thread
  const joined = state && joinStates(record.state ?? NOTHING, state, { record, change })
  return {
    draft: change.draft,
    term,
    thread:
      thread && pastThread
        ? { ...thread, title: pastThread.title, named: pastThread.named, createdAt: pastThread.createdAt }
        : thread,
    messages: joined?.messages,
    state: joined && { ...joined.state, term },
  }
}

const NOTHING: StoredState = { revision: 0, order: [], queued: [] }

interface Joining {
  readonly record: ThreadRecord
  readonly change: ThreadChange
}

function joinStates(
  past: StoredState,
  state: StoredState,
  { record, change }: Joining,
): { readonly state: StoredState; readonly messages: ReadonlyMap<string, StoredMessage> } {
  const isAdded = (id: string): boolean => change.messages?.get(id) !== undefined && !record.messages.has(id)
  // Only one run can continue, and only if its text is unchanged. Other unfinished runs have ended.
  const { turn } = state.run ?? {}
  const goesOn =
    past.run?.ended !== false && turn !== undefined && [turn.answerId, ...turn.streams.values()].every(isAdded)
  const added = new Map<string, StoredMessage>()
  for (const [id, message] of change.messages ?? []) {
    const kept = message && !goesOn ? asLeft(message) : message
    if (kept !== undefined && isAdded(id)) added.set(id, kept)
  }
  const performed = [...new Set([...(past.performed ?? []), ...(state.performed ?? [])])]
  // What was queued may have been passed on to the leader that wrote the saved state.
  const known = new Set([
    ...past.queued.map(({ id }) => id),
    ...[...record.messages.values()].map(({ requestId }) => requestId),
    ...(past.performed ?? []),
  ])
  return {
    messages: added,
    state: {
      ...past,
      revision: Math.max(past.revision, state.revision) + 1,
      performed,
      order: [...past.order, ...state.order.filter((id) => added.has(id))],
      queued: [...past.queued, ...state.queued.filter(({ id }) => !known.has(id))],
      ...(past.stateEdit === undefined && state.stateEdit && { stateEdit: state.stateEdit }),
      ...(goesOn && { run: state.run, error: state.error }),
    },
  }
}

/** A message of a run that is not continued, so that its prompts cannot be answered; undefined for an empty answer. */
function asLeft(message: StoredMessage): StoredMessage | undefined {
  if (message.status === 'pending') return undefined
  if (message.status === 'streaming')
    return {
      ...message,
      status: 'incomplete',
      parts: message.parts.map((part) =>
        part.type === 'prompt' ? { ...part, prompt: movePrompt(part.prompt, 'withdrawn') } : part,
      ),
    }
  return message.status === 'sending' ? { ...message, status: 'not-sent' } : message
}
