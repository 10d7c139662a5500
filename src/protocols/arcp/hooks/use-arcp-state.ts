'use client'

import { useState, useSyncExternalStore, useMemo } from 'react'
import { type ArcpState, EMPTY_STATE, type ArcpSessionState, type ArcpMetricSum } from '../fold/arcp-state.ts'
import { type ArcpHookOptions, useArcpClient } from './arcp-provider.tsx'
import type { ArcpClient } from '../client/arcp-client.ts'
import type { PromptAnswer } from '../../../seam/prompt.ts'
import { type Connection, idleConnection } from '../../../session/connection.ts'
import { noop } from '../../../base/noop.ts'
import type { Usage } from '../../../seam/usage.ts'

export interface ArcpStateOptions<Value> extends ArcpHookOptions {
  /** When two selected values count as the same. @default `Object.is` */
  readonly isEqual?: ((left: Value, right: Value) => boolean) | undefined
}

/**
 * A slice of the state that the runtime has reported. The component renders again only when the selected value changes, and at most once a
 * frame. What has not changed in the state is the same object.
 *
 * @example
 * ```tsx
 * import { useArcpState } from 'capstan/react'
 *
 * export function Running() {
 *   const count = useArcpState(({ jobs }) => [...jobs.values()].filter(({ endedAt }) => endedAt === undefined).length)
 *   return <output>{count} jobs are running</output>
 * }
 * ```
 */
export function useArcpState<Value>(
  selector: (state: ArcpState) => Value,
  { client: given, isEqual }: ArcpStateOptions<Value> = {},
): Value {
  const client = useArcpClient(given, 'useArcpState')
  return useArcpView(client, ({ state }) => selector(state), isEqual)
}

/** Gives the old object back for an equal new one, so that React sees no change. */
function createKeeper<Value>(): (value: Value, isEqual: (left: Value, right: Value) => boolean) => Value {
  let last: { readonly value: Value } | undefined
  return (value, isEqual) => {
    if (last === undefined || !isEqual(last.value, value)) last = { value }
    return last.value
  }
}

/** A slice of what is known of a client. The component renders again only when the selected value changes. */
export function useArcpView<Value>(
  client: ArcpClient,
  selector: (view: ArcpView) => Value,
  isEqual: (left: Value, right: Value) => boolean = Object.is,
): Value {
  const store = storeOf(client)
  const [keep] = useState(() => createKeeper<Value>())
  return useSyncExternalStore(
    store.subscribe,
    () => keep(selector(store.getSnapshot()), isEqual),
    () => keep(selector(store.getServerSnapshot()), isEqual),
  )
}

/** Whether two lists have the same items. */
export function hasSameItems<Item>(left: readonly Item[], right: readonly Item[]): boolean {
  return left.length === right.length && left.every((item, index) => item === right[index])
}

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
interface ArcpStore {
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

/** What {@link useArcpSession} returns. */
export interface ArcpSessionResult extends ArcpSessionState {
  /** The connection that all jobs share, with its reconnects. */
  readonly connection: Connection
  /** Opens the connection and keeps it open until `close`. Resolves when the session is accepted or cannot be; never rejects. */
  connect(): Promise<void>
  /** Closes the connection. Jobs continue at the runtime. */
  close(): void
  /** Starts the next attempt now, while the connection waits for it. */
  retryNow(): void
}

/**
 * The session with the runtime, and its connection. Showing it opens nothing, and unmounting it closes nothing.
 *
 * @example
 * ```tsx
 * import { useArcpSession } from 'capstan/react'
 *
 * export function Session() {
 *   const { phase, runtime, connect } = useArcpSession()
 *   return <button onClick={() => void connect()}>{runtime?.kind ?? phase}</button>
 * }
 * ```
 */
export function useArcpSession({ client: given }: ArcpHookOptions = {}): ArcpSessionResult {
  const client = useArcpClient(given, 'useArcpSession')
  const session = useArcpView(client, ({ state }) => state.session)
  const connection = useArcpView(client, (view) => view.connection)
  const actions = useMemo(
    () => ({
      // Why it cannot be is in the session or the connection.
      connect: async (): Promise<void> => void (await client.connect().catch(noop)),
      close: (): void => client.close(),
      retryNow: (): void => client.retryNow(),
    }),
    [client],
  )
  return useMemo(() => ({ ...session, connection, ...actions }), [session, connection, actions])
}

/** What {@link useArcpMetrics} returns. */
export interface ArcpMetricsResult {
  /** All measurements, added up by name and dimensions, in the order in which they came first. */
  readonly metrics: readonly ArcpMetricSum[]
  /** Tokens and cost of all jobs together. Undefined: none were measured. What one job took is in its `usage`. */
  readonly usage: Usage | undefined
}

/**
 * What the runtime measured in this session, by the reserved names of the RFC (section 17.3.1) and by others.
 *
 * @example
 * ```tsx
 * import { useArcpMetrics } from 'capstan/react'
 * import { CostMeter } from 'capstan/components'
 *
 * export function Spent() {
 *   const { usage } = useArcpMetrics()
 *   return usage && <CostMeter usage={usage} limit={5} />
 * }
 * ```
 */
export function useArcpMetrics({ client: given }: ArcpHookOptions = {}): ArcpMetricsResult {
  const client = useArcpClient(given, 'useArcpMetrics')
  const sums = useArcpView(client, ({ state }) => state.metrics)
  return useMemo(() => {
    const metrics = [...sums.values()]
    return { metrics, usage: usageOf(metrics) }
  }, [sums])
}

function usageOf(metrics: readonly ArcpMetricSum[]): Usage | undefined {
  const total = (name: string, kind?: string): number | undefined => {
    const own = metrics.filter((metric) => metric.name === name && (kind === undefined || metric.dims?.kind === kind))
    return own.length === 0 ? undefined : own.reduce((sum, metric) => sum + metric.sum, 0)
  }
  const without = metrics.filter(({ name, dims }) => name === 'tokens.used' && dims?.kind === undefined)
  const usage: Usage = {
    inputTokens: total('tokens.used', 'input'),
    outputTokens: total('tokens.used', 'output'),
    totalTokens: without.length === 0 ? undefined : without.reduce((sum, metric) => sum + metric.sum, 0),
    cost: total('cost.usd'),
  }
  return Object.values(usage).some((value) => value !== undefined) ? usage : undefined
}
