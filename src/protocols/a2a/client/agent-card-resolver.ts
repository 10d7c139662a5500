import { parseBoundedJson } from '../../../base/bounded-json.ts'
import { createA2AError, invalidResponse, toA2AError } from '../errors.ts'
import { readAgentCard, type AgentCard, type AgentInterface } from '../agent-card.ts'
import type { AgentCardSignatureState, SignatureKeySource } from './signature-state.ts'
import { httpErrorInit, isRefusal } from '../../../wire/http-errors.ts'
import { type A2AHttpOptions, type HttpCalls, createHttpCalls } from './http-calls.ts'
import { pathOf } from '../../../wire/credential.ts'

const MOST_CARD_BYTES = 1_000_000

const NOT_MODIFIED = 304

interface FetchedCard {
  readonly card: AgentCard
  /** The unchanged card: the signed text. */
  readonly raw: unknown
}

/** Options of a request for a card. */
export interface ResolveCardOptions {
  /** Aborting ends the request. Absent: nothing aborts it. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Fetches the card of an agent from its well-known address, and again only when it has changed (ETag).
 *
 * @example
 * ```ts
 * import { A2AClient, AgentCardResolver } from 'capstan/a2a'
 *
 * const card = await new AgentCardResolver().resolve('https://agent.example')
 * const client = A2AClient.fromAgentCard(card)
 * ```
 */
export class AgentCardResolver {
  readonly #http: HttpCalls
  /** By address. */
  readonly #known = new Map<string, FetchedCard & { readonly etag: string }>()

  constructor(options: A2AHttpOptions = {}) {
    this.#http = createHttpCalls(options)
  }

  /**
   * The card of the agent at a base address, such as `https://agent.example`; of an address that ends with `.json`, the card
   * there. Cards of A2A 0.3 are read as those of 1.0. Signatures are not checked.
   *
   * @throws A2AError `not_found` and others of HTTP, `invalid_response` for anything but a card
   */
  async resolve(base: string, options: ResolveCardOptions = {}): Promise<AgentCard> {
    return (await this.#fetch(base, options)).card
  }

  /**
   * The card, and the result of checking its signatures. The card is given whatever that is: an agent that must be known by its key is not
   * to be talked to unless `signature.state` is `valid`. A card of `partly-signed` is signed without the members in `signature.unsigned`:
   * sign in to such an agent only by addresses that you know. What checks signatures is loaded here, on demand. It needs Web Crypto: on a page
   * that is not served over HTTPS or from localhost it throws.
   *
   * @param keyOf gives the public keys you trust by their id. Keys from an address that the card itself names prove nothing.
   * @throws A2AError as `resolve`, and `app_error` when `keyOf` throws
   * @example
   * ```ts
   * import { AgentCardResolver } from 'capstan/a2a'
   *
   * const keys: Record<string, JsonWebKey> = { 'rivers-2026': { kty: 'OKP', crv: 'Ed25519', x: 'the public key' } }
   * const resolver = new AgentCardResolver()
   * const { card, signature } = await resolver.resolveSigned('https://agent.example', ({ keyId }) => keys[keyId])
   * if (signature.state !== 'valid') throw new Error(`The card of ${card.name} is not signed by a key we know.`)
   * ```
   */
  async resolveSigned(
    base: string,
    keyOf: SignatureKeySource,
    options: ResolveCardOptions = {},
  ): Promise<{ readonly card: AgentCard; readonly signature: AgentCardSignatureState }> {
    const { card, raw } = await this.#fetch(base, options)
    try {
      const { verifySignatures } = await import('./verify-signatures.ts')
      return { card, signature: await verifySignatures(raw, keyOf) }
    } catch (error) {
      throw toA2AError(error)
    }
  }

  async #fetch(base: string, options: ResolveCardOptions): Promise<FetchedCard> {
    const url = base.endsWith('.json') ? base : `${base.replace(/\/+$/, '')}/.well-known/agent-card.json`
    const known = this.#known.get(url)
    const signal = options.signal ?? new AbortController().signal
    try {
      const answer = await this.#http.ask(
        { method: 'GET', url, signal },
        // Without a `cache-control` of its own, fetch adds `no-cache`, and servers then send the card whole.
        {
          accept: 'application/json',
          ...(known && { 'if-none-match': known.etag, 'cache-control': 'max-age=0' }),
        },
      )
      if (answer.status === NOT_MODIFIED && known !== undefined) return known
      if (isRefusal(answer.status)) throw createA2AError(await httpErrorInit(answer, `GET ${pathOf(url)}`))
      const raw = parse(await answer.text({ maxBytes: MOST_CARD_BYTES }))
      const fetched = { card: bindCard(readAgentCard(raw, 'the card'), url), raw }
      const etag = answer.headers.get('etag')
      if (etag !== null) this.#known.set(url, { ...fetched, etag })
      return fetched
    } catch (error) {
      throw toA2AError(error)
    }
  }
}

function parse(text: string): unknown {
  try {
    return parseBoundedJson(text)
  } catch (cause) {
    throw invalidResponse('the card of the agent is not JSON', cause)
  }
}

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
