import { AgentError } from '../../../src/base/agent-error.ts'
import type { AgentEvent } from '../../../src/seam/agent-event.ts'
import type { Command, CommandResult } from '../../../src/seam/command.ts'
import type { AgentProtocol, Batch } from '../../../src/seam/protocol.ts'
import type { PromptAnswer } from '../../../src/seam/prompt.ts'
import { promptOf } from '../../support/prompts.ts'
import type { Thread, VirtualTime } from './virtual-time.ts'

/** What the agent wants to be allowed, and what became of it. */
export interface AskedPrompt {
  readonly id: string
  readonly digest: string
  /** The answer it took; absent while it waits, and when it expired. */
  answer: { readonly id: string; readonly answer: PromptAnswer } | undefined
  /** How often it did what it asked for. */
  executions: number
}

/** What the agent said to one request: the truth that every tab shows a prefix of. */
export interface Log {
  readonly question: string
  readonly words: readonly string[]
  /** Words that were said when it was cancelled. */
  length: number
  readonly prompt: AskedPrompt | undefined
}

/** An agent with a log per request: a request that comes again continues in its log. */
export interface VirtualAgent {
  readonly logs: ReadonlyMap<string, Log>
  readonly connections: number
  /** Answers that carried another digest than that of the prompt. */
  readonly forged: number
  /** Whether an answer that is too late learns how its prompt ended. Agents of some protocols cannot report it. */
  readonly reportsEnds: boolean
  /** Whether no page knows what became of some attempt to answer a prompt: its reply was lost, or its page went before. */
  isUnsure(promptId: string): boolean
  protocolOf(thread: Thread): AgentProtocol<string>
  /** Every connection breaks. */
  cut(): void
}

/** A run of the agent: it continues whether anybody listens or not. */
interface AgentRun extends Log {
  readonly events: AgentEvent[]
  readonly listeners: Set<() => void>
  settle(event: AgentEvent): void
}

/** Id of the answers that were given on another device. */
export const OTHER_DEVICE = 'another device'
const WORD_MS = 80
/** How long the agent waits for an answer. */
const WAIT_LIMIT_MS = 9_000

/**
 * @param chance decides what it asks and what becomes of commands, apart from `random`, so that a schedule without either is played
 * as ever. Absent: it asks nothing, and commands arrive at once.
 */
