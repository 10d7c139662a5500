import { backoff } from '../../../../src/base/backoff.ts'
import { A2AClient } from '../../../../src/protocols/a2a/client/a2a-client.ts'
import type { AgentError } from '../../../../src/base/agent-error.ts'
import { createChat } from '../../../../src/state/chat.ts'
import type { ServerFault } from '../../../../src/testing/faulty-server.ts'
import { chaosProxy } from '../../../support/a2a/chaos-proxy.ts'
import type { SdkAgent } from '../../../support/a2a/sdk-agent.ts'
import { serveSdkAgent, wordsOf } from '../../../support/a2a/sdk-agent.ts'

/** Pieces of each answer. */
export const CHUNKS = 30

/** What breaks each stream of a run; `after` is a place that differs from run to run. */
export type Mode = (after: number) => readonly (ServerFault | undefined)[] | (() => ServerFault | undefined)

/** Every way in which a stream breaks, or is only written in another way. */
export const MODES: Readonly<Record<string, Mode>> = {
  reset: (after) => [{ type: 'cut', after }],
  'clean end': (after) => [{ type: 'cut', after, how: 'end' }],
  'cut within an event': (after) => [{ type: 'cut', after, into: 60 }],
  stall: (after) => [{ type: 'silence', after }],
  CRLF: () => () => ({ type: 'none', newline: 'crlf' }),
  CR: () => () => ({ type: 'none', newline: 'cr' }),
  'one byte a write': () => () => ({ type: 'none', pieces: 1 }),
  BOM: () => () => ({ type: 'none', bom: true }),
  'every stream cut after some events': (after) => () => ({ type: 'cut', after: 3 + (after % 5) }),
  'every stream cut after its snapshot': () => () => ({ type: 'cut', after: 1 }),
}

export interface ChaosOptions {
  readonly runs: number
  /** Before every load and save of the store of tasks. */
  readonly storeMs: number
  /** Consecutive attempts without anything new. @default 100, so that how busy a machine is decides nothing */
  readonly maxAttempts?: number
  /** Longest silence. @default 60_000 */
  readonly timeoutMs?: number
  readonly tickMs?: number
}

export interface PlayedRun {
  readonly text: string
  readonly error: AgentError | undefined
  /** What was shown in between and is not a beginning of the truth. */
  readonly strays: readonly string[]
}

/** Plays runs at once, each over its own connections, with one agent. */
export async function playOverChaos(
  mode: Mode,
  { runs, storeMs, maxAttempts = 100, timeoutMs = 60_000, tickMs = Math.max(3, storeMs * 3) }: ChaosOptions,
): Promise<{ readonly played: readonly PlayedRun[]; readonly agent: SdkAgent }> {
  // The agent is slower than its store, which loads and saves for each event.
  const agent = await serveSdkAgent({ storeMs, tickMs })
  const played = await Promise.all(
    Array.from({ length: runs }, async (_, run): Promise<PlayedRun> => {
      const origin = await chaosProxy(agent.origin, mode(1 + Math.floor((run * (CHUNKS + 2)) / runs)))
      const client = A2AClient.fromUrl(`${origin}/rpc`, {
        retry: { ...backoff({ maxAttempts }), delayMs: () => Math.min(3 * tickMs, 150) },
        timeoutMs,
      })
      const chat = createChat({ client: () => client, conversationId: `c${run}` })
      const textOf = (): string =>
        chat
          .getSnapshot()
          .messages.filter(({ role }) => role === 'assistant')
          .flatMap(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')))
          .join('')
      const strays: string[] = []
      chat.subscribe(() => {
        if (!wordsOf(CHUNKS).startsWith(textOf())) strays.push(textOf())
      })
      await chat.sendMessage(`stream ${CHUNKS}`)
      const { error } = chat.getSnapshot()
      const text = textOf()
      await chat.dispose()
      return { text, error, strays }
    }),
  )
  return { played, agent }
}

/** Runs that do not show the whole text, or an error. */
export function inexactRuns(played: readonly PlayedRun[]): readonly PlayedRun[] {
  return played.filter(({ text, error }) => text !== wordsOf(CHUNKS) || error !== undefined)
}

/** A stall is found by the time that passes: long enough that a busy machine is not taken for one. */
export const timeoutOf = (mode: string): number => (mode === 'stall' ? 10_000 : 60_000)

/** Ids of all messages that reached the server, in order. */
export function postsOf({ calls }: SdkAgent): string[] {
  return calls.flatMap(({ messageId }) => (messageId === undefined ? [] : [messageId]))
}
