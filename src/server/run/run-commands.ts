import { AgentError, isAgentError } from '../../base/agent-error.ts'
import type { Said, SettledPrompt } from '../../protocols/cap/presentation/prompt-schema.ts'
import type { CommandHandler, RunCommand, RunEndReason, RunReply } from '../event-log/event-log.ts'
import type { OpenInbox } from './agent.ts'
import type { RunStop } from './run-stop.ts'
import type { RunWriter } from './run-writer.ts'
import { abortReason } from '../../base/on-abort.ts'
import { systemDigest } from '../../base/digest.ts'
import type { Clock } from '../../base/ports/clock.ts'
import { writeAnswer } from '../../protocols/cap/presentation/prompt-answer.ts'
import type { PromptAnswer, PromptEnd } from '../../seam/prompt.ts'
import type { EventOutput } from './agent-output.ts'
import { appError } from './app-error.ts'
import type { AnyAsk, AnyResult, Ask } from './ask.ts'
import { checkAnswer, preparePrompt, type PreparedPrompt } from './prompt-data.ts'

/** How a run ended; undefined when its log could not be completed. */
export type AgentRunEnd = Extract<RunEndReason, 'finished' | 'cancelled' | 'failed' | 'unconfirmed'> | undefined

export interface RunCommandsOptions {
  readonly writer: Pick<RunWriter, 'note'>
  readonly stop: RunStop
  readonly prompts: RunPrompts
  readonly inbox: OpenInbox
  /** Resolves when the log is closed. Never rejects. */
  readonly ended: Promise<AgentRunEnd>
}

/** Carries out the commands of the user for one run, each id once. */
export function createRunCommands({ writer, stop, prompts, inbox, ended }: RunCommandsOptions): CommandHandler {
  const said = new Map<string, Promise<RunReply>>()

  const endReply = async (): Promise<RunReply> => {
    const how = await ended
    return how === undefined ? { result: 'unavailable' } : { result: 'over', ended: how }
  }

  const cancel = async (): Promise<RunReply> => {
    stop.abort(runCancelled())
    return (await ended) === 'cancelled' ? { result: 'accepted' } : endReply()
  }

  const write = async (messageId: string, text: string): Promise<RunReply> => {
    if (prompts.has(messageId)) return { result: 'invalid', errors: [{ path: '/message_id', message: 'Is in use.' }] }
    if (stop.aborted) return endReply()
    try {
      const data: Said = { text, message_id: messageId }
      const written = writer.note({ kind: 'event', type: 'SAID', data, id: messageId })
      if (written === undefined) return await endReply()
      await written
    } catch (error) {
      const tooLarge = isAgentError(error) && error.code === 'response_too_large'
      return { result: tooLarge ? 'too-large' : 'unavailable' }
    }
    inbox.add({ messageId, text })
    return { result: 'accepted' }
  }

  const say = async ({ messageId, text }: Extract<RunCommand, { name: 'say' }>): Promise<RunReply> => {
    const known = said.get(messageId)
    if (known !== undefined) return known
    const written = write(messageId, text)
    said.set(messageId, written)
    const reply = await written
    // A command that was not logged may be repeated.
    if (reply.result !== 'accepted') said.delete(messageId)
    return reply
  }

  return async (command) => {
    switch (command.name) {
      case 'cancel':
        return cancel()
      case 'answer':
        return prompts.answer(command)
      case 'say':
        return say(command)
    }
  }
}

const CANCELLED = 'cancelled'

/** Why a run was aborted that the user has cancelled. */
function runCancelled(): AgentError {
  return new AgentError({
    kind: 'runtime',
    code: 'agent_error',
    severity: 'FATAL',
    agentCode: CANCELLED,
    message: 'The user cancelled this run.',
  })
}

/** Whether it is the reason of a run that the user has cancelled. */
export function isRunCancelled(reason: unknown): boolean {
  return isAgentError(reason) && reason.agentCode === CANCELLED
}

interface RunPromptsOptions {
  readonly writer: Pick<RunWriter, 'note'>
  readonly stop: RunStop
  readonly clock: Clock
  readonly uuid: () => string
  /** What a validator of the app threw. */
  onError(error: unknown): void
}

