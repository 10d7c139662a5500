'use client'

import { useContext, useMemo, useState, useSyncExternalStore } from 'react'
import { AgentError } from '../base/agent-error.ts'
import { isDevelopment } from '../base/development.ts'
import { warnDeveloper } from '../base/warn-developer.ts'
import { systemEnvironment } from '../base/ports/environment.ts'
import type { StandardSchema, StandardResult } from '../base/standard-schema.ts'
import type { ChatInstance } from '../state/chat.ts'
import { ChatContext } from './chat-context.ts'
import { useLatest } from './use-latest.ts'
import type { StateEdit } from '../seam/state-edit.ts'
import { noop } from '../base/noop.ts'
import { mergeStates, readSharedState, withKnownParts } from '../seam/shared-state.ts'
import type { ChatMessage } from '../state/turn.ts'

/**
 * Edits of the shared state, shown before the chat has them: a chat over several tabs has them once the tab that leads has, and an
 * input of the page cannot wait.
 */
interface StateEdits {
  /** The newest edit. Undefined: there is none. */
  get(): StateEdit | undefined
  /** False: the protocol carries no state, so nothing has changed. */
  set(edit: StateEdit | undefined): boolean
  subscribe(listener: () => void): () => void
}

const known = new WeakMap<ChatInstance, StateEdits>()

/** The edits of a chat: the same ones for all who read it. */
function stateEditsOf(chat: ChatInstance): StateEdits {
  const edits = known.get(chat) ?? createStateEdits(chat)
  known.set(chat, edits)
  return edits
}

interface Ahead {
  readonly edit: StateEdit | undefined
  /** Ids that the chat may still show: the previous edit's, and those of the edits made here since. */
  readonly passed: Set<string | undefined>
}

function createStateEdits(chat: ChatInstance): StateEdits {
  const listeners = new Set<() => void>()
  /** Absent: the chat has all of it. */
  let ahead: Ahead | undefined

  function get(): StateEdit | undefined {
    const { stateEdit } = chat.getSnapshot()
    if (ahead !== undefined && stateEdit?.id !== ahead.edit?.id && ahead.passed.has(stateEdit?.id)) return ahead.edit
    // The chat has it, or a later one of another tab.
    ahead = undefined
    return stateEdit
  }

  return {
    get,
    set(edit) {
      const before = get()
      const passed = ahead?.passed ?? new Set<string | undefined>()
      passed.add(before?.id)
      ahead = { edit, passed }
      if (!chat.changeState(edit)) {
        ahead = undefined
        return false
      }
      for (const listener of [...listeners]) listener()
      return true
    },
    subscribe(listener) {
      listeners.add(listener)
      const unsubscribe = chat.subscribe(listener)
      return () => {
        listeners.delete(listener)
        unsubscribe()
      }
    },
  }
}

export interface AgentStateOptions<State, Selected = State> {
  /** Checks what the agent says, and gives the state its type: any Standard Schema that checks at once. @default none: the state is `unknown` */
  readonly schema?: StandardSchema<State> | undefined
  /** Shown until the agent or the user sets a value; read once, and never sent alone. Absent: undefined is shown. */
  readonly initial?: State | undefined
  /** The part of the state that is read: the component renders again only when that changes. @default all of it */
  readonly select?: ((state: State) => Selected) | undefined
  /** When two selected values count as the same. @default `Object.is`; equal parts of the state are the same objects */
  readonly isEqual?: ((left: Selected | undefined, right: Selected | undefined) => boolean) | undefined
  /** Chat to read. @default the chat of the nearest `ChatContext` */
  readonly chat?: ChatInstance | undefined
}

/** What became of an edit. `refused`: the protocol of the agent carries no state, or the value is not JSON or too large. */
export type StateResult =
  | { readonly status: 'accepted' }
  | { readonly status: 'unsupported' | 'refused'; readonly error: AgentError }

/** The state that agent and user share, and the ways to change it. `None` is what stands for no state: never, where there is an `initial` one. */
export interface AgentState<State, Selected = State, None = undefined> {
  /** The selected value. Undefined: neither side has set one, and there is no `initial`. */
  readonly state: Selected | None
  readonly status: AgentStateStatus
  /** Why the last state of the agent is not shown: the schema refused it. The one before stays. */
  readonly error: AgentError | undefined
  /**
   * Changes the state on the page at once. The next run takes it along, whatever begins it. Until then what the agent changes is merged
   * into it, key by key; where both have changed the same, the agent wins.
   */
  setState(next: State | ((before: State | None) => State)): StateResult
  /** Drops what the user has changed since the last run took it along. */
  discard(): void
}

