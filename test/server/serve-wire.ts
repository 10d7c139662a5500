import type { ServerResponse } from 'node:http'
import type { CapturableChat } from '../../src/state/chat-options.ts'
import type { AgentProxyOptions } from '../../src/server/proxy/agent-proxy.ts'
import { chatWithAgUi, framesOf as agUiFrames, textAnswer as agUiText } from '../support/ag-ui-server.ts'
import { chatWithAiSdk, framesOf as aiSdkFrames, textAnswer as aiSdkText } from '../support/ai-sdk-server.ts'
import type { Fetch } from '../../src/wire/fetch-transport.ts'
import { serveProxy, serveUpstream, type RawUpstream } from './serve-proxy.ts'

/** How long a test waits for what it asserts: only a hang is a failure, however busy the machine is. */
export const PATIENTLY = { timeout: 20_000 } as const

export const WIRES = ['ag-ui', 'ai-sdk'] as const
export type WireName = (typeof WIRES)[number]

/** What a server of the wire answers, as one text. */
export function answerText(wire: WireName, ...words: readonly string[]): string {
  return wire === 'ag-ui' ? agUiFrames(agUiText('m', ...words)) : aiSdkFrames(aiSdkText('m', ...words))
}

/** A server of a wire that answers every POST like this, and counts them. */
export function serveAnswers(answer: (res: ServerResponse) => void): Promise<RawUpstream> {
  return serveUpstream((_req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    answer(res)
  })
}

export interface ServedWire {
  /** Where a page posts. */
  readonly url: string
  readonly errors: readonly unknown[]
}

export async function serveWire(
  wire: WireName,
  upstream: RawUpstream,
  options: Partial<AgentProxyOptions> = {},
): Promise<ServedWire> {
  const { origin, errors } = await serveProxy(`${upstream.origin}/up`, { wire, ...options })
  return { url: `${origin}/api/agent`, errors }
}

/** A chat of a page at a proxy. @param fetch another fetch than the platform's */
export function chatOn(wire: WireName, url: string, fetch: Fetch = globalThis.fetch): CapturableChat {
  return wire === 'ag-ui'
    ? chatWithAgUi({ fetch }, { url, stopUrl: () => `${url}/stop` })
    : chatWithAiSdk({ fetch }, { api: url, namesRuns: true, stopUrl: (id) => `${url}/${id}/stop` })
}

/** What a page posts to begin a run. */
export function postRun(
  wire: WireName,
  url: string,
  run: string,
  headers: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
): Promise<Response> {
  const body = wire === 'ag-ui' ? { threadId: 'chat-1', runId: run, messages: [] } : { id: 'chat-1', messages: [] }
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(wire === 'ai-sdk' && { 'x-run-id': run }), ...headers },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })
}

/** What a page asks to continue with a run. */
export function followRun(
  wire: WireName,
  url: string,
  run: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return wire === 'ag-ui'
    ? fetch(`${url}?runId=${encodeURIComponent(run)}`, { headers })
    : fetch(`${url}/chat-1/stream`, { headers: { 'x-run-id': run, ...headers } })
}
