import type { AgentRun } from '../../src/server.ts'

/** How fast an agent of the playground talks. */
export interface Pace {
  /** Milliseconds between two pieces of text. */
  readonly deltaMs: number
  /** Up to so many milliseconds more, at random. */
  readonly jitterMs: number
  /** Milliseconds a step such as searching seems to take. */
  readonly stepMs: number
  /** A number from 0 up to, not including, 1. */
  readonly random: () => number
}

export const naturalPace: Pace = { deltaMs: 14, jitterMs: 30, stepMs: 260, random: () => Math.random() }

const MOST_WORDS = 3

/** Text in pieces of one to three words, with time between them. Joined they are the text again. */
export async function* speak(text: string, run: AgentRun, pace: Pace): AsyncGenerator<string, void> {
  const words = text.match(/\s*\S+\s*/g) ?? []
  for (let index = 0; index < words.length;) {
    const count = 1 + Math.floor(pace.random() * MOST_WORDS)
    yield words.slice(index, index + count).join('')
    index += count
    await pause(run, pace.deltaMs + pace.random() * pace.jitterMs)
  }
}

/** The same until the user says something into it: returns that, and leaves out the rest. */
export async function* speakUntilSaid(
  text: string,
  run: AgentRun,
  pace: Pace,
): AsyncGenerator<string, string | undefined> {
  for await (const piece of speak(text, run, pace)) {
    yield piece
    const said = run.inbox.take()
    if (said.length > 0) return said.map((word) => word.text).join('\n')
  }
  return undefined
}

/** Waits on the run's clock; not at all for 0. */
export async function pause(run: AgentRun, ms: number): Promise<void> {
  if (ms > 0) await run.sleep(ms)
}
