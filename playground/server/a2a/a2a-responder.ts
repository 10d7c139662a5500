import type { IncomingMessage, ServerResponse } from 'node:http'
import type { NetworkControl } from '../network/network-control.ts'
import { sendResponse } from '../node-fetch.ts'
import { readBody } from '../read-body.ts'
import { a2aScenarioOf } from './a2a-scenarios.ts'
import type { A2AEndpoint } from './a2a-endpoint.ts'
import { A2A_CARD_ADDRESS, createA2AEndpoint } from './a2a-endpoint.ts'
import type { A2AExecutorOptions } from './a2a-executor.ts'
import { createA2AExecutor } from './a2a-executor.ts'

export interface A2AResponderOptions extends Omit<A2AExecutorOptions, 'onRun' | 'origin'> {
  readonly network: NetworkControl
  /** Longest body of a call, in bytes. */
  readonly mostBodyBytes: number
  onRun(requestId: string): void
}

/** Answers calls of A2A, each stream over a connection that the page can break. */
export interface A2AResponder {
  respond(req: IncomingMessage, res: ServerResponse, pathname: string): Promise<void>
}

interface Call {
  readonly method?: unknown
  readonly params?: {
    readonly id?: unknown
    readonly message?: { readonly messageId?: unknown; readonly metadata?: { readonly scenario?: unknown } }
  }
}

export function createA2AResponder({ network, mostBodyBytes, onRun, ...options }: A2AResponderOptions): A2AResponder {
  /** The message that each task works on. */
  const messages = new Map<string, string>()
  let origin = new URL('http://127.0.0.1')
  const endpoint: A2AEndpoint = createA2AEndpoint(
    createA2AExecutor({
      ...options,
      origin: () => origin,
      onRun(requestId, taskId) {
        messages.set(taskId, requestId)
        onRun(requestId)
      },
    }),
  )

  /** The run that a stream belongs to; undefined for a call that is not a stream. */
  function runOf({ method, params }: Call): string | undefined {
    if (method === 'SendStreamingMessage') return String(params?.message?.messageId)
    return method === 'SubscribeToTask' ? (messages.get(String(params?.id)) ?? String(params?.id)) : undefined
  }

  return {
    async respond(req, res, pathname) {
      origin = new URL(`http://${req.headers.host ?? 'localhost'}`)
      if (pathname === A2A_CARD_ADDRESS) return sendResponse(endpoint.card(origin.origin), res)
      if (req.method !== 'POST')
        return sendResponse(new Response(null, { status: 405, headers: { allow: 'POST' } }), res)
      const bytes = await readBody(req, mostBodyBytes)
      const body = parse(bytes)
      const version = String(req.headers['a2a-version'] ?? '0.3')
      const answer = (): Promise<Response> => endpoint.call(body, version)
      // Every member is doubted where it is used.
      const call = body as Call
      const requestId = runOf(call)
      if (requestId === undefined) return sendResponse(await answer(), res)
      const scenario = a2aScenarioOf(call.params?.message?.metadata?.scenario)?.id
      return network.carry(req, res, { requestId, scenario, script: undefined, protocol: 'A2A' }, answer)
    },
  }
}

function parse(bytes: Uint8Array | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
