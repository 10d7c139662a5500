import type { AgentCard, AgentInterface } from '../agent-card.ts'

/** The URL that each card is from: nothing in a card says so, since its author could write anything. */
const sources = new WeakMap<AgentCard, string>()

/** Binds a card to where it is from. @param url a path is one on the page's own origin */
export function bindCard(card: AgentCard, url: string): AgentCard {
  const base = pageUrl()
  if (URL.canParse(url, base)) sources.set(card, new URL(url, base).href)
  return card
}

/**
 * URL of an interface that may be given key, headers and messages: it is on the origin of its card, or on one that the app names. Undefined
 * for any other. A card that no resolver gave counts as one of the page's own origin.
 */
export function trustedUrl(card: AgentCard, { url }: AgentInterface, origins: readonly string[]): string | undefined {
  const base = sources.get(card) ?? pageUrl()
  const http = httpUrl(url, base)
  const origin = http?.origin ?? url
  const isOwn = http !== undefined && http.origin === httpUrl(base ?? '')?.origin
  const isNamed = origins.some((each) => (httpUrl(each)?.origin ?? each) === origin)
  return isOwn || isNamed ? (http?.href ?? url) : undefined
}

/** A URL of HTTP, or a path on the origin of `base`. Undefined for any other address, such as one of gRPC. */
function httpUrl(address: string, base?: string): URL | undefined {
  const own = address.startsWith('/') ? base : undefined
  if (!URL.canParse(address, own)) return undefined
  const url = new URL(address, own)
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined
}

function pageUrl(): string | undefined {
  const { location }: { readonly location?: { readonly href: string } } = globalThis
  return location?.href
}
