import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'

/** Code that is fetched when it is first needed. */
export interface OnDemand<Code> {
  /** Fetches it, once; after a failure again. */
  load(): Promise<void>
  /** Fetches it for a listener, who is called when it is here, and when it could not be fetched. */
  subscribe(listener: () => void): () => void
  /** The code, once it is here. */
  get(): Code | undefined
  /** Whether it could not be fetched. */
  hasFailed(): boolean
}

/** @param atHand the code, where it need not be fetched */
export function onDemand<Code>(fetchCode: () => Promise<Code>, atHand?: Code): OnDemand<Code> {
  let code = atHand
  let failed = false
  let loading = code && Promise.resolve()
  const listeners = new Set<() => void>()
  async function load(): Promise<void> {
    try {
      code = await fetchCode()
    } catch (error) {
      failed = true
      loading = undefined
      throw error
    } finally {
      for (const listener of listeners) listener()
    }
  }
  const demand: OnDemand<Code> = {
    load: () => (loading ??= load()),
    subscribe(listener) {
      listeners.add(listener)
      demand.load().catch(() => {})
      return () => listeners.delete(listener)
    },
    get: () => code,
    hasFailed: () => failed,
  }
  return demand
}

/** Subscribes to nothing. */
export const never = (): (() => void) => () => {}
/** On a server nothing is here. */
export const nothing = (): undefined => undefined

/** The code, fetched as soon as it is wanted. Undefined until it is here, and where it cannot be had. */
export function useOnDemand<Code>(demand: OnDemand<Code>, isWanted: boolean): Code | undefined {
  return useSyncExternalStore(isWanted ? demand.subscribe : never, demand.get, nothing)
}

/** Retries loading the code. Undefined unless loading has failed. */
export function useLoadAgain(demand: OnDemand<unknown>, isWanted: boolean): (() => void) | undefined {
  const [failed, setFailed] = useState<OnDemand<unknown>>()
  const load = useCallback(() => {
    demand.load().catch(() => setFailed(demand))
  }, [demand])
  useEffect(() => {
    if (isWanted) load()
  }, [isWanted, load])
  return isWanted && failed === demand ? load : undefined
}