export function createVirtualAgent(
  time: VirtualTime,
  random: () => number,
  chance: (() => number) | undefined,
  reportsEnds: boolean,
): VirtualAgent {
  const logs = new Map<string, AgentRun>()
  /** Attempts to answer whose outcome no page has learned, by prompt. */
  const unsure = new Map<string, number>()
  /** What cuts an open response, and the page that reads it. When a page has gone, its browser closes them. */
  const cuts = new Map<() => void, Thread>()
  let forged = 0

  function obtain(requestId: string, question: string): AgentRun {
    const known = logs.get(requestId)
    if (known !== undefined) return known
    const length = 1 + Math.floor(random() * (random() < 0.1 ? 120 : 20))
    const words = Array.from({ length }, (_, index) => `${question}.${index + 1} `)
    const askedAfter = chance !== undefined && chance() < 0.4 ? Math.floor(chance() * length) : -1
    const prompt: AskedPrompt | undefined =
      askedAfter < 0 ? undefined : { id: `p-${requestId}`, digest: `d-${question}`, answer: undefined, executions: 0 }
    const run: AgentRun = { question, words, length, prompt, events: [], listeners: new Set(), settle: () => {} }
    logs.set(requestId, run)
    let said = 0

    function tell(event: AgentEvent): void {
      run.events.push(event)
      for (const listener of [...run.listeners]) listener()
    }

    function speak(): void {
      if (said >= run.length) return tell({ type: 'stream-closed', streamId: requestId })
      if (said === askedAfter && prompt !== undefined && run.settle === later) return ask(prompt)
      tell({ type: 'text', streamId: requestId, text: words[said] ?? '' })
      said += 1
      time.after(WORD_MS, speak)
    }

    function later(): void {}
    run.settle = later

    function ask({ id, digest }: AskedPrompt): void {
      const asked = promptOf({ id, streamId: requestId, subject: { name: 'send', input: question, digest } })
      tell({ type: 'prompt', prompt: asked })
      let isOpen = true
      run.settle = (event) => {
        if (!isOpen) return
        isOpen = false
        tell(event)
        time.after(WORD_MS, speak)
      }
      // Another device of the same user.
      if (chance !== undefined && chance() < 0.1)
        time.after(chance() * WAIT_LIMIT_MS, () =>
          answer({ type: 'answer', requestId, promptId: id, answerId: OTHER_DEVICE, answer: { type: 'decline' } }),
        )
      time.after(WAIT_LIMIT_MS, () =>
        run.settle({ type: 'prompt-settled', streamId: requestId, promptId: id, state: 'expired' }),
      )
    }

    time.after(WORD_MS, speak)
    return run
  }

  function cancel(requestId: string): CommandResult {
    const run = logs.get(requestId)
    if (run === undefined) return { result: 'unsupported' }
    run.length = Math.min(run.length, run.events.filter(({ type }) => type === 'text').length)
    const { prompt } = run
    if (prompt !== undefined)
      run.settle({ type: 'prompt-settled', streamId: requestId, promptId: prompt.id, state: 'withdrawn' })
    return { result: 'accepted' }
  }

  function answer({ requestId, promptId, answerId, answer: given }: Command & { type: 'answer' }): CommandResult {
    const run = logs.get(requestId)
    const prompt = run?.prompt
    if (run === undefined || prompt?.id !== promptId) return { result: 'too-late' }
    if (prompt.answer?.id === answerId) return { result: 'accepted' }
    const settled = run.events.find((event) => event.type === 'prompt-settled')
    if (settled !== undefined)
      return { result: 'too-late', ...(reportsEnds ? { end: settled.state, answerId: settled.answerId } : {}) }
    if (given.type === 'option' && given.digest !== prompt.digest) forged += 1
    prompt.answer = { id: answerId, answer: given }
    if (given.type === 'option' && given.optionId === 'yes') prompt.executions += 1
    run.settle({
      type: 'prompt-settled',
      streamId: requestId,
      promptId,
      state: given.type === 'decline' ? 'declined' : 'answered',
      answerId,
      answer: given,
    })
    return { result: 'accepted' }
  }

  /** On the way there and back: each is lost now and then, and takes its time. */
  async function act(thread: Thread, command: Command): Promise<CommandResult> {
    const lost = new AgentError({
      kind: 'connection',
      code: 'network_error',
      severity: 'TRANSIENT',
      message: 'The command was lost.',
    })
    const carryOut = (): CommandResult => (command.type === 'answer' ? answer(command) : cancel(command.requestId))
    if (chance === undefined) return carryOut()
    const id = command.type === 'answer' ? command.promptId : ''
    unsure.set(id, (unsure.get(id) ?? 0) + 1)
    const delay = (): number => chance() * (chance() < 0.1 ? 3_000 : 60)
    const comesBack = (): Promise<void> => new Promise((resolve) => thread.post('network', delay(), resolve))
    // What is on the wire arrives, though its page may go.
    await new Promise<void>((resolve) => time.after(delay(), resolve))
    const isLost = chance() < 0.15
    const result = isLost ? undefined : carryOut()
    // The same request arrives twice now and then.
    if (!isLost && command.type === 'answer' && chance() < 0.1) carryOut()
    await comesBack()
    if (result === undefined || chance() < 0.15) throw lost
    unsure.set(id, (unsure.get(id) ?? 0) - 1)
    return result
  }

  async function* open(
    thread: Thread,
    requestId: string,
    question: string,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<Batch> {
    const steps: (Batch | 'end')[] = []
    let wake = (): void => {}
    let lastAt = 0
    let read = after
    const push = (step: Batch | 'end'): void => {
      // Bytes arrive in the order they were sent in.
      lastAt = Math.max(lastAt, time.now + random() * 10)
      thread.post('network', lastAt - time.now, () => {
        steps.push(step)
        wake()
      })
    }
    const cut = (): void => push('end')
    let follow = (): void => {}
    const close = (): void => {
      cuts.delete(cut)
    }
    cuts.set(cut, thread)
    signal.addEventListener('abort', () => {
      close()
      logs.get(requestId)?.listeners.delete(follow)
      wake()
    })
    // On its way to the agent, a request can be lost only before it was sent.
    time.after(random() * 10, () => {
      if (signal.aborted) return
      push({ deliveries: [] })
      const run = obtain(requestId, question)
      follow = () => {
        if (signal.aborted || !thread.isAlive) return
        for (const event of run.events.slice(read)) {
          read += 1
          push({ deliveries: [{ event, cursor: { streamId: requestId, seq: read }, progress: true }] })
        }
      }
      run.listeners.add(follow)
      follow()
    })

    try {
      for (;;) {
        if (signal.aborted)
          throw new AgentError({ kind: 'connection', code: 'network_error', severity: 'TRANSIENT', message: 'aborted' })
        const step = steps.shift()
        if (step === 'end') return
        if (step !== undefined) yield step
        else {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
      }
    } finally {
      close()
      logs.get(requestId)?.listeners.delete(follow)
    }
  }

  return {
    logs,
    reportsEnds,
    get connections() {
      return [...cuts.values()].filter(({ isAlive }) => isAlive).length
    },
    get forged() {
      return forged
    },
    isUnsure: (promptId) => (unsure.get(promptId) ?? 0) > 0,
    protocolOf: (thread) => ({
      name: 'virtual',
      firstSeq: 1,
      open: ({ request, requestId, cursors, signal }) => open(thread, requestId, request, cursors[0]?.seq ?? 0, signal),
      createError: (init) => new AgentError(init),
      act: (command) => act(thread, command),
    }),
    cut() {
      for (const cut of [...cuts.keys()]) cut()
    },
  }
}
