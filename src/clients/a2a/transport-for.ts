import type { A2ATransport } from '../../protocols/a2a/a2a-transport.ts'
import { createA2AError } from '../../protocols/a2a/errors.ts'
import type { AgentCard, AgentInterface } from '../../protocols/a2a/schema/agent-card.ts'
import type { A2AHttpOptions } from './http-calls.ts'
import type { A2AEndpointOptions } from './json-rpc-transport.ts'
import { jsonRpcTransport } from './json-rpc-transport.ts'

/** What makes a transport for the interfaces of each `protocolBinding`. */
export type A2ABindings = Readonly<Record<string, (options: A2AEndpointOptions) => A2ATransport>>

/**
 * A transport for the interface of a card that comes first among those of A2A 1.x with a binding that is known.
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
    const found = supportedInterfaces.find(
      ({ protocolBinding, protocolVersion = '1.0' }) => protocolBinding === binding && protocolVersion.startsWith('1'),
    )
    if (found !== undefined) return { found, transport: create({ ...options, url: found.url }) }
  }
  const has = supportedInterfaces.map(({ protocolBinding, protocolVersion }) => `${protocolBinding} ${protocolVersion}`)
  throw createA2AError({
    kind: 'protocol',
    code: 'invalid_config',
    severity: 'FATAL',
    message: `The agent ${JSON.stringify(name)} has no interface of A2A 1.0 over ${Object.keys(bindings).join(' or ')}. Its card names: ${has.join(', ') || 'none'}.`,
  })
}
