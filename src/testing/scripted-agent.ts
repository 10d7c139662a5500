import type { Clock } from '../base/clock.ts'
import { systemClock } from '../base/clock.ts'
import type { Agent } from '../server/run/agent.ts'
import type { AgentOutput } from '../server/run/agent-output.ts'
import { createFaultyAgent } from './faulty-agent.ts'
import type { AttemptFault, SeenAttempt } from './faulty-agent.ts'
import type { LineFault } from './line-fault.ts'
import { bodyOf } from './steps-body.ts'

/** Something a script says about the line and not about the answer. Made by the functions below. */
export type ScriptMark =
  | { readonly kind: 'line'; readonly fault: 'reset' | 'end' | 'silence' }
  | { readonly kind: 'attempt'; readonly fault: AttemptFault }
  | { readonly kind: 'pause'; readonly ms: number }

/** Words, anything else an agent can say (see `event`, `warning`, `transient`, `fatal` of `capstan/server`), and marks. */
export type Script = readonly (AgentOutput | ScriptMark)[]

/** The connection breaks here; with `end` it ends cleanly, as if all had been said. The next attempt goes past it. */
export function cut(how: 'reset' | 'end' = 'reset'): ScriptMark {
  return { kind: 'line', fault: how }
}

/** The connection says nothing more here and stays open. The next attempt goes past it. */
export function silence(): ScriptMark {
  return { kind: 'line', fault: 'silence' }
}

/** One attempt finds nobody. */
export function refuse(): ScriptMark {
  return { kind: 'attempt', fault: { type: 'refuse' } }
}

/** One attempt is answered with an HTTP status. */
export function status(code: number, options: { readonly retryAfterSeconds?: number; readonly body?: string; readonly contentType?: string } = {}): ScriptMark {
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
  /** How often an agent was really started: retries start none. */
  readonly runs: number
  /** All text of the last answer, whatever the line did to it. */
  readonly text: string
}

export interface ScriptedAgentOptions {
  /** Default: the machine's. With `manualClock()` nothing waits. */
  readonly clock?: Clock | undefined
}

/**
 * An agent in memory that says what a script says, over a line that breaks where the script says so. The whole stack
 * runs for real: the request is checked, packets are numbered, cut, replayed and parsed. Each question hears the
 * script from the start. Marks of one attempt (`refuse`, `status`, `restart`) and of the line (`cut`, `silence`)
 * are met one per attempt, in the order of the script.
 *
 * ```ts
 * const agent = scriptedAgent(['Rivers ', cut(), 'meander.'])
 * const client = new CapClient({ baseUrl: 'https://agent.test', fetch: agent.fetch, environment: { random: () => 0 } })
 * let text = ''
 * for await (const piece of client.chat('Why?')) text += piece
 * // text === 'Rivers meander.', agent.attempts.length === 2, agent.runs === 1
 * ```
 *
 * @param script what to say; a function is asked once per question, with its text and its number (0 is the first)
 */
export function scriptedAgent(script: Script | ((question: string, ordinal: number) => Script), options: ScriptedAgentOptions = {}): ScriptedAgent {
  const { clock = systemClock } = options
  const scripts = new Map<string, { readonly script: Script; readonly faults: (AttemptFault | LineFault)[] }>()

  const begin = (requestId: string, body: string): { readonly script: Script; readonly faults: (AttemptFault | LineFault)[] } => {
    const known = scripts.get(requestId)
    if (known !== undefined) return known
    const own = typeof script === 'function' ? script(questionOf(body), scripts.size) : script
    const begun = { script: own, faults: faultsOf(own) }
    scripts.set(requestId, begun)
    return begun
  }

  const agent: Agent = async function* (request, run) {
    for (const step of begin(request.request_id, '').script) {
      if (typeof step === 'string' || !isMark(step)) yield step
      else if (step.kind === 'pause') await run.sleep(step.ms)
    }
  }
  const faulty = createFaultyAgent({ agent, clock })

  return {
    async fetch(url, init) {
      const http = new Request(url, init)
      http.signal.throwIfAborted()
      const body = await http.text()
      const fault = http.method === 'POST' ? begin(http.headers.get('x-request-id') ?? '', body).faults.shift() : undefined
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
    get runs() {
      return faulty.runs
    },
    get text() {
      return faulty.text
    },
  }
}

function isMark(step: Exclude<Script[number], string>): step is ScriptMark {
  return step.kind === 'line' || step.kind === 'attempt' || step.kind === 'pause'
}

/** What goes wrong, one attempt after the other, with places counted in the packets the script makes. */
function faultsOf(script: Script): (AttemptFault | LineFault)[] {
  const faults: (AttemptFault | LineFault)[] = []
  let after = 0
  for (const step of script) {
    if (typeof step === 'string') after += step === '' ? 0 : 1
    else if (!isMark(step)) {
      // FATAL is followed by the CLOSE of its stream.
      if (step.kind === 'error') after += step.error.severity === 'FATAL' ? 2 : 1
      else if (step.kind !== 'text' || step.text !== '') after += 1
    } else if (step.kind === 'attempt') faults.push(step.fault)
    else if (step.kind === 'line') faults.push(step.fault === 'silence' ? { type: 'silence', after } : { type: 'cut', after, how: step.fault })
  }
  return faults
}

function questionOf(body: string): string {
  try {
    // Any JSON may come; whatever is no question is none.
    const request = JSON.parse(body) as { readonly payload?: { readonly payload?: { readonly query?: unknown } } }
    const query = request.payload?.payload?.query
    return typeof query === 'string' ? query : ''
  } catch {
    return ''
  }
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('The request was aborted.'))
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}
