import { read } from '../../../base/format/shape.ts'
import type { JsonObject } from '../../../base/json-object.ts'
import { onAbort } from '../../../base/on-abort.ts'
import type { Clock } from '../../../base/ports/clock.ts'
import type { A2ATransport } from '../a2a-transport.ts'
import { createA2AError, toA2AError } from '../errors.ts'
import type { A2AAnswers } from './read-answers.ts'
import { ANSWERS } from './read-answers.ts'

// One chunk has all that only the calls of an app need.
export { toMessage } from './message-input.ts'

interface CallOptions {
  readonly signal: AbortSignal | undefined
  readonly clock: Clock
  readonly timeoutMs: number
}

const TIMED_OUT = {
  kind: 'connection',
  code: 'timeout',
  severity: 'TRANSIENT',
  message: 'The agent did not answer in time.',
} as const

/**
 * Makes one call, once, and reads its answer.
 *
 * @throws A2AError `timeout` after `timeoutMs` milliseconds, `invalid_config` when the transport has no such call, and what the agent
 *   answers
 */
export async function callAgent<Name extends keyof A2AAnswers>(
  transport: A2ATransport,
  name: Name,
  params: JsonObject,
  { signal, clock, timeoutMs }: CallOptions,
): Promise<A2AAnswers[Name]> {
  const carry = transport[name]?.bind(transport)
  if (carry === undefined) {
    const message = `The transport has no ${name}.`
    throw createA2AError({ kind: 'protocol', code: 'invalid_config', severity: 'FATAL', message })
  }
  const own = new AbortController()
  let isLate = false
  const release = signal && onAbort(signal, () => own.abort())
  const cancel = clock.after(timeoutMs, () => {
    isLate = true
    own.abort()
  })
  try {
    const answer = await carry(params, { signal: own.signal })
    // The shape of a call's answer gives that answer.
    return read(ANSWERS[name], answer, PATHS[name] ?? 'result') as A2AAnswers[Name]
  } catch (error) {
    throw isLate ? createA2AError({ ...TIMED_OUT, cause: error }) : toA2AError(error)
  } finally {
    cancel()
    release?.()
  }
}

/** What messages about the answer call it. */
const PATHS: { readonly [Name in keyof A2AAnswers]?: string } = { getTask: 'task', cancelTask: 'task' }
