import { isAgentError } from '../../../src/base/agent-error.ts'
import type { ChatSnapshot } from '../../../src/state/chat-snapshot.ts'
import type { ChatMessage } from '../../../src/state/conversation/message.ts'
import type { TrueStream } from './truth.ts'

/** A broken promise of the library, in words. */
class BrokenPromise extends Error {}

export function promise(kept: boolean, words: () => string): void {
  if (!kept) throw new BrokenPromise(words())
}

/** Watches every snapshot; each message is judged once, for it is immutable. */
export function createWitness(streams: ReadonlyMap<string, TrueStream>) {
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
      const open = snapshot.messages.filter(
        ({ status }) => status === 'pending' || status === 'streaming' || status === 'sending',
      )
      const runs = snapshot.status === 'submitted' || snapshot.status === 'streaming'
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
