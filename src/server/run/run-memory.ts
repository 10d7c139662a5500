import type { Clock } from '../../base/ports/clock.ts'
import { historyOf, type ConversationMessage } from '../conversation/conversation-message.ts'
import type { ConversationAnswer, ConversationKey, ConversationStore } from '../conversation/conversation-store.ts'
import { conversationTitle } from '../conversation/conversation-title.ts'
import { shownTurns, type TurnPlace } from '../conversation/shown-turns.ts'
import { createAnswerRecorder, type AnswerRecorder } from './answer-recorder.ts'
import { appError } from './app-error.ts'
import type { Question } from './read-question.ts'

export interface RunMemoryOptions {
  readonly store: ConversationStore
  readonly key: ConversationKey
  readonly requestId: string
  readonly place: TurnPlace
  readonly question: Question
  /** The state that the page has sent. Absent: none. */
  readonly sent?: { readonly state: unknown } | undefined
  readonly clock: Clock
  /** What the store could not do. The answer continues without it. */
  onError(error: unknown): void
}

/** What a run has to do with the store of its conversation. */
export interface RunMemory {
  readonly recorder: AnswerRecorder
  /** The messages that the page shows before this request. Rejects when the store cannot be read. */
  history(): Promise<readonly ConversationMessage[]>
  /** Stores the answer so far. Never rejects, and limits the wait for the store. */
  finish(status: ConversationAnswer['status']): Promise<void>
}

/** Longer, and the end of the answer does not wait for its place in the store. */
const LONGEST_WAIT_MS = 10_000

/** Puts a request into its conversation. */
export function createRunMemory(options: RunMemoryOptions): RunMemory {
  const { store, key, requestId, place, question, clock, onError } = options
  const recorder = createAnswerRecorder(options.sent)
  let earlier: Promise<readonly ConversationMessage[]> | undefined
  const { text, files, metadata } = question
  const turn = {
    id: requestId,
    ...(place.after !== undefined && { after: place.after }),
    replaces: place.replaces,
    text,
    ...(files.length > 0 && { files }),
    ...(metadata !== undefined && { metadata }),
    at: clock.date(),
  }
  const begun = store.begin(key, turn, conversationTitle(text))
  begun.catch(onError)

  const read = async (): Promise<readonly ConversationMessage[]> => {
    await begun.catch(() => {})
    const turns = await store.turns(key)
    const own = turns.findIndex(({ id }) => id === requestId)
    // A repeated run does not know the turns after it.
    return historyOf(shownTurns(own === -1 ? turns : turns.slice(0, own), place))
  }

  return {
    recorder,
    history: () => (earlier ??= read()),
    finish(status) {
      const stored = begun.then(() => store.finish(key, requestId, recorder.answer(status, clock.date())))
      return new Promise((resolve) => {
        const cancel = clock.after(LONGEST_WAIT_MS, () => {
          onError(appError('The conversation store has not stored an answer in time.'))
          resolve()
        })
        stored
          // The failure to begin the turn is already reported.
          .catch((error: unknown) => begun.then(() => onError(error)).catch(() => {}))
          .finally(() => {
            cancel()
            resolve()
          })
      })
    },
  }
}
