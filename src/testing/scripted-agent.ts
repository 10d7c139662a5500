import { type Clock, systemClock } from '../base/ports/clock.ts'
import type { Agent, AgentRun } from '../server/run/agent.ts'
import type { AgentOutput } from '../server/run/agent-output.ts'
import { appError } from '../server/run/app-error.ts'
import { type CommandFaults, type SeenCommand, seenCommand } from './command-fault.ts'
import { createFaultyAgent } from './faulty-agent.ts'
import type { AttemptFault, SeenAttempt } from './faulty-answer.ts'
import type { ConnectionFault, ConnectionStep } from './connection-fault.ts'
import { noop } from '../base/noop.ts'

/** Something a script says about the connection and not about the answer. Made by the functions below. */
export type ScriptMark =
  | { readonly kind: 'connection'; readonly fault: 'reset' | 'end' | 'silence' }
  | { readonly kind: 'attempt'; readonly fault: AttemptFault }
  | { readonly kind: 'pause'; readonly ms: number }

/** What a step of a script says: nothing, one thing, several, or things as they come. */
export type ScriptedOutput = void | AgentOutput | readonly AgentOutput[] | AsyncIterable<AgentOutput>

/**
 * A step that is made while the run continues: it is given the run, so that it can ask the user (`run.ask`), receive messages (`run.inbox`) and
 * learn of a cancel (`run.signal`). What it throws fails the run, as in any agent.
 */
export type ScriptStep = (run: AgentRun) => ScriptedOutput | Promise<ScriptedOutput>

/**
 * Text, anything else an agent can say (see `event`, `warning`, `transient`, `fatal` of `capstan/server`), steps and marks. `cut` and
 * `silence` are before the first step: how much a step says is not known before.
 */
export type Script = readonly (AgentOutput | ScriptMark | ScriptStep)[]

/** The connection breaks here; with `end` it ends cleanly, as if the answer were complete. The next attempt goes past it. */
export function cut(how: 'reset' | 'end' = 'reset'): ScriptMark {
  return { kind: 'connection', fault: how }
}

/** The connection says nothing more here and stays open. The next attempt goes past it. */
export function silence(): ScriptMark {
  return { kind: 'connection', fault: 'silence' }
}

/** One attempt is refused. */
export function refuse(): ScriptMark {
  return { kind: 'attempt', fault: { type: 'refuse' } }
}

/** One attempt is answered with an HTTP status. */
export function status(
  code: number,
  options: {
    /** Seconds of the `Retry-After` header. Absent: no `Retry-After` header. */
    readonly retryAfterSeconds?: number
    /** The body of the answer. @default '' */
    readonly body?: string
    /** Media type of the answer. @default 'text/plain' */
    readonly contentType?: string
  } = {},
): ScriptMark {
  const { retryAfterSeconds, body, contentType } = options
  return {
    kind: 'attempt',
    fault: {
      type: 'status',
      status: code,
      ...(retryAfterSeconds !== undefined && { retryAfter: retryAfterSeconds }),
      ...(body !== undefined && { body }),
      ...(contentType !== undefined && { headers: { 'content-type': contentType } }),
    },
  }
}

/** The server has lost its record: one attempt begins the answer again under a new stream id. */
export function restart(): ScriptMark {
  return { kind: 'attempt', fault: { type: 'lose-log' } }
}

/** The agent thinks for a while, on the clock of the options. */
export function pause(ms: number): ScriptMark {
  return { kind: 'pause', ms }
}

export interface ScriptedAgent {
  /** In place of the network: `new CapClient({ baseUrl: 'https://agent.test', fetch: agent.fetch })`. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Every attempt, in order. */
  readonly attempts: readonly SeenAttempt[]
  /** Every request on a control endpoint, in order: cancels, answers and messages. They are not attempts. */
  readonly commands: readonly SeenCommand[]
  /** How often an agent was really started: retries start none. */
  readonly runs: number
  /** All text of the last answer, whatever the connection did to it. */
  readonly text: string
}

export interface ScriptedAgentOptions {
  /** The clock of its pauses. With `manualClock()` nothing waits. @default the platform's */
  readonly clock?: Clock | undefined
  /** What goes wrong with requests on control endpoints. @default [] */
  readonly commandFaults?: CommandFaults | undefined
  /** Whether runs take commands. With `false` the server has no control endpoints. @default true */
  readonly control?: boolean | undefined
}

/**
 * An agent in memory that says what a script says, over a connection that breaks where the script says so. The whole stack
 * runs for real: the request is checked, packets are numbered, cut, replayed and parsed. Each question gets the
 * script from the start. Marks of one attempt (`refuse`, `status`, `restart`) and of the connection (`cut`, `silence`)
 * are met one per attempt, in the order of the script.
 *
 * @param script what to say; a function is asked once per question, with its text and its number (0 is the first)
 * @throws AgentError `app_error`, at the first attempt, for a script with `cut` or `silence` behind a step
 *
 * @example
 * ```ts
 * import { CapClient } from 'capstan'
 * import { cut, scriptedAgent } from 'capstan/testing'
 *
 * const agent = scriptedAgent(['Rivers ', cut(), 'meander.'])
 * const client = new CapClient({ baseUrl: 'https://agent.test', fetch: agent.fetch, environment: { random: () => 0 } })
 * let text = ''
 * for await (const piece of client.chat('Why?')) text += piece
 * console.log(text, agent.attempts.length, agent.runs) // Rivers meander. 2 1
 * ```
 */