/** The prompts of one run, in the process that runs its agent. */
interface RunPrompts {
  readonly ask: Ask
  answer(command: Extract<RunCommand, { name: 'answer' }>): Promise<RunReply>
  /** Whether there is a prompt of this id. */
  has(id: string): boolean
  /** Withdraws what is still open on a stream that is about to end, and gives the events that say so. */
  withdraw(stream: string): readonly EventOutput[]
}

/** A prompt that was asked. Only `end` leaves the state `open`, and it is called once. */
interface LivePrompt extends PreparedPrompt {
  readonly id: string
  /** Name of its stream. */
  readonly stream: string
  /** Monotonic milliseconds. */
  readonly deadline: number
  /** Answers that are being checked, and the one that was taken. */
  readonly answers: Map<string, Promise<RunReply>>
  state: PromptEnd | 'open'
  answerId: string | undefined
  /** Resolves when the log has the latest of it. */
  logged: Promise<void>
  cancelTimer(): void
  resolve(result: AnyResult): void
  reject(error: Error): void
}

const MAIN = ''

/** Platform timers with a longer delay fire immediately. */
const LONGEST_TIMER_MS = 2_147_483_647

export function createRunPrompts({ writer, stop, clock, uuid, onError }: RunPromptsOptions): RunPrompts {
  const prompts = new Map<string, LivePrompt>()
  /** Settles when every prompt that was asked so far is prepared, or cannot be. */
  let earlier: Promise<unknown> = Promise.resolve()

  /** A digest takes as long as it takes: prompts are logged in the order in which they were asked all the same. */
  const inOrder = <Value>(preparing: Promise<Value>): Promise<Value> => {
    const both = Promise.all([preparing, earlier])
    earlier = Promise.allSettled([preparing, earlier])
    return both.then(([prepared]) => prepared)
  }

  /** The one way out of `open`. Gives what is to be logged. */
  const end = (
    prompt: LivePrompt,
    state: PromptEnd,
    answered?: { readonly id?: string; readonly answer: PromptAnswer },
  ): EventOutput => {
    prompt.state = state
    prompt.answerId = answered?.id
    prompt.cancelTimer()
    return settledEvent(prompt, state, answered)
  }

  const log = (prompt: LivePrompt, event: EventOutput, mustFit: boolean): Promise<void> => {
    prompt.logged = writer.note(event, { mustFit }) ?? Promise.reject(over())
    // The waiting caller gets the error; a lost log stops the run.
    prompt.logged.catch(() => {})
    return prompt.logged
  }

  const expire = (prompt: LivePrompt): void => {
    const { byDefault } = prompt
    const logged = log(prompt, end(prompt, 'expired', byDefault && { answer: byDefault.answer }), true)
    logged.then(
      () => prompt.resolve(byDefault?.result ?? { type: 'expired' }),
      () => {},
    )
  }

  /** Timers may be late: reading a prompt checks its expiry too. */
  const look = (prompt: LivePrompt): void => {
    if (prompt.state === 'open' && prompt.deadline <= clock.now()) expire(prompt)
  }

  const expireLater = (prompt: LivePrompt): void => {
    if (prompt.deadline === Infinity || prompt.state !== 'open') return
    const cancel = clock.after(Math.min(Math.max(0, prompt.deadline - clock.now()), LONGEST_TIMER_MS), () => {
      look(prompt)
      expireLater(prompt)
    })
    prompt.cancelTimer = cancel
  }

  const settledReply = async (prompt: LivePrompt, answerId: string): Promise<RunReply> => {
    await prompt.logged
    if (prompt.state === 'open') return { result: 'unavailable' }
    if (prompt.answerId === answerId) return { result: 'accepted' }
    return { result: 'settled', state: prompt.state, answerId: prompt.answerId }
  }

  const take = async (prompt: LivePrompt, answerId: string, answer: PromptAnswer): Promise<RunReply> => {
    look(prompt)
    if (prompt.state !== 'open') return settledReply(prompt, answerId)
    const checked = await checkAnswer(prompt.asked, answer)
    look(prompt)
    // Another answer, or the end of the run, may have been faster.
    if (prompt.state !== 'open') return settledReply(prompt, answerId)
    if ('errors' in checked) return { result: 'invalid', errors: checked.errors }
    if (stop.aborted) return { result: 'unavailable' }
    await log(prompt, end(prompt, checked.state, { id: answerId, answer: checked.answer }), true)
    prompt.resolve(checked.result)
    return { result: 'accepted' }
  }

  const begin = async (asked: AnyAsk): Promise<AnyResult> => {
    if (stop.aborted) throw abortReason(stop, 'The run was aborted.')
    const { expiresInMs, stream = MAIN } = asked
    if (expiresInMs !== undefined && !(expiresInMs > 0 && expiresInMs < Infinity))
      throw appError(
        `run.ask was given expiresInMs ${String(expiresInMs)}. Give milliseconds above 0, or leave it out.`,
      )
    const expiresAt = expiresInMs === undefined ? undefined : clock.date() + expiresInMs
    const deadline = expiresInMs === undefined ? Infinity : clock.now() + expiresInMs
    const prepared = await inOrder(preparePrompt(asked, expiresAt, systemDigest))
    if (stop.aborted) throw abortReason(stop, 'The run was aborted.')
    const result = unsettled<AnyResult>()
    const prompt: LivePrompt = {
      ...prepared,
      id: uuid(),
      stream,
      deadline,
      answers: new Map(),
      state: 'open',
      answerId: undefined,
      logged: Promise.resolve(),
      cancelTimer: () => {},
      resolve: result.resolve,
      reject: result.reject,
    }
    const event = { kind: 'event', type: 'PROMPT', data: prepared.data, id: prompt.id, stream } as const
    const logged = log(prompt, event, false)
    prompts.set(prompt.id, prompt)
    expireLater(prompt)
    const release = stop.onStop(result.reject)
    try {
      await logged
      return await result.promise
    } finally {
      release()
    }
  }

  const ask = (asked: AnyAsk): Promise<AnyResult> => {
    const answered = begin(asked)
    // An agent that does not wait for it must not end the process when the prompt is withdrawn.
    answered.catch(() => {})
    return answered
  }

  return {
    // Each kind of prompt ends in the results of its kind: `checkAnswer` sees to that.
    ask: ask as Ask,
    async answer({ promptId, answerId, answer }) {
      const prompt = prompts.get(promptId)
      if (prompt === undefined) return { result: 'unknown-prompt' }
      const known = prompt.answers.get(answerId)
      if (known !== undefined) return known
      const taken = take(prompt, answerId, answer).catch((error: unknown): RunReply => {
        if (stop.aborted) return { result: 'unavailable' }
        onError(error)
        return { result: 'failed' }
      })
      prompt.answers.set(answerId, taken)
      const reply = await taken
      // The same id may be given to a better answer.
      if (reply.result !== 'accepted') prompt.answers.delete(answerId)
      return reply
    },
    has: (id) => prompts.has(id),
    withdraw(stream) {
      const open = [...prompts.values()].filter((prompt) => prompt.state === 'open' && prompt.stream === stream)
      return open.map((prompt) => {
        prompt.reject(withdrawn())
        return end(prompt, 'withdrawn')
      })
    },
  }
}

