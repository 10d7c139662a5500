import { isAgentError } from '../../../src/base/agent-error.ts'
import type { ChatSnapshot } from '../../../src/state/chat-snapshot.ts'
import type { ChatMessage } from '../../../src/state/turn.ts'
import { promptsOf, isUndecided } from '../../../src/state/prompts.ts'
import type { TruePrompt, TrueStream } from './truth.ts'

/** A broken promise of the library, in words. */
class BrokenPromise extends Error {}

export function promise(kept: boolean, words: () => string): void {
  if (!kept) throw new BrokenPromise(words())
}

/** Watches every snapshot; each message is judged once, for it is immutable. */
export function createWitness({
  streams,
  prompts,
}: {
  readonly streams: ReadonlyMap<string, TrueStream>
  readonly prompts: ReadonlyMap<string, TruePrompt>
}) {
  const judged = new WeakSet<ChatMessage>()
  let last: ChatSnapshot | undefined

  function streamOf(label: string): TrueStream | undefined {
    for (const stream of streams.values()) if (stream.label === label) return stream
    return undefined
  }

  function judge(message: ChatMessage): void {
    if (message.role !== 'assistant') return
    const label = /<(r\d+[ab]):/.exec(
      message.parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    )?.[1]
    const stream = label === undefined ? undefined : streamOf(label)
    let place = 0
    const partIds = new Set<string>()
    let warnings = 0
    for (const part of message.parts) {
      promise(!partIds.has(part.id), () => `part ${part.id} is there twice in ${message.id}`)
      partIds.add(part.id)
      if (part.type === 'warning') warnings += 1
      if (part.type === 'text') {
        promise(
          stream !== undefined && stream.text.startsWith(part.text, place),
          () => `${message.id} shows ${JSON.stringify(part.text)} at ${place} of ${JSON.stringify(stream?.text)}`,
        )
        place += part.text.length
      }
      if (part.type === 'gap' && stream !== undefined) {
        promise(
          place === stream.textUpTo[part.after],
          () => `the gap ${part.after}–${part.before} in ${message.id} is at ${place}`,
        )
        place = stream.textUpTo[part.before - 1] ?? Number.NaN
      }
    }
    judgePrompts(message)
    if (stream === undefined) return
    promise(warnings <= stream.warnings, () => `${message.id} shows ${warnings} warnings of ${stream.warnings}`)
    if (message.status === 'complete') {
      // A mark at the very end says what is missing there.
      promise(
        place === stream.text.length,
        () => `${message.id} is complete with ${place} of ${stream.text.length} characters`,
      )
    }
    if (message.status === 'failed' || message.status === 'incomplete')
      promise(isAgentError(message.error), () => `${message.id} is ${message.status} without a typed error`)
  }

  function judgePrompts(message: ChatMessage): void {
    const isWhole = message.status === 'complete' && message.parts.every(({ type }) => type !== 'gap')
    for (const prompt of promptsOf(message)) {
      const { id, state, answerId } = prompt
      const asked = prompts.get(id)
      promise(asked !== undefined, () => `${message.id} asks ${id}, which no agent has asked`)
      const isTaken = asked?.takenId !== undefined && asked.takenId === answerId
      promise(state !== 'answered' || isTaken, () => `${id} is answered by ${answerId}, which the agent has not taken`)
      promise(
        !isWhole || state === (isTaken ? 'answered' : 'answered-elsewhere'),
        () => `${id} is ${state}, though the agent has taken ${asked?.takenId ?? 'an answer from elsewhere'}`,
      )
    }
  }

  return {
    see(snapshot: ChatSnapshot): void {
      if (snapshot === last) return
      last = snapshot
      const ids = new Set<string>()
      for (const message of snapshot.messages) {
        promise(!ids.has(message.id), () => `message ${message.id} is there twice`)
        ids.add(message.id)
        if (judged.has(message)) continue
        judged.add(message)
        judge(message)
      }
      // While a run continues, the packet that settles a prompt may be lost; when it has ended, nothing waits for an answer.
      const isOver = snapshot.status === 'ready'
      for (const message of isOver ? snapshot.messages : [])
        for (const prompt of message.status === 'complete' ? promptsOf(message) : [])
          promise(!isUndecided(prompt), () => `${prompt.id} is ${prompt.state} in an answer that is complete`)
      const open = snapshot.messages.filter(
        ({ status }) => status === 'pending' || status === 'streaming' || status === 'sending',
      )
      const runs = ['submitted', 'streaming', 'awaiting-input'].includes(snapshot.status)
      promise(
        runs || open.length === 0,
        () => `${open[0]?.id} is ${open[0]?.status} while the chat is ${snapshot.status}`,
      )
      if (snapshot.status === 'error') promise(isAgentError(snapshot.error), () => 'an error that is not typed')
    },
  }
}

const MINUTE_MS = 60_000

/** Most attempts of a run in any minute. */
export function worstMinute(times: readonly number[]): number {
  let worst = 0
  let first = 0
  for (let last = 0; last < times.length; last += 1) {
    while ((times[last] ?? 0) - (times[first] ?? 0) >= MINUTE_MS) first += 1
    worst = Math.max(worst, last - first + 1)
  }
  return worst
}
