import type { StandardSchema } from '../../base/standard-schema.ts'
import type { ServiceRequest } from '../../protocols/cap/schema/request.ts'
import { type AgentOutput, event } from './agent-output.ts'
import { appError } from './app-error.ts'
import { isJsonObject } from '../../base/json-object.ts'
import { applyBoundedPatch, readPatchOperations, type JsonPatchOperation } from '../../base/json-patch.ts'
import { isEqualJson } from '../../base/equal-json.ts'

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

/** Names that readers of a patch refuse in a path. */
const REFUSED: ReadonlySet<string> = new Set(['-', '__proto__', 'constructor', 'prototype'])

/**
 * A JSON Patch (RFC 6902) that makes the second value of the first. Lists are compared by index: what was put in front of one changes
 * every item behind it. Undefined: no patch that is allowed does it.
 */
export function stateDiff(before: unknown, after: unknown): readonly JsonPatchOperation[] | undefined {
  const operations: JsonPatchOperation[] = []
  return compare(before, after, '', operations) ? operations : undefined
}

function compare(before: unknown, after: unknown, path: string, operations: JsonPatchOperation[]): boolean {
  if (isEqualJson(before, after)) return true
  if (Array.isArray(before) && Array.isArray(after)) return compareLists(before, after, path, operations)
  if (!isJsonObject(before) || !isJsonObject(after)) {
    operations.push({ op: 'replace', path, value: after })
    return true
  }
  for (const key of Object.keys({ ...before, ...after })) {
    const place = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    const [wasThere, isThere] = [Object.hasOwn(before, key), Object.hasOwn(after, key)]
    if (REFUSED.has(key) && !(wasThere && isThere && isEqualJson(before[key], after[key]))) return false
    if (!isThere) operations.push({ op: 'remove', path: place })
    else if (!wasThere) operations.push({ op: 'add', path: place, value: after[key] })
    else if (!compare(before[key], after[key], place, operations)) return false
  }
  return true
}

function compareLists(
  before: readonly unknown[],
  after: readonly unknown[],
  path: string,
  operations: JsonPatchOperation[],
): boolean {
  // From the end, so that the places before stay what they are.
  for (let at = before.length - 1; at >= after.length; at -= 1) operations.push({ op: 'remove', path: `${path}/${at}` })
  for (const [at, item] of after.entries()) {
    if (at >= before.length) operations.push({ op: 'add', path: `${path}/-`, value: item })
    else if (!compare(before[at], item, `${path}/${at}`, operations)) return false
  }
  return true
}

/** The id of the shared state where a protocol, or a list of parts, wants one. */
export const STATE_ID = 'state'

/** The shared state, of the events that tell it. */
interface ToldState {
  /** Absent: no state has been sent. */
  readonly told: { readonly state: unknown } | undefined
  /** Whether it was an event of the state that could be read. */
  take(type: unknown, data: unknown): boolean
}

/** @param sent what the page has sent with the request. Absent: nothing */
export function createToldState(sent?: { readonly state: unknown }): ToldState {
  let told = sent
  return {
    get told() {
      return told
    },
    take(type, data) {
      if (!isJsonObject(data)) return false
      if (type === 'STATE_SNAPSHOT' && data['state'] !== undefined) {
        told = { state: data['state'] }
        return true
      }
      const operations = type === 'STATE_DELTA' ? readPatchOperations(data['delta']) : undefined
      const next = operations && applyBoundedPatch(told?.state, operations)
      if (next !== undefined) told = { state: next.document }
      return next !== undefined
    },
  }
}

/** Whether an event of this type says something of the shared state. */
export function isStateEvent(type: unknown): boolean {
  return type === 'STATE_SNAPSHOT' || type === 'STATE_DELTA'
}
