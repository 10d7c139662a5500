import type { A2ATransport } from '../../protocols/a2a/a2a-transport.ts'
import { createA2AError } from '../../protocols/a2a/errors.ts'
import type { AgentCard, AgentInterface } from '../../protocols/a2a/schema/agent-card.ts'
import type { A2AHttpOptions } from './http-calls.ts'
import { httpJsonTransport } from './http-json-transport.ts'
import { jsonRpcTransport } from './json-rpc-transport.ts'

/** The bindings that are carried here, the preferred one first. */
const BINDINGS = { JSONRPC: jsonRpcTransport, 'HTTP+JSON': httpJsonTransport } as const

/** The interface of a card that is used: JSON-RPC before HTTP+JSON, of A2A 1.x. @throws A2AError `invalid_config` when it has none */
export function interfaceOf({ name, supportedInterfaces }: AgentCard): AgentInterface {
  for (const binding of Object.keys(BINDINGS)) {
    const found = supportedInterfaces.find(
      ({ protocolBinding, protocolVersion = '1.0' }) => protocolBinding === binding && protocolVersion.startsWith('1'),
    )
    if (found !== undefined) return found
  }
  const has = supportedInterfaces.map(({ protocolBinding, protocolVersion }) => `${protocolBinding} ${protocolVersion}`)
  throw createA2AError({
    kind: 'protocol',
    code: 'invalid_config',
    severity: 'FATAL',
    message: `The agent ${JSON.stringify(name)} has no interface of A2A 1.0 over JSON-RPC or HTTP+JSON. Its card names: ${has.join(', ') || 'none'}.`,
  })
}

/** What carries the calls to an interface. */
export function transportFor({ protocolBinding, url }: AgentInterface, options: A2AHttpOptions): A2ATransport {
  return protocolBinding === 'HTTP+JSON'
    ? BINDINGS['HTTP+JSON']({ ...options, url })
    : BINDINGS.JSONRPC({ ...options, url })
}