/** Most characters of a state as JSON. */
const LARGEST_STATE = 10_000_000

/**
 * The state that an agent and its user share, whatever protocol carries it. It follows the messages that are shown: an answer that is made
 * again begins with the state before it. Renders again only when what was selected changes, at most once a frame.
 *
 * @example
 * ```tsx
 * import { useAgentState } from 'capstan/react'
 * import * as z from 'zod'
 *
 * const Recipe = z.object({ title: z.string(), servings: z.number() })
 *
 * export function Title() {
 *   const { state, setState } = useAgentState({ schema: Recipe, initial: { title: '', servings: 2 } })
 *   return <input value={state.title} onChange={({ target }) => setState((recipe) => ({ ...recipe, title: target.value }))} />
 * }
 * ```
 */
export function useAgentState<State, Selected = State>(
  options: AgentStateOptions<State, Selected> & { readonly initial: State },
): AgentState<State, Selected, never>

export function useAgentState<State = unknown, Selected = State>(
  options?: AgentStateOptions<State, Selected>,
): AgentState<State, Selected>

export function useAgentState<State = unknown, Selected = State>(
  options: AgentStateOptions<State, Selected> = {},
): AgentState<State, Selected> {
  const { schema, select } = options
  const nearest = useContext(ChatContext)
  const chat = options.chat ?? nearest
  if (chat === null)
    throw new Error(
      'There is no chat to read the state of: pass `chat`, or use the hook inside <Chat> or a ChatContext.',
    )
  const [initial] = useState(options.initial)
  const { edits, reader, keep } = useMemo(() => createReading<State, Selected>(chat), [chat])

  const readView = (): StateView<State> => reader.read(chat.getSnapshot().messages, edits.get(), schema)
  const getSelection = (): Selection<Selected> => {
    const { state = initial, status, error } = readView()
    // Without a selector, the whole state is what is selected.
    const selected = state === undefined ? undefined : select ? select(state) : (state as unknown as Selected)
    return keep({ state: selected, status, error }, options.isEqual ?? Object.is)
  }
  const selection = useSyncExternalStore(edits.subscribe, getSelection, getSelection)

  const newest = useLatest(schema)
  const actions = useMemo(() => {
    function refuse(status: 'unsupported' | 'refused', code: AgentError['code'], message: string): StateResult {
      if (isDevelopment()) warnDeveloper(message)
      return { status, error: new AgentError({ kind: 'runtime', code, severity: 'WARNING', message }) }
    }
    return {
      setState(next: State | ((before: State | undefined) => State)): StateResult {
        const { state = initial, agent } = reader.read(chat.getSnapshot().messages, edits.get(), newest.current)
        // A state is JSON, so a function is an updater.
        const value = typeof next === 'function' ? (next as (before: State | undefined) => State)(state) : next
        if (!isCarried(value)) return refuse('refused', 'invalid_request', NOT_CARRIED)
        const edit = { id: systemEnvironment.uuid(), ...(agent && { base: agent.state }), value }
        return edits.set(edit) ? { status: 'accepted' } : refuse('unsupported', 'invalid_config', UNSUPPORTED)
      },
      discard: () => void edits.set(undefined),
    }
  }, [chat, edits, initial, newest, reader])
  return useMemo(() => ({ ...selection, ...actions }), [selection, actions])
}

type Selection<Selected> = Pick<AgentState<unknown, Selected>, 'state' | 'status' | 'error'>

/** What a hook keeps for one chat. */
function createReading<State, Selected>(chat: ChatInstance) {
  let last: Selection<Selected> | undefined
  return {
    edits: stateEditsOf(chat),
    reader: createStateViewReader<State>(),
    keep(next: Selection<Selected>, isEqual: (left: Selected | undefined, right: Selected | undefined) => boolean) {
      const isSame =
        last !== undefined &&
        last.status === next.status &&
        last.error === next.error &&
        isEqual(last.state, next.state)
      return isSame && last !== undefined ? last : (last = next)
    },
  }
}

const UNSUPPORTED =
  'useAgentState: the protocol of this agent carries no state of the page, so nothing was changed. CAP, AG-UI and the AI SDK carry one.'

const NOT_CARRIED = `useAgentState: the state is no JSON, or has more than ${LARGEST_STATE} characters, so nothing was changed.`