export function scriptedAgent(
  script: Script | ((question: string, ordinal: number) => Script),
  options: ScriptedAgentOptions = {},
): ScriptedAgent {
  const { clock = systemClock } = options
  const scripts = new Map<string, { readonly script: Script; readonly faults: (AttemptFault | ConnectionFault)[] }>()

  const begin = (
    requestId: string,
    body: string,
  ): { readonly script: Script; readonly faults: (AttemptFault | ConnectionFault)[] } => {
    const known = scripts.get(requestId)
    if (known !== undefined) return known
    const own = typeof script === 'function' ? script(questionOf(body), scripts.size) : script
    const begun = { script: own, faults: faultsOf(own) }
    scripts.set(requestId, begun)
    return begun
  }

  const agent: Agent = async function* (request, run) {
    for (const step of begin(request.request_id, '').script) {
      if (typeof step === 'function') yield* outputsOf(await step(run))
      else if (typeof step === 'string' || !isMark(step)) yield step
      else if (step.kind === 'pause') await run.sleep(step.ms)
    }
  }
  const { commandFaults, control } = options
  const faulty = createFaultyAgent({ agent, clock, commandFaults, control })

  return {
    async fetch(url, init) {
      const http = new Request(url, init)
      http.signal.throwIfAborted()
      const body = await http.text()
      const isQuestion = http.method === 'POST' && seenCommand(http, body, 0) === undefined
      const fault = isQuestion ? begin(http.headers.get('x-request-id') ?? '', body).faults.shift() : undefined
      const outcome = await faulty.take(http, body, fault)
      if (outcome.type === 'hang') await untilAborted(http.signal)
      if (outcome.type !== 'answer') throw new TypeError('The scripted connection failed.')
      const { head, steps } = outcome
      if (head.body === null) return head
      return new Response(bodyOf(steps, clock, http.signal), { status: head.status, headers: head.headers })
    },
    get attempts() {
      return faulty.attempts
    },
    commands: faulty.commands,
    get runs() {
      return faulty.runs
    },
    get text() {
      return faulty.text
    },
  }
}

async function* outputsOf(said: ScriptedOutput): AsyncGenerator<AgentOutput> {
  if (said === undefined) return
  if (typeof said === 'string') yield said
  else if (Symbol.asyncIterator in said || Symbol.iterator in said) yield* said
  else yield said
}

function isMark(step: Exclude<Script[number], string | ScriptStep>): step is ScriptMark {
  return step.kind === 'connection' || step.kind === 'attempt' || step.kind === 'pause'
}

/** What goes wrong, one attempt after the other, with places counted in the packets the script makes. */
function faultsOf(script: Script): (AttemptFault | ConnectionFault)[] {
  const faults: (AttemptFault | ConnectionFault)[] = []
  let after = 0
  let hasStep = false
  for (const step of script) {
    if (typeof step === 'function') hasStep = true
    else if (typeof step === 'string') after += step === '' ? 0 : 1
    else if (!isMark(step)) {
      // FATAL is followed by the CLOSE of its stream.
      if (step.kind === 'error') after += step.error.severity === 'FATAL' ? 2 : 1
      else if (step.kind !== 'text' || step.text !== '') after += 1
    } else if (step.kind === 'attempt') faults.push(step.fault)
    else if (step.kind === 'connection') {
      if (hasStep)
        throw appError(
          'A script has cut() or silence() behind a function. Put it before: how much a function says is not known before.',
        )
      faults.push(step.fault === 'silence' ? { type: 'silence', after } : { type: 'cut', after, how: step.fault })
    }
  }
  return faults
}

function questionOf(body: string): string {
  try {
    // Any JSON may come; whatever is not a question is none.
    const request = JSON.parse(body) as { readonly payload?: { readonly payload?: { readonly query?: unknown } } }
    const query = request.payload?.payload?.query
    return typeof query === 'string' ? query : ''
  } catch {
    return ''
  }
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = (): void =>
      reject(signal.reason instanceof Error ? signal.reason : new Error('The request was aborted.'))
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}

/** The body of a response that goes the steps of a connection. It breaks off when the request is aborted, as over a network. */
function bodyOf(
  steps: AsyncGenerator<ConnectionStep, void, void>,
  clock: Clock,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  let cancelWait = noop
  let leave = noop

  const left = (): void => {
    cancelWait()
    signal.removeEventListener('abort', leave)
    // Not awaited: a step that waits for the agent ends when the agent does.
    steps.return().catch(noop)
  }

  return new ReadableStream<Uint8Array>({
    start(controller) {
      leave = () => {
        left()
        controller.error(signal.reason)
      }
      if (signal.aborted) leave()
      else signal.addEventListener('abort', leave, { once: true })
    },
    async pull(controller) {
      const next = await steps.next()
      if (signal.aborted) return
      const step: ConnectionStep = next.done === true ? { type: 'end' } : next.value
      switch (step.type) {
        case 'send':
          if (step.bytes.byteLength > 0) return controller.enqueue(step.bytes)
          return
        case 'wait':
          return new Promise((resolve) => {
            cancelWait = clock.after(step.ms, resolve)
          })
        case 'hang':
          // Nothing is ever pulled again: only an abort ends it.
          return new Promise(noop)
        case 'end':
          left()
          return controller.close()
        case 'reset':
          left()
          return controller.error(new TypeError('The scripted connection broke.'))
      }
    },
    cancel: left,
  })
}
