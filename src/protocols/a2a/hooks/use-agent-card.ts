'use client'
import { useCallback, useEffect, useSyncExternalStore } from 'react'
import type { AgentCardResolver } from '../client/agent-card-resolver.ts'
import type { SignatureKeySource } from '../client/signature-state.ts'
import type { AgentCardSnapshot } from './agent-card-cache.ts'
import { cachedCard, NOT_LOADED } from './agent-card-cache.ts'

export interface AgentCardOptions {
  /**
   * Fetches cards in a way of yours: with credentials, or through a route of your server. Keep it stable, as it holds the cache.
   *
   * @default one without options, shared by the page
   */
  readonly resolver?: AgentCardResolver | undefined
  /** Gives the public keys that you trust, to check signatures by. Keep it stable. Absent: signatures are not checked. */
  readonly keyOf?: SignatureKeySource | undefined
}

/** What {@link useAgentCard} returns. */
export interface AgentCardResult extends AgentCardSnapshot {
  /** Asks for the card again. The one that is there stays until another one comes. Never rejects. */
  reload(): Promise<void>
}

/**
 * The card of the agent at a base address, such as `https://agent.example`, or of a card's own address that ends with `.json`. It is
 * fetched once for all components that show it, when the first of them is on the page; a server renders it as `loading`. After a
 * failure the next component that is mounted asks again.
 *
 * @example
 * ```tsx
 * import { useAgentCard } from 'capstan/react'
 *
 * export function AgentName({ url }: { url: string }) {
 *   const { card, error, signature } = useAgentCard(url)
 *   if (card === undefined) return <p>{error?.message ?? 'Loading'}</p>
 *   return <p>{card.name}{signature?.state === 'valid' && ', verified'}</p>
 * }
 * ```
 */
export function useAgentCard(url: string, { resolver, keyOf }: AgentCardOptions = {}): AgentCardResult {
  const cached = cachedCard(url, resolver, keyOf)
  const snapshot = useSyncExternalStore(cached.subscribe, cached.getSnapshot, notLoaded)
  useEffect(() => {
    if (cached.getSnapshot().status !== 'ready') void cached.load()
  }, [cached])
  const reload = useCallback(() => cached.load(), [cached])
  return { ...snapshot, reload }
}

/** On a server, and in the first render of a page that was rendered there. */
function notLoaded(): AgentCardSnapshot {
  return NOT_LOADED
}