interface Unsettled<Value> {
  readonly promise: Promise<Value>
  resolve(value: Value): void
  reject(error: Error): void
}

function unsettled<Value>(): Unsettled<Value> {
  let settle: Pick<Unsettled<Value>, 'resolve' | 'reject'> = { resolve: () => {}, reject: () => {} }
  const promise = new Promise<Value>((resolve, reject) => {
    settle = { resolve, reject }
  })
  // It may end before anybody waits for it.
  promise.catch(() => {})
  return { promise, ...settle }
}

function settledEvent(
  { id, stream, asked, data }: LivePrompt,
  state: PromptEnd,
  answered: { readonly id?: string; readonly answer: PromptAnswer } | undefined,
): EventOutput {
  const settled: SettledPrompt = {
    state,
    kind: asked.kind,
    message: data.message,
    answer_id: answered?.id,
    // What `writeAnswer` writes is what the schema reads.
    answer: answered && (writeAnswer(answered.answer) as SettledPrompt['answer']),
  }
  return { kind: 'event', type: 'PROMPT', data: settled, id, stream }
}

function over(): Error {
  return appError('run.ask was called on a stream that is closed, or after the run had ended.')
}

function withdrawn(): Error {
  return appError('The stream of this prompt was closed before it was answered, so it was withdrawn.')
}
