import { type A2AHttpClientOptions, A2AClient } from '../../../src/protocols/a2a/client/a2a-client.ts'
import { httpJsonTransport } from '../../../src/protocols/a2a/client/http-json-transport.ts'
import { jsonRpcTransport, jsonRpcV03Transport } from '../../../src/protocols/a2a/client/json-rpc-transport.ts'
import { serveOlderAgent } from './older-agent.ts'
import type { SdkAgent, SdkAgentOptions } from './sdk-agent.ts'
import { serveSdkAgent } from './sdk-agent.ts'

/** A server of the official SDK, and the way to it. */
export interface Peer {
  readonly name: string
  /** Names of the calls as the server counts them. */
  readonly methods: { readonly stream: RegExp; readonly send: RegExp; readonly cancel: RegExp }
  /** Whether it can list tasks, which 0.3 cannot. */
  readonly lists: boolean
  serve(options?: SdkAgentOptions): Promise<SdkAgent>
  connect(origin: string, options?: A2AHttpClientOptions): A2AClient
}

const JSON_RPC = { stream: /^SendStreamingMessage$/, send: /^SendMessage$/, cancel: /^CancelTask$/ }
const OLDER = { stream: /^message\/stream$/, send: /^message\/send$/, cancel: /^tasks\/cancel$/ }

/** Every server and binding that the client is held to, over real HTTP. */
export const PEERS: readonly Peer[] = [
  {
    name: 'SDK 1.3.0, A2A 1.0 over JSON-RPC',
    methods: JSON_RPC,
    lists: true,
    serve: serveSdkAgent,
    connect: (origin, options = {}) =>
      new A2AClient({ ...options, transport: jsonRpcTransport({ ...options, url: `${origin}/rpc` }) }),
  },
  {
    name: 'SDK 1.3.0, A2A 1.0 over HTTP+JSON',
    methods: { stream: /message:stream$/, send: /message:send$/, cancel: /:cancel$/ },
    lists: true,
    serve: serveSdkAgent,
    connect: (origin, options = {}) =>
      new A2AClient({ ...options, transport: httpJsonTransport({ ...options, url: `${origin}/rest` }) }),
  },
  {
    name: 'SDK 1.3.0, A2A 0.3 over JSON-RPC',
    methods: OLDER,
    lists: false,
    serve: serveSdkAgent,
    connect: (origin, options = {}) =>
      new A2AClient({ ...options, transport: jsonRpcV03Transport({ ...options, url: `${origin}/rpc` }) }),
  },
  {
    name: 'SDK 0.3.14, A2A 0.3 over JSON-RPC',
    methods: OLDER,
    lists: false,
    serve: serveOlderAgent,
    connect: (origin, options = {}) =>
      new A2AClient({ ...options, transport: jsonRpcV03Transport({ ...options, url: `${origin}/rpc` }) }),
  },
]
