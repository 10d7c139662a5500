import type { ArcpClient } from '../client/arcp-client.ts'
import type { ArcpState } from '../fold/arcp-state.ts'
import { EMPTY_STATE } from '../fold/arcp-state.ts'
import type { PromptAnswer } from '../../../seam/prompt.ts'
import { type Connection, idleConnection } from '../../../session/connection.ts'

/** An answer that was given by a hook. `isUnconfirmed`: it was sent, and nobody knows whether it arrived. */
export interface GivenAnswer {
  readonly answerId: string
  readonly answer: PromptAnswer
  readonly isUnconfirmed: boolean
}

/** What hooks read of a client, all of the same moment: immutable. */
export interface ArcpView {
  readonly state: ArcpState
  readonly connection: Connection
  /** Answers given by hooks, by the id of the prompt. */
  readonly answers: ReadonlyMap<string, GivenAnswer>
}

/** A client as a store for `useSyncExternalStore`: what it shows changes at most once a frame, for all hooks at the same moment. */
export interface ArcpStore {
  getSnapshot(): ArcpView
  /** What a server renders, and the first render of a page that was rendered there. */
  getServerSnapshot(): ArcpView
  subscribe(listener: () => void): () => void
  setAnswer(promptId: string, given: GivenAnswer | undefined): void
}

const stores = new WeakMap<ArcpClient, ArcpStore>()

/** The one store of a client. */
export function storeOf(client: ArcpClient): ArcpStore {
  const store = stores.get(client) ?? createArcpStore(client)
  stores.set(client, store)
  return store
}

/** Answers that are remembered. */
const KEPT_ANSWERS = 1_000

const NO_ANSWERS: ArcpView['answers'] = new Map()

function createArcpStore(client: ArcpClient): ArcpStore {
  const listeners = new Set<() => void>()
  const onServer: ArcpView = {
    state: EMPTY_STATE,
    connection: idleConnection(client.runs.retry.maxAttempts),
    answers: NO_ANSWERS,
  }
  let view = onServer
  let release: (() => void) | undefined

  function refresh(): void {
    const state = client.getState()
    const { connection } = client
    if (state !== view.state || connection !== view.connection) view = { ...view, state, connection }
  }

  function tell(): void {
    for (const listener of [...listeners]) listener()
  }

  return {
    getSnapshot() {
      // All renders between two frames show the same state; without subscribers it is the current state.
      if (listeners.size === 0) refresh()
      return view
    },
    getServerSnapshot: () => onServer,
    subscribe(listener) {
      if (listeners.size === 0) refresh()
      listeners.add(listener)
      release ??= client.onChange(() => {
        refresh()
        tell()
      })
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        release?.()
        release = undefined
      }
    },
    setAnswer(promptId, given) {
      const answers = new Map(view.answers)
      answers.delete(promptId)
      if (given !== undefined) answers.set(promptId, given)
      const [oldest] = answers.keys()
      if (answers.size > KEPT_ANSWERS && oldest !== undefined) answers.delete(oldest)
      view = { ...view, answers }
      tell()
    },
  }
}
