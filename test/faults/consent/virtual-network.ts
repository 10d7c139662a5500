import type { Fetch } from '../../../src/wire/fetch-transport.ts'
import type { IncomingCall } from '../../../src/server/http/incoming-call.ts'
import { OPENING, type Answer } from '../../../src/server/http/stream-response.ts'
import type { Thread, VirtualTime } from '../../storage/model/virtual-time.ts'
import type { CommandFate } from './consent-schedule.ts'
import { impostorAnswer, isImpostor } from './impostors.ts'
import { createOutages, type Outage } from './outages.ts'
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
  /** Prompts of which a page sent an answer without learning from the agent what became of it. */
  readonly unsure: ReadonlySet<string>
  /** Every connection breaks. */
  cut(): void
  /** Every connection breaks, and what is asked until the end of the outage does not reach the agent. */
  fail(outage: Outage): void
  /** The page of a thread is gone, and its connections with it. */
  leave(page: Thread): void
  heal(): void
  /** Streams that are open. */
  readonly streams: number
}

const CONTROL = /\/runs\/([^/]+)\/(cancel|answer|say)$/
/** Statuses of an agent that has judged an answer. */
const AGENTS_OWN: ReadonlySet<number> = new Set([404, 409, 410, 422])
const ARRIVES: CommandFate = { kind: 'arrives', delayMs: 5 }

/** @param onReply hears at once what a server says of a command, whether or not it reaches anybody */
export function createVirtualNetwork(
  time: VirtualTime,
  random: () => number,
  servers: VirtualServers,
  fates: readonly CommandFate[],
  onReply: (reply: Reply) => void,
): VirtualNetwork {
  const pipes = new Map<Pipe, Thread>()
  const sent: { requestId: string; body: object }[] = []
  /** Answers that pages sent: known are those whose reply came from the agent, and reached the page. */
  const answers: { promptId: string; isKnown: boolean }[] = []
  const outages = createOutages(time)
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
    const instead = outages.instead('command')
    if (instead !== undefined) return diverted(instead)
    if (isImpostor(kind)) return impostorAnswer(kind)
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

  function diverted(how: Outage['how']): Text {
    if (how === 'refused') throw new TypeError('refused')
    return impostorAnswer(how)
  }

  /** Notes an answer that a page sends. Gives what notes the reply that reached the page. */
  function noteSent(match: RegExpExecArray, body: string): (reply: Text) => void {
    const sending = { promptId: '', isKnown: match[2] !== 'answer' }
    if (!sending.isKnown) sending.promptId = String((JSON.parse(body) as Reply['body'])['prompt_id']) // the adapter writes objects
    answers.push(sending)
    return (reply) => {
      sending.isKnown ||= AGENTS_OWN.has(reply.status) || isResult(reply)
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
    pipes.set(pipe, page)
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
    return asResponse({ ok: true, status: 200, headers: new Headers(answer.headers), body: pipe.body, text: notRead })
  }

  async function answerOf(
    page: Thread,
    path: string,
    headers: ReadonlyMap<string, string>,
    body: string,
    signal: AbortSignal,
  ): Promise<Response> {
    const instead = outages.instead('stream')
    if (instead !== undefined) {
      const { status, headers: own, text } = diverted(instead)
      return whole(status, own, text)
    }
    const arrived = await deliver(path, headers, body)
    const { answer } = arrived
    if (answer instanceof Response) return whole(answer.status, answer.headers, await answer.text())
    if (!signal.aborted && page.isAlive) return stream(page, arrived, signal)
    answer.chunks.leave()
    throw new Error('aborted')
  }

  return {
    sent,
    get unsure() {
      return new Set(answers.filter(({ isKnown }) => !isKnown).map(({ promptId }) => promptId))
    },
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
        const match = CONTROL.exec(pathname)
        const gone = (): void => reject(new Error('aborted'))
        signal.addEventListener('abort', gone)
        if (match !== null) {
          const noteReply = noteSent(match, body)
          command(match, pathname, body).then(
            (reply) =>
              back(() => {
                if (!signal.aborted) noteReply(reply)
                resolve(whole(reply.status, reply.headers, reply.text))
              }),
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
      for (const pipe of [...pipes.keys()]) pipe.cut()
    },
    fail(outage) {
      if (isHealed) return
      outages.begin(outage)
      for (const pipe of [...pipes.keys()]) pipe.cut()
    },
    leave(page) {
      for (const [pipe, owner] of [...pipes]) if (owner === page) pipe.leave()
    },
    heal() {
      isHealed = true
      outages.heal()
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

function isResult({ status, text }: Text): boolean {
  return status === 200 && text.includes('"result"')
}

/** As much of a Response as the transports read. */
type Shown = Pick<Response, 'ok' | 'status' | 'headers' | 'body' | 'text'>
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
  const body = { getReader: () => reader, cancel: reader.cancel } as unknown as Response['body'] // all that the transports take
  return asResponse({ ok: status >= 200 && status < 300, status, headers, body, text: async () => text })
}

async function notRead(): Promise<never> {
  throw new Error('A stream is not read as text.')
}
