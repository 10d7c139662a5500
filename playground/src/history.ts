import type { Clock, ChatMessage } from 'capstan'
import { riverTurn } from '../server/scenarios/river-prose.ts'

const MINUTE = 60_000

/** A talk of so many questions and answers, as an app would read it from its store. The last turn was said at `endedAt`. */
export function riverHistory(turns: number, endedAt: number): readonly ChatMessage[] {
  return Array.from({ length: turns }, (_, turn) => {
    const at = endedAt - (turns - turn) * MINUTE
    const { question, answer } = riverTurn(turn)
    return [
      {
        id: `history-${turn}-question`,
        role: 'user',
        status: 'sent',
        createdAt: at,
        parts: [{ type: 'text', id: 'text', text: question }],
      },
      {
        id: `history-${turn}-answer`,
        role: 'assistant',
        status: 'complete',
        createdAt: at,
        endedAt: at + 1_000,
        parts: [{ type: 'text', id: 'text', text: answer }],
      },
    ] satisfies ChatMessage[]
  }).flat()
}

/** A store that gives the newest page first. */
export interface History {
  /** How many messages there are in all. */
  readonly total: number
  /** What is shown from the start. */
  readonly first: readonly ChatMessage[]
  /** How many messages have not been given yet. */
  readonly left: number
  /** The page before the one given last, after as long as a store takes; nothing when there is no more. */
  older(): Promise<readonly ChatMessage[]>
}

const PAGE = 40
const STORE_MS = 600

export function createHistory(messages: readonly ChatMessage[], paged: boolean, clock: Clock): History {
  let left = paged ? Math.max(0, messages.length - PAGE) : 0
  return {
    total: messages.length,
    first: messages.slice(left),
    get left() {
      return left
    },
    async older() {
      await new Promise<void>((resolve) => {
        clock.after(STORE_MS, resolve)
      })
      const from = Math.max(0, left - PAGE)
      const page = messages.slice(from, left)
      left = from
      return page
    },
  }
}
