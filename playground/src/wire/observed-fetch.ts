import type { Fetch } from 'capstan'
import { readA2ACall } from './a2a-call.ts'
import type { PageNetwork } from './page-network.ts'
import type { AttemptRecorder, WireRecorder } from './wire-recorder.ts'

export interface ObservedFetchOptions {
  readonly wire: WireRecorder
  readonly page: PageNetwork
  /** Default: the platform's. */
  readonly fetch?: Fetch | undefined
}

/** A fetch that writes down what comes over the wire, byte for byte, and can be made to fail. */
export function observedFetch({
  wire,
  page,
  fetch = (url, init) => globalThis.fetch(url, init),
}: ObservedFetchOptions): Fetch {
  return async (url, init) => {
    if (init.method !== 'POST') {
      assertOnline(page)
      return fetch(url, init)
    }
    const task = readA2ACall(init.body)
    const command = task === undefined ? commandOf(url) : task.streams ? undefined : task.method
    if (command !== undefined)
      return sendCommand(command, wire, async () => {
        assertOnline(page)
        return fetch(url, init)
      })
    const requestId =
      task === undefined
        ? (new Headers(init.headers).get('x-request-id') ?? '')
        : // A task that is followed again belongs to the message before.
          (task.messageId ?? wire.runs().at(-1)?.requestId ?? '')
    const attempt = wire.attempt({ url, requestId, ...(task !== undefined && { protocol: 'A2A' }) })
    const response = await reach(url, init, { page, fetch, attempt })
    attempt.answered(response.status, response.headers.get('content-type') ?? '')
    if (response.body === null) {
      attempt.ended('finished')
      return response
    }
    const { status, statusText, headers } = response
    return new Response(observeBody(response.body, attempt, page, init.signal), { status, statusText, headers })
  }
}

/** Last step of the address of a command for a run; undefined for any other address. */
function commandOf(url: string): string | undefined {
  return /\/runs\/[^/]+\/(cancel|answer|say)$/.exec(url)?.[1]
}

/** A command is not a connection of its run: the log has a note of it, and of what the server said. */
async function sendCommand(command: string, wire: WireRecorder, send: () => Promise<Response>): Promise<Response> {
  wire.note('plain', 'up', `POST ${command}`)
  try {
    const response = await send()
    if (response.ok) wire.note('ok', 'link', `${command}: accepted`)
    else wire.note('bad', 'fatal', `${command}: HTTP ${response.status}`)
    return response
  } catch (cause) {
    wire.note('bad', 'cut', `${command}: no response`)
    throw cause
  }
}

async function reach(
  url: string,
  init: RequestInit,
  { page, fetch, attempt }: { page: PageNetwork; fetch: Fetch; attempt: AttemptRecorder },
): Promise<Response> {
  try {
    assertOnline(page)
    return await fetch(url, init)
  } catch (cause) {
    attempt.ended(init.signal?.aborted ? 'left' : 'unreachable')
    throw cause
  }
}

function assertOnline(page: PageNetwork): void {
  if (page.offline.get()) throw new TypeError('The playground is set to offline.')
}

/** Passes the body on as it comes, one chunk for one, telling the recorder and obeying the page's faults. */
function observeBody(
  body: ReadableStream<Uint8Array>,
  attempt: AttemptRecorder,
  page: PageNetwork,
  signal: AbortSignal | null | undefined,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let connection: ReturnType<PageNetwork['enter']> | undefined

  const end = (how: Parameters<AttemptRecorder['ended']>[0]): void => {
    attempt.ended(how)
    connection?.close()
  }
  const letGo = (): void => void reader.cancel().catch(() => {})

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        connection = page.enter(() => {
          end('dropped')
          controller.error(new TypeError('The connection was dropped by the playground.'))
          letGo()
        })
        // Silence must not outlive a client that has left.
        signal?.addEventListener(
          'abort',
          () => {
            end('left')
            controller.error(signal.reason)
          },
          { once: true },
        )
      },
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          await connection?.speaking()
          if (attempt.hasEnded) return
          if (done) {
            end('finished')
            controller.close()
          } else {
            attempt.bytes(value)
            controller.enqueue(value)
          }
        } catch (cause) {
          if (attempt.hasEnded) return
          end('dropped')
          controller.error(cause)
        }
      },
      cancel() {
        end('left')
        letGo()
      },
    },
    { highWaterMark: 0 },
  )
}
