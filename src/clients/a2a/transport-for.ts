import type { A2ATransport } from '../../protocols/a2a/a2a-transport.ts'
import { createA2AError } from '../../protocols/a2a/errors.ts'
import type { AgentCard, AgentInterface } from '../../protocols/a2a/schema/agent-card.ts'
import type { A2AHttpOptions } from './http-calls.ts'
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
 * A transport for the interface of a card with the first binding that the card has: JSON-RPC of A2A 1.x, then `others` in their order.
 *
 * @throws A2AError `invalid_config` when there is none
 */
export function transportFor(
  { name, supportedInterfaces }: AgentCard,
  others: A2ABindings = {},
  options: A2AHttpOptions,
): { readonly transport: A2ATransport; readonly found: AgentInterface } {
  const bindings: A2ABindings = { JSONRPC: jsonRpcTransport, ...others }
  for (const [binding, create] of Object.entries(bindings)) {
    const found = supportedInterfaces.find((each) => bindingOf(each) === binding)
    if (found !== undefined) return { found, transport: create({ ...options, url: found.url }) }
  }
  throw createA2AError({
    kind: 'protocol',
    code: 'invalid_config',
    severity: 'FATAL',
    message: `The agent ${JSON.stringify(name)} has no interface for ${Object.keys(bindings).join(' or ')}. Its card names: ${supportedInterfaces.map(bindingOf).join(', ') || 'none'}. Others are named by \`bindings\`.`,
  })
}