function isCarried(value: unknown): boolean {
  try {
    const text: string | undefined = JSON.stringify(value)
    return text !== undefined && text.length <= LARGEST_STATE
  } catch {
    return false
  }
}

/**
 * `empty`: neither the agent nor the user has set it. `shared`: as the agent has it. `changed`: the user has changed it, and no run has
 * taken that along.
 */
export type AgentStateStatus = 'empty' | 'shared' | 'changed'

/** The shared state as a page reads it. Equal parts of two views are the same objects. */
interface StateView<State> {
  /** The agent's state with the user's edits applied. Undefined: neither has set one. */
  readonly state: State | undefined
  readonly status: AgentStateStatus
  /** Why the last state of the agent is not shown: the schema refused it. What was shown before stays. Undefined: it is shown. */
  readonly error: AgentError | undefined
  /** The agent's state alone, if it matches the schema. Absent: none. */
  readonly agent: { readonly state: State } | undefined
}

interface StateViewReader<State> {
  /** Gives the view before where nothing of it has changed. */
  read(
    messages: readonly ChatMessage[],
    edit: StateEdit | undefined,
    schema: StandardSchema<State> | undefined,
  ): StateView<State>
}

interface Checked<State> {
  readonly raw: unknown
  readonly schema: StandardSchema<State> | undefined
  readonly agent: { readonly state: State } | undefined
  readonly error: AgentError | undefined
}

/** Reads the shared state of one conversation after the other; what is equal to what was read before keeps its identity. */
function createStateViewReader<State>(): StateViewReader<State> {
  let checked: Checked<State> | undefined
  let view: StateView<State> = { state: undefined, status: 'empty', error: undefined, agent: undefined }

  function check(raw: unknown, schema: StandardSchema<State> | undefined): Checked<State> {
    if (checked !== undefined && checked.raw === raw && checked.schema === schema) return checked
    const result = validated(raw, schema)
    if (result.issues !== undefined)
      return { raw, schema, agent: checked?.agent, error: misfit(result.issues, checked) }
    // It has the shape of the value that the schema gave.
    const state = withKnownParts(checked?.agent?.state, result.value) as State
    const agent = checked?.agent !== undefined && checked.agent.state === state ? checked.agent : { state }
    return { raw, schema, agent, error: undefined }
  }

  return {
    read(messages, edit, schema) {
      const shared = readSharedState(messages, edit)
      checked = shared.agent === undefined ? undefined : check(shared.agent.state, schema)
      const agent = checked?.agent
      // What the user has made of a state has its type.
      const merged = shared.edit && (mergeStates(shared.edit.base, shared.edit.value, agent?.state) as State)
      const state = shared.edit ? (withKnownParts(view.state, merged) as State) : agent?.state
      const status = shared.edit ? 'changed' : agent === undefined ? 'empty' : 'shared'
      const error = checked?.error
      if (state !== view.state || status !== view.status || error !== view.error || agent !== view.agent)
        view = { state, status, error, agent }
      return view
    },
  }
}

function validated<State>(raw: unknown, schema: StandardSchema<State> | undefined): StandardResult<State> {
  // Without a schema nothing is known of it: its type is `unknown`.
  if (schema === undefined) return { value: raw as State }
  try {
    const result = schema['~standard'].validate(raw)
    if (!(result instanceof Promise)) return result
    result.catch(noop)
    return { issues: [{ message: ASYNCHRONOUS }] }
  } catch (error) {
    return { issues: [{ message: error instanceof Error ? error.message : 'The schema threw.' }] }
  }
}

const ASYNCHRONOUS = 'The schema checks asynchronously, which a state that changes with every frame cannot wait for.'

/** The error that is there already, if it is equal, so that it is reported once. */
function misfit(
  issues: NonNullable<StandardResult<unknown>['issues']>,
  before: Checked<unknown> | undefined,
): AgentError {
  const faults = issues.map(({ message, path = [] }) => {
    const place = path.map((step) => String(typeof step === 'object' ? step.key : step)).join('.')
    return place === '' ? message : `${place}: ${message}`
  })
  const message = `The shared state of the agent does not fit the schema of the page. ${faults.join('; ')}`
  if (before?.error?.message === message) return before.error
  return new AgentError({
    kind: 'protocol',
    code: 'invalid_response',
    severity: 'WARNING',
    message,
    details: { faults },
  })
}
