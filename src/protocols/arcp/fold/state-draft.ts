import type { ArcpLogEntry, ArcpSessionState, ArcpState } from './arcp-state.ts'

type Maps = Omit<ArcpState, 'session' | 'logs'>
type Entry<Name extends keyof Maps> = Maps[Name] extends ReadonlyMap<string, infer Value> ? Value : never

/** A state while messages are folded into it: what changes is copied once per snapshot, what does not stays the same object. */
export interface StateDraft {
  readonly session: ArcpSessionState
  get<Name extends keyof Maps>(name: Name, id: string | undefined): Entry<Name> | undefined
  put<Name extends keyof Maps>(name: Name, id: string, value: Entry<Name>): void
  remove(name: keyof Maps, id: string): void
  values<Name extends keyof Maps>(name: Name): readonly Entry<Name>[]
  setSession(session: ArcpSessionState): void
  addLog(entry: ArcpLogEntry): void
  /** The state as it is now, which later changes may still change: never to be given away. */
  readonly current: ArcpState
  /** The state with all that changed, which stays as it is; the same as before when nothing did. */
  snapshot(): ArcpState
}

/** Entries that are kept of each kind, beside those that still continue. */
const KEPT = 1_000
/** Entries of a log that are kept. */
export const KEPT_LOGS = 100

type IsOver = { readonly [Name in keyof Maps]: (value: Entry<Name>, jobs: ArcpState['jobs']) => boolean }

const IS_OVER: IsOver = {
  jobs: ({ endedAt }) => endedAt !== undefined,
  // Runtimes leave streams open when their job ends.
  streams: ({ state, jobId = '' }, jobs) =>
    state !== 'open' || jobs.get(jobId)?.endedAt !== undefined || !jobs.has(jobId),
  prompts: ({ state }) => state !== 'open' && state !== 'sent',
  leases: ({ state }) => state !== 'active',
  artifacts: () => true,
  metrics: () => true,
  subscriptions: ({ state }) => state !== 'open',
}

export function createStateDraft(before: ArcpState): StateDraft {
  let state: ArcpState = before
  const copies = new Map<keyof Maps, Map<string, unknown>>()

  function mapOf<Name extends keyof Maps>(name: Name): Map<string, Entry<Name>> {
    // The maps of a state have the entries that their names say.
    const known = copies.get(name) as Map<string, Entry<Name>> | undefined
    if (known !== undefined) return known
    // The same: one member of the state, by its name.
    const copy = new Map(state[name] as ReadonlyMap<string, Entry<Name>>)
    copies.set(name, copy)
    state = { ...state, [name]: copy }
    return copy
  }

  /** Drops the oldest that have ended, several at once, so that not each new one searches for what to drop. */
  function trim<Name extends keyof Maps>(name: Name, map: Map<string, Entry<Name>>): void {
    if (map.size <= KEPT * 1.1) return
    let left = map.size - KEPT
    for (const [id, value] of map) {
      if (left === 0) return
      if (!IS_OVER[name](value, state.jobs)) continue
      map.delete(id)
      left -= 1
    }
  }

  return {
    get session() {
      return state.session
    },
    // The map of a name has the entries of that name.
    get: (name, id) => (id === undefined ? undefined : (state[name].get(id) as Entry<typeof name> | undefined)),
    put(name, id, value) {
      const map = mapOf(name)
      const isNew = !map.has(id)
      map.set(id, value)
      if (isNew) trim(name, map)
    },
    remove(name, id) {
      if (state[name].has(id)) mapOf(name).delete(id)
    },
    // The same.
    values: (name) => [...state[name].values()] as Entry<typeof name>[],
    setSession(session) {
      state = { ...state, session }
    },
    addLog(entry) {
      state = { ...state, logs: [...state.logs.slice(1 - KEPT_LOGS), entry] }
    },
    get current() {
      return state
    },
    snapshot() {
      // What changes from now on is copied first.
      copies.clear()
      return state
    },
  }
}
