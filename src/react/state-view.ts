import { AgentError } from '../base/agent-error.ts'
import { noop } from '../base/noop.ts'
import type { StandardResult, StandardSchema } from '../base/standard-schema.ts'
import { mergeStates, readSharedState, withKnownParts } from '../seam/shared-state.ts'
import type { StateEdit } from '../seam/state-edit.ts'
import type { ChatMessage } from '../state/conversation/message.ts'

/**
 * `empty`: neither agent nor user has said anything. `shared`: as the agent has it. `changed`: the user has changed it, and no run has
 * taken that along.
 */
export type AgentStateStatus = 'empty' | 'shared' | 'changed'

/** The shared state as a page reads it. Equal parts of two views are the same objects. */
export interface StateView<State> {
  /** What agent and user say together. Undefined: neither has said anything. */
  readonly state: State | undefined
  readonly status: AgentStateStatus
  /** Why the last state of the agent is not shown: the schema refused it. What was shown before stays. Undefined: it is shown. */
  readonly error: AgentError | undefined
  /** What the agent alone has said, as far as it fits. Absent: nothing. */
  readonly agent: { readonly state: State } | undefined
}

export interface StateViewReader<State> {
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
export function createStateViewReader<State>(): StateViewReader<State> {
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

/** The error that is there already, where it says the same: it is told once. */
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
