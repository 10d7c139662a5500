import type { A2ATransport } from '../a2a-transport.ts'
import { createA2AError } from '../errors.ts'
import type { AgentCard, AgentInterface } from '../schema/agent-card.ts'
import type { A2ACardClientOptions } from './a2a-client-options.ts'
import { trustedUrl } from './card-origin.ts'
import type { A2AEndpointOptions } from './json-rpc-transport.ts'
import { jsonRpcTransport } from './json-rpc-transport.ts'

/** What makes a transport for the interfaces of each `protocolBinding`; of another version than 1.x, with that version behind it: `JSONRPC 0.3`. */
export type A2ABindings = Readonly<Record<string, (options: A2AEndpointOptions) => A2ATransport>>

/** `JSONRPC` for an interface of A2A 1.x, `JSONRPC 0.3` for one of 0.3.0. */
function bindingOf({ protocolBinding, protocolVersion = '1.0' }: AgentInterface): string {
  if (protocolVersion.startsWith('1')) return protocolBinding
  return `${protocolBinding} ${protocolVersion.split('.', 2).join('.')}`
}

/**
 * A transport for the interface of a card with the first binding that the card has on a trusted origin: JSON-RPC of A2A 1.x, then those of
 * `bindings` in their order.
 *
 * @throws A2AError `invalid_config` when there is none
 */
export function transportFor(
  card: AgentCard,
  { bindings: others = {}, origins = [], ...options }: A2ACardClientOptions,
): { readonly transport: A2ATransport; readonly found: AgentInterface } {
  const { name, supportedInterfaces } = card
  const bindings: A2ABindings = { JSONRPC: jsonRpcTransport, ...others }
  let untrusted: AgentInterface | undefined
  for (const [binding, create] of Object.entries(bindings)) {
    for (const found of supportedInterfaces.filter((each) => bindingOf(each) === binding)) {
      const url = trustedUrl(card, found, origins)
      if (url !== undefined) return { found, transport: create({ ...options, url }) }
      untrusted ??= found
    }
  }
  const named = JSON.stringify(name)
  throw createA2AError({
    kind: 'protocol',
    code: 'invalid_config',
    severity: 'FATAL',
    message:
      untrusted === undefined
        ? `The agent ${named} has no interface for ${Object.keys(bindings).join(' or ')}. Its card names: ${supportedInterfaces.map(bindingOf).join(', ') || 'none'}. Others are named by \`bindings\`.`
        : `The card of the agent ${named} names an interface on another origin than its own: ${JSON.stringify(untrusted.url)}. The key, the headers and the messages would go there, so it is not used. If you trust it, name its origin in \`origins\`.`,
  })
}
