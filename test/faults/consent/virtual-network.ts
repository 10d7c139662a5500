import type { Fetch } from '../../../src/wire/fetch-answer.ts'
import type { IncomingCall } from '../../../src/server/http/incoming-call.ts'
import { OPENING } from '../../../src/server/http/log-chunks.ts'
import type { Answer } from '../../../src/server/http/stream-response.ts'
import type { Thread, VirtualTime } from '../../storage/model/virtual-time.ts'
import type { CommandFate } from './consent-schedule.ts'
import { createPipe, type Pipe } from './pipe.ts'
import type { ServerProcess, VirtualServers } from './virtual-servers.ts'

/** A command that a server has answered. */
export interface Reply {
  readonly requestId: string
  readonly name: string
  readonly body: Readonly<Record<string, unknown>>
  readonly status: number
}

/** What lies between pages and servers. */
export interface VirtualNetwork {
  fetchOf(page: Thread): Fetch
  /** A request of another device, which nobody waits for. */
  command(requestId: string, name: string, body: object): void
  /** The bodies of answers that were sent so far. */
  readonly sent: readonly { readonly requestId: string; readonly body: object }[]
  /** Every connection breaks. */
  cut(): void
  heal(): void
  /** Streams that are open. */
  readonly streams: number
}

const CONTROL = /\/runs\/([^/]+)\/(cancel|answer|say)$/
const ARRIVES: CommandFate = { kind: 'arrives', delayMs: 5 }

