import { AgentError } from '../../src/base/agent-error.ts'
import type { SseFrame, Transport } from '../../src/wire/transport.ts'

/** What a listener does with one request. Plain data: it may have to travel into a page. */
export interface Script {
  readonly url: string
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** When to abort. */
  readonly abort?: 'before sending' | 'after a frame'
  /** Stops reading after the first frame, without aborting. */
  readonly leave?: boolean
  /** Tells the server of each batch, so that it continues only when the last one was heard. */
  readonly tell?: boolean
  /** Lets the page see a visibility change after the first frame, as after a tab switch. */
  readonly switchTabs?: boolean
  /** How to read a body. */
  readonly limit?: { readonly maxBytes: number; readonly truncate?: boolean }
}

/** What a listener heard. Plain data: it may come out of a page. */
export interface Heard {
  readonly answer?: {
    readonly kind: string
    readonly status: number
    readonly contentType: string
    readonly retryAfter: string | null
  }
  readonly batches: readonly (readonly SseFrame[])[]
  readonly text?: string
  readonly error?: {
    readonly typed: boolean
    readonly kind?: string
    readonly code?: string
    readonly severity?: string
    readonly details?: unknown
    readonly message: string
  }
}

/** Sends one request over a transport and writes down all that comes of it. Never throws. Runs in Node and in a page. */
export async function hear(transport: Transport, script: Script): Promise<Heard> {
  const { url, method = 'POST', headers = {}, body = '{}', limit = { maxBytes: 10_000 } } = script
  const abort = new AbortController()
  if (script.abort === 'before sending') abort.abort()
  const batches: (readonly SseFrame[])[] = []
  let answer: Heard['answer']
  try {
    const said = await transport.send({
      url,
      method,
      headers,
      ...(method === 'GET' ? {} : { body }),
      signal: abort.signal,
    })
    answer = {
      kind: said.kind,
      status: said.status,
      contentType: said.contentType,
      retryAfter: said.headers.get('retry-after'),
    }
    if (said.kind === 'body') return { answer, batches, text: await said.text(limit) }
    for await (const batch of said.batches) {
      batches.push(batch)
      if (batch.length > 0 && script.leave) break
      if (batch.length > 0 && script.abort === 'after a frame') abort.abort()
      if (batch.length > 0 && script.switchTabs) globalThis.document?.dispatchEvent(new Event('visibilitychange'))
      if (script.tell) await fetch(`${url}?heard`)
    }
    return { answer, batches }
  } catch (error) {
    return { ...(answer && { answer }), batches, error: describe(error) }
  }
}

function describe(error: unknown): NonNullable<Heard['error']> {
  if (!(error instanceof AgentError)) return { typed: false, message: String(error) }
  const { kind, code, severity, details, message } = error
  return { typed: true, kind, code, severity, message, ...(details && { details }) }
}
