import type { AgentError } from '../../../base/agent-error.ts'
import { AgentCardResolver } from '../client/agent-card-resolver.ts'
import type { AgentCardSignatureState, SignatureKeySource } from '../client/signature-state.ts'
import { toA2AError } from '../errors.ts'
import type { AgentCard } from '../agent-card.ts'

/** What is known of the card of an agent. */
export interface AgentCardSnapshot {
  /** `loading`: none has come yet. `ready`: one is there, whether or not it is asked for again. `error`: there is none. */
  readonly status: 'loading' | 'ready' | 'error'
  readonly card: AgentCard | undefined
  /** What its signatures are worth; `unknown-key` for a signed card where no keys are given. */
  readonly signature: AgentCardSignatureState | undefined
  /** Why the last request failed. */
  readonly error: AgentError | undefined
}

/** The card of one address, shared by all components that show it. */
export interface CachedCard {
  getSnapshot(): AgentCardSnapshot
  subscribe(listener: () => void): () => void
  /** Asks for it, again when it is there: one that has not changed stays the same object. */
  load(): Promise<void>
}

export const NOT_LOADED: AgentCardSnapshot = {
  status: 'loading',
  card: undefined,
  signature: undefined,
  error: undefined,
}

type Resolved = Pick<AgentCardSnapshot, 'signature'> & { readonly card: AgentCard }

const caches = new WeakMap<AgentCardResolver, WeakMap<SignatureKeySource, Map<string, CachedCard>>>()
let own: AgentCardResolver | undefined

const noKeys: SignatureKeySource = () => undefined

/** The card at an address as a resolver fetches it, once for the page and for each source of keys. */
export function cachedCard(url: string, resolver = ownResolver(), keyOf = noKeys): CachedCard {
  const byKeys = caches.get(resolver) ?? new WeakMap<SignatureKeySource, Map<string, CachedCard>>()
  caches.set(resolver, byKeys)
  const cards = byKeys.get(keyOf) ?? new Map<string, CachedCard>()
  byKeys.set(keyOf, cards)
  const resolve = keyOf === noKeys ? () => unchecked(resolver, url) : () => resolver.resolveSigned(url, keyOf)
  const card = cards.get(url) ?? createCachedCard(resolve)
  cards.set(url, card)
  return card
}

/** Without keys nothing is checked, and what checks signatures is not loaded. */
async function unchecked(resolver: AgentCardResolver, url: string): Promise<Resolved> {
  const card = await resolver.resolve(url)
  return { card, signature: { state: card.signatures?.length ? 'unknown-key' : 'unsigned' } }
}

function ownResolver(): AgentCardResolver {
  own ??= new AgentCardResolver()
  return own
}

function createCachedCard(resolve: () => Promise<Resolved>): CachedCard {
  let snapshot = NOT_LOADED
  let loading: Promise<void> | undefined
  const listeners = new Set<() => void>()

  function publish(next: AgentCardSnapshot): void {
    snapshot = next
    for (const listener of [...listeners]) listener()
  }

  async function fetchCard(): Promise<void> {
    if (snapshot.status === 'error') publish(NOT_LOADED)
    try {
      const { card, signature } = await resolve()
      publish({ status: 'ready', card, signature, error: undefined })
    } catch (cause) {
      const { card, signature } = snapshot
      publish({ status: card === undefined ? 'error' : 'ready', card, signature, error: toA2AError(cause) })
    } finally {
      loading = undefined
    }
  }

  return {
    getSnapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    load: () => (loading ??= fetchCard()),
  }
}
