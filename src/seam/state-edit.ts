import { isAnything, isString, shape } from '../base/guards.ts'

/** What the user has made of the state that the agent shares, until a run takes it along. */
export interface StateEdit {
  /** A new one for each edit. The `state` part of the answer that took it along names it. */
  readonly id: string
  /** The agent's state that the user saw. Absent: the agent had sent none. */
  readonly base?: unknown
  /** The state as the user wants it: any JSON. */
  readonly value: unknown
}

export const isStateEdit = shape<StateEdit>({ id: isString, base: isAnything, value: isAnything })
