import { parseBoundedJson } from '../../base/bounded-json.ts'
import { createA2AError, invalidResponse, toA2AError } from '../../protocols/a2a/errors.ts'
import { readAgentCard } from '../../protocols/a2a/read/read-agent-card.ts'
import type { AgentCard } from '../../protocols/a2a/schema/agent-card.ts'
import { httpErrorInit, isRefusal } from '../../wire/http-errors.ts'
import type { A2AHttpOptions, HttpCalls } from './http-calls.ts'
import { createHttpCalls, pathOf } from './http-calls.ts'

const MOST_CARD_BYTES = 1_000_000
const NOT_MODIFIED = 304

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
  readonly #known = new Map<string, { readonly etag: string; readonly card: AgentCard }>()

  constructor(options: A2AHttpOptions = {}) {
    this.#http = createHttpCalls(options)
  }

  /**
   * The card of the agent at a base address, such as `https://agent.example`; of an address that ends with `.json`, the card
   * there. Cards of A2A 0.3 are read as those of 1.0.
   *
   * @throws A2AError `not_found` and others of HTTP, `invalid_response` for anything but a card
   */
  async resolve(
    base: string,
    options: {
      /** Aborting ends the request. Absent: nothing aborts it. */
      readonly signal?: AbortSignal | undefined
    } = {},
  ): Promise<AgentCard> {
    const url = base.endsWith('.json') ? base : `${base.replace(/\/+$/, '')}/.well-known/agent-card.json`
    const known = this.#known.get(url)
    const signal = options.signal ?? new AbortController().signal
    try {
      const answer = await this.#http.ask(
        { method: 'GET', url, signal },
        { accept: 'application/json', ...(known && { 'if-none-match': known.etag }) },
      )
      if (answer.status === NOT_MODIFIED && known !== undefined) return known.card
      if (isRefusal(answer.status)) throw createA2AError(await httpErrorInit(answer, `GET ${pathOf(url)}`))
      const card = readAgentCard(parse(await answer.text({ maxBytes: MOST_CARD_BYTES })), 'the card')
      const etag = answer.headers.get('etag')
      if (etag !== null) this.#known.set(url, { etag, card })
      return card
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
