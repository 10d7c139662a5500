import { afterEach } from 'vitest'
import type { AgentError } from '../../src/base/agent-error.ts'
import type { CapClientOptions } from '../../src/protocols/cap/client/cap-client.ts'
import { CapClient } from '../../src/protocols/cap/client/cap-client.ts'
import { event, onStream, warning } from '../../src/server/run/agent-output.ts'
import type { RetryPolicy } from '../../src/base/backoff.ts'
import { backoff } from '../../src/base/backoff.ts'
import { createChat } from '../../src/state/chat.ts'
import type { ChatInstance } from '../../src/state/chat.ts'
import type { ChatSnapshot } from '../../src/state/chat-snapshot.ts'
import { type ChatMessage, textOf } from '../../src/state/turn.ts'
import type { FaultyServer, FaultyServerOptions } from '../../src/testing/faulty-server.ts'
import { faultyServer } from '../../src/testing/faulty-server.ts'

export const WORDS = ['Flüsse ', 'mäandern, ', 'weil ', 'jede ', 'Böschung ', '🌊 ', 'nachgibt ', '𝄞.']
export const TEXT = WORDS.join('')

/** Waits that a test does not feel. The pauses between attempts are tested in virtual time. */
export const AT_ONCE = backoff({ baseMs: 1, capMs: 1 })

/** The policy, writing down what it was asked. */
export function noting(
  policy: RetryPolicy = AT_ONCE,
): RetryPolicy & { readonly asked: { attempt: number; error: AgentError }[] } {
  const asked: { attempt: number; error: AgentError }[] = []
  return {
    ...policy,
    asked,
    delayMs(attempt, error, random) {
      asked.push({ attempt, error })
      return policy.delayMs(attempt, error, random)
    },
  }
}

/** A chat with a real server, and all that was shown and called back meanwhile. */
export interface Meeting {
  readonly server: FaultyServer
  readonly client: CapClient
  readonly chat: ChatInstance
  readonly snapshots: readonly ChatSnapshot[]
  readonly finished: readonly ChatMessage[]
  readonly warnings: readonly AgentError[]
  readonly errors: readonly AgentError[]
  readonly answer: ChatMessage
  readonly answers: readonly ChatMessage[]
  readonly text: string
}

const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

export async function open(
  faults: FaultyServerOptions['faults'],
  options: Partial<CapClientOptions> = {},
  agent: FaultyServerOptions['agent'] = WORDS,
): Promise<Meeting> {
  const server = await faultyServer({ agent, faults })
  closing.push(() => server.close())
  const client = new CapClient({ baseUrl: server.origin, retry: AT_ONCE, ...options })
  const snapshots: ChatSnapshot[] = []
  const finished: ChatMessage[] = []
  const warnings: AgentError[] = []
  const errors: AgentError[] = []
  const chat = createChat({
    client: () => client,
    conversationId: crypto.randomUUID(),
    callbacks: () => ({
      onFinish: (message) => finished.push(message),
      onWarning: (heard) => warnings.push(heard),
      onError: (error) => errors.push(error),
    }),
  })
  closing.push(() => chat.dispose())
  chat.subscribe(() => snapshots.push(chat.getSnapshot()))
  const meeting: Meeting = {
    server,
    client,
    chat,
    snapshots,
    finished,
    warnings,
    errors,
    get answers() {
      return chat.getSnapshot().messages.filter(({ role }) => role === 'assistant')
    },
    get answer() {
      const [answer] = meeting.answers
      if (answer === undefined) throw new Error('There is no answer.')
      return answer
    },
    get text() {
      return textOf(meeting.answer)
    },
  }
  return meeting
}

/** Opens, asks one question and waits for the end. */
export async function meet(...given: Parameters<typeof open>): Promise<Meeting> {
  const meeting = await open(...given)
  await meeting.chat.sendMessage('Why do rivers meander?')
  return meeting
}

/** An agent that says one of everything. */
export const TALKATIVE = [
  'Flüsse ',
  event('THOUGHT_TRACE', { thought: 'Rivers' }),
  warning('old_index', 'The index is a day old.'),
  'mäandern ',
  event('CITATION_BLOCK', {
    citations: [{ source_id: 'geo-4', uri: 'https://rivers.example', title: 'River bends', confidence: 0.8 }],
  }),
  '🌊.',
] as const

/** Two streams that speak in turns. */
export const TWO_STREAMS = [
  'A1 ',
  onStream('b', 'B1 '),
  'A2 ',
  onStream('b', 'B2 '),
  'A3.',
  onStream('b', 'B3.'),
] as const

export const STREAM_ID = '5b0c7a2e-3d41-4f6b-9a58-0e2f6c1d7b90'

/** One packet as a frame, right or wrong. */
export function frame(packet: Record<string, unknown>): string {
  return `id: ${STREAM_ID}\ndata: ${JSON.stringify({ stream_id: STREAM_ID, t: '2026-03-01T08:15:00Z', ...packet })}\n\n`
}

export const delta = (seq: unknown, p: unknown): string => frame({ seq, op: 'DELTA', p })
export const closeFrame = (seq: number): string => frame({ seq, op: 'CLOSE', p: 'finished' })

/** A server that says exactly this. */
export function saying(body: string | Uint8Array<ArrayBuffer>) {
  return { type: 'page', contentType: 'text/event-stream', body } as const
}
