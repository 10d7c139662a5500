import type { StandardSchema } from '../../base/standard-schema.ts'
import type { ServiceRequest } from '../../protocols/cap/schema/request.ts'
import type { AgentOutput } from './agent-output.ts'
import { event } from './agent-output.ts'
import { appError } from './app-error.ts'
import { stateDiff } from './told-state.ts'

/** The state that agent and page share, as a run has it. */
export interface AgentRunState<State = unknown> {
  /** What the page has sent, until the run sets another. Undefined: it has sent none. Untrusted: see `as`. */
  readonly value: State
  /** The user has changed it since the last run. False from clients that do not say. */
  readonly isEdited: boolean
  /**
   * Replaces it, or makes another of it, and tells the page: the first time as a whole, then as a JSON Patch where that is shorter.
   * Resolves once it is logged; rejects with `app_error` for what is not JSON.
   */
  set(next: State | ((before: State) => State)): Promise<void>
  /**
   * The same state, checked. If the page sent no state it is `initial`, which is not sent to the page. Rejects with `app_error` when
   * what the page has sent does not fit.
   */
  as<Value>(schema: StandardSchema<Value>, initial: Value): Promise<AgentRunState<Value>>
  as<Value>(schema: StandardSchema<Value>): Promise<AgentRunState<Value | undefined>>
}

/** What the page has sent with a request. Absent: nothing. */
export function sentState({ payload }: Pick<ServiceRequest, 'payload'>): { readonly state: unknown } | undefined {
  const { state } = payload.metadata
  return state === undefined ? undefined : { state }
}

export function createAgentRunState(
  request: Pick<ServiceRequest, 'payload'>,
  write: (output: AgentOutput) => Promise<void>,
  uuid: () => string,
): AgentRunState {
  /** All events of the state have one id: a client that does not know them shows one row. */
  let id: string | undefined
  let value = sentState(request)?.state
  let isTold = false

  async function tell(next: unknown): Promise<void> {
    const text = jsonOf(next)
    // A copy: the agent may continue changing its own.
    const copy: unknown = JSON.parse(text)
    const delta = isTold ? stateDiff(value, copy) : undefined
    value = copy
    isTold = true
    if (delta?.length === 0) return
    id ??= uuid()
    const isShorter = delta !== undefined && JSON.stringify(delta).length < text.length
    await write(isShorter ? event('STATE_DELTA', { delta }, { id }) : event('STATE_SNAPSHOT', { state: copy }, { id }))
  }

  /** @param read the value as the caller has it: checked, or not */
  function stateWith<State>(read: () => State): AgentRunState<State> {
    return {
      get value() {
        return read()
      },
      isEdited: request.payload.metadata['state_edit'] !== undefined,
      // A state is JSON, so a function makes one.
      set: async (next) => tell(typeof next === 'function' ? (next as (before: State) => State)(read()) : next),
      as: async <Value>(schema: StandardSchema<Value>, initial?: Value) => {
        let checked = value === undefined ? initial : await check(schema, value)
        const of = value
        return stateWith(() => {
          // What was set since has the type of what it was set through.
          if (value !== of) checked = value as Value
          return checked as Value
        })
      },
    }
  }

  return stateWith<unknown>(() => value)
}

async function check<Value>(schema: StandardSchema<Value>, value: unknown): Promise<Value> {
  const result = await schema['~standard'].validate(value)
  if (result.issues === undefined) return result.value
  throw appError(
    `The state that the page has sent does not fit the schema: ${result.issues.map(({ message }) => message).join('; ')}`,
  )
}

function jsonOf(value: unknown): string {
  try {
    const text: string | undefined = JSON.stringify(value)
    if (text !== undefined) return text
  } catch {
    // Reported below.
  }
  throw appError('run.state.set() was given what is no JSON. Give it an object of plain data.')
}
