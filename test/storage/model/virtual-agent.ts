import { AgentError } from '../../../src/base/agent-error.ts'
import type { AgentProtocol, Batch } from '../../../src/protocols/protocol.ts'
import type { Thread, VirtualTime } from './virtual-time.ts'

/** What the agent said to one request: the truth that every tab shows a prefix of. */
export interface Log {
  readonly question: string
  readonly words: readonly string[]
  /** Words that were said when it was cancelled. */
  length: number
  readonly startedAt: number
}

/** An agent with a log per request: a request that comes again goes on in its log. */
export interface VirtualAgent {
  readonly logs: ReadonlyMap<string, Log>
  readonly connections: number
  protocolOf(thread: Thread): AgentProtocol<string>
  /** Every connection breaks. */
  cut(): void
}

const WORD_MS = 80

export function createVirtualAgent(time: VirtualTime, random: () => number): VirtualAgent {
  const logs = new Map<string, Log>()
  const cuts = new Set<() => void>()

  function obtain(requestId: string, question: string): Log {
    const known = logs.get(requestId)
    if (known !== undefined) return known
    const length = 1 + Math.floor(random() * (random() < 0.1 ? 120 : 20))
    const log: Log = { question, words: Array.from({ length }, (_, index) => `${question}.${index + 1} `), length, startedAt: time.now }
    logs.set(requestId, log)
    return log
  }

  async function* open(thread: Thread, requestId: string, question: string, after: number, signal: AbortSignal): AsyncGenerator<Batch> {
    const steps: (Batch | 'end')[] = []
    let wake = (): void => {}
    let lastAt = 0
    const push = (step: Batch | 'end'): void => {
      // Bytes arrive in the order they were sent in.
      lastAt = Math.max(lastAt, time.now + random() * 10)
      thread.post('network', lastAt - time.now, () => {
        steps.push(step)
        wake()
      })
    }
    const cut = (): void => push('end')
    cuts.add(cut)
    signal.addEventListener('abort', () => {
      cuts.delete(cut)
      wake()
    })

    const say = (log: Log, seq: number): void => {
      const due = log.startedAt + seq * WORD_MS
      time.after(due - time.now, () => {
        if (signal.aborted || !thread.isAlive) return
        const cursor = { streamId: requestId, seq }
        if (seq > log.length) return push({ deliveries: [{ event: { type: 'stream-closed', streamId: requestId }, cursor, progress: true }] })
        push({ deliveries: [{ event: { type: 'text', streamId: requestId, text: log.words[seq - 1] ?? '' }, cursor, progress: true }] })
        say(log, seq + 1)
      })
    }
    // On its way to the agent, a request can be lost only before it was sent.
    time.after(random() * 10, () => {
      if (signal.aborted) return
      push({ deliveries: [] })
      say(obtain(requestId, question), after + 1)
    })

    try {
      for (;;) {
        if (signal.aborted) throw new AgentError({ kind: 'connection', code: 'network_error', severity: 'TRANSIENT', message: 'aborted' })
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
      cuts.delete(cut)
    }
  }

  return {
    logs,
    get connections() {
      return cuts.size
    },
    protocolOf: (thread) => ({
      name: 'virtual',
      firstSeq: 1,
      open: ({ request, requestId, cursors, signal }) => open(thread, requestId, request, cursors[0]?.seq ?? 0, signal),
      createError: (init) => new AgentError(init),
      async act(command) {
        const log = command.type === 'cancel' ? logs.get(command.requestId) : undefined
        if (log !== undefined) log.length = Math.min(log.length, Math.floor((time.now - log.startedAt) / WORD_MS))
      },
    }),
    cut() {
      for (const cut of cuts) cut()
    },
  }
}