/** @param onReply hears at once what a server says of a command, whether or not it reaches anybody */
export function createVirtualNetwork(
  time: VirtualTime,
  random: () => number,
  servers: VirtualServers,
  fates: readonly CommandFate[],
  onReply: (reply: Reply) => void,
): VirtualNetwork {
  const pipes = new Set<Pipe>()
  const sent: { requestId: string; body: object }[] = []
  let commands = 0
  let isHealed = false

  /** Brings a request to a process. Rejects when there is none, or when it dies before it has answered. */
  function deliver(path: string, headers: ReadonlyMap<string, string>, body: string): Promise<Arrived> {
    return new Promise((resolve, reject) => {
      const process = servers.alive[Math.floor(random() * servers.alive.length)]
      if (process === undefined) return reject(new TypeError('refused'))
      const dies = (): void => reject(new TypeError('reset'))
      process.onDeath.add(dies)
      const left = new AbortController()
      const call: IncomingCall = {
        method: 'POST',
        url: new URL(path, 'https://agent.test'),
        header: (name) => headers.get(name) ?? null,
        headers: () => new Headers([...headers]),
        text: async () => body,
        signal: left.signal,
        leave: (reason) => left.abort(reason),
        request: () => {
          throw new Error('Nobody asks for it.')
        },
      }
      const ask = async (): Promise<void> => {
        const answer = await process.handle(call)
        process.onDeath.delete(dies)
        resolve({ answer, process })
      }
      process.thread.post('network', 0, () => void ask())
    })
  }

  async function toServer(match: RegExpExecArray, path: string, body: string): Promise<Text> {
    const { answer } = await deliver(path, new Map([['content-type', 'application/json']]), body)
    if (!(answer instanceof Response)) throw new Error('A command was answered with a stream.')
    const text = await answer.text()
    const [, requestId = '', name = ''] = match
    onReply({ requestId, name, body: JSON.parse(body) as Reply['body'], status: answer.status }) // it was made of an object
    return { status: answer.status, headers: answer.headers, text }
  }

  function later(ms: number): Promise<void> {
    return new Promise((resolve) => time.after(ms, resolve))
  }

  /** A request on a control endpoint, with what becomes of it. What is on its way arrives, though its page may go. */
  async function command(match: RegExpExecArray, path: string, body: string): Promise<Text> {
    const [, requestId = '', name] = match
    if (name === 'answer') sent.push({ requestId, body: JSON.parse(body) as object }) // it was made of an object
    const { kind, delayMs } = (isHealed ? undefined : fates[commands++]) ?? ARRIVES
    await later(delayMs)
    switch (kind) {
      case 'lost':
        throw new TypeError('reset')
      case 'refused':
        return { status: 503, headers: new Headers({ 'retry-after': '1' }), text: '' }
      case 'answer-lost':
        await toServer(match, path, body)
        throw new TypeError('reset')
      case 'doubled': {
        // The second may come long after the first.
        void later(random() * 3_000)
          .then(() => toServer(match, path, body))
          .catch(() => {})
        return toServer(match, path, body)
      }
      case 'arrives':
        return toServer(match, path, body)
    }
  }

  function stream(page: Thread, { answer, process }: Arrived, signal: AbortSignal): Response {
    if (answer instanceof Response) throw new Error('A stream was expected.')
    const pipe = createPipe(time, page, random)
    const { chunks } = answer
    const end = (): void => {
      pipes.delete(pipe)
      process.onDeath.delete(breaks)
    }
    const breaks = (): void => {
      end()
      chunks.leave()
      pipe.fail()
    }
    pipe.onLeave = () => {
      end()
      chunks.leave()
    }
    pipe.cut = breaks
    pipes.add(pipe)
    process.onDeath.add(breaks)
    signal.addEventListener('abort', () => pipe.leave())
    const pump = async (): Promise<void> => {
      pipe.push(OPENING)
      try {
        for (let bytes = await chunks.next(); bytes !== undefined; bytes = await chunks.next()) pipe.push(bytes)
        end()
        pipe.finish()
      } catch {
        breaks()
      }
    }
    void pump()
    return asResponse({ ok: true, status: 200, headers: new Headers(answer.headers), body: pipe.body })
  }

  async function answerOf(
    page: Thread,
    path: string,
    headers: ReadonlyMap<string, string>,
    body: string,
    signal: AbortSignal,
  ): Promise<Response> {
    const arrived = await deliver(path, headers, body)
    const { answer } = arrived
    if (answer instanceof Response) return whole(answer.status, answer.headers, await answer.text())
    if (!signal.aborted && page.isAlive) return stream(page, arrived, signal)
    answer.chunks.leave()
    throw new Error('aborted')
  }

  return {
    sent,
    get streams() {
      return pipes.size
    },
    fetchOf: (page) => (url, init) =>
      new Promise((resolve, reject) => {
        const { signal } = init as { readonly signal: AbortSignal } // the transport always passes one
        const body = init.body as string // the adapter sends JSON text
        const { pathname } = new URL(url)
        const headers = new Map(Object.entries(init.headers as Record<string, string>)) // the transport gives a plain object
        const back = (act: () => void): void => void page.post('network', random() * 10, act)
        const gone = (): void => reject(new Error('aborted'))
        signal.addEventListener('abort', gone)
        const match = CONTROL.exec(pathname)
        if (match !== null) {
          command(match, pathname, body).then(
            ({ status, headers: all, text }) => back(() => resolve(whole(status, all, text))),
            (error: Error) => back(() => reject(error)),
          )
          return
        }
        time.after(random() * 10, () => {
          // A page that has gone, or has given up, may or may not have sent it.
          if (signal.aborted || !page.isAlive) return
          answerOf(page, pathname, headers, body, signal).then(
            (response) => back(() => resolve(response)),
            (error: Error) => back(() => reject(error)),
          )
        })
      }),
    command(requestId, name, body) {
      const path = `/v1/runs/${requestId}/${name}`
      const match = CONTROL.exec(path)
      if (match !== null) void command(match, path, JSON.stringify(body)).catch(() => {})
    },
    cut() {
      for (const pipe of [...pipes]) pipe.cut()
    },
    heal() {
      isHealed = true
    },
  }
}

interface Arrived {
  readonly answer: Answer
  readonly process: ServerProcess
}

interface Text {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** As much of a Response as the transport reads. */
type Shown = Pick<Response, 'ok' | 'status' | 'headers' | 'body'>
const asResponse = (answer: Shown): Response => answer as Response // all that toAnswer() asks for is there

function whole(status: number, headers: Headers, text: string): Response {
  let isRead = false
  const reader = {
    async read() {
      const value = isRead ? undefined : new TextEncoder().encode(text)
      isRead = true
      return { done: value === undefined, value }
    },
    cancel: async () => {},
  }
  const body = { getReader: () => reader } as unknown as Response['body'] // the transport takes a reader and nothing else
  return asResponse({ ok: status >= 200 && status < 300, status, headers, body })
}
