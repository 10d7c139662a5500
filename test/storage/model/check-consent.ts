import type { Prompt } from '../../../src/seam/prompt.ts'
import type { ChatSnapshot } from '../../../src/state/chat-snapshot.ts'
import type { ChatMessage } from '../../../src/state/turn.ts'
import { allPrompts, isUndecided } from '../../../src/state/prompts.ts'
import type { AnswerResult } from '../../../src/state/chat-options.ts'
import type { Log, VirtualAgent } from './virtual-agent.ts'
import { OTHER_DEVICE } from './virtual-agent.ts'

/** An answer that a user gave in a tab. */
export interface Given {
  readonly promptId: string
  readonly what: 'allow' | 'refuse' | 'decline'
  readonly tab: unknown
  result: AnswerResult['status'] | undefined
}

/** What the agent took an answer for. */
function takenOf({ prompt }: Log): Given['what'] | undefined {
  const answer = prompt?.answer?.answer
  if (answer?.type === 'decline') return 'decline'
  return answer?.type === 'option' ? (answer.optionId === 'yes' ? 'allow' : 'refuse') : undefined
}

/** Throws with the promise about consent that was broken: nothing without it, and none forged, lost or doubled. */
export function checkConsent({
  agent,
  given,
  isOpen,
  shown,
  count,
}: {
  readonly agent: VirtualAgent
  readonly given: readonly Given[]
  isOpen(tab: unknown): boolean
  readonly shown: readonly ChatMessage[]
  count(what: string): void
}): void {
  const { logs, forged } = agent
  if (forged > 0) throw new Error(`${forged} answers carried the digest of something else.`)
  for (const log of logs.values()) {
    const { prompt } = log
    if (prompt === undefined) continue
    const answers = given.filter(({ promptId }) => promptId === prompt.id)
    const taken = takenOf(log)
    const isOurs = prompt.answer?.id !== OTHER_DEVICE
    if (taken !== undefined && isOurs && !answers.some(({ what }) => what === taken))
      throw new Error(`${prompt.id} was answered with ${taken}, which nobody said.`)
    if (prompt.executions > 1) throw new Error(`${prompt.id} was done ${prompt.executions} times.`)
    if (prompt.executions === 1 && taken !== 'allow') throw new Error(`${prompt.id} was done without consent.`)
    if (prompt.executions === 1) count('done with consent')
    for (const { what, result, tab } of answers) {
      if (result === 'accepted' && (what !== taken || !isOurs))
        throw new Error(`${prompt.id}: ${what} was confirmed, and the agent took ${taken ?? 'nothing'}.`)
      if (result === undefined && isOpen(tab)) throw new Error(`An answer to ${prompt.id} never settles.`)
    }
  }
  for (const { prompt, message } of allPrompts(shown)) {
    const log = [...logs.values()].find((each) => each.prompt?.id === prompt.id)
    const taken = log && takenOf(log)
    count(`prompt ${prompt.state}`)
    const answers = given.filter(({ promptId }) => promptId === prompt.id)
    // Nobody reads the events of a stopped run: the replies to its answers are all that a page can learn.
    const isUnknowable =
      prompt.state === 'unconfirmed' &&
      message.status === 'stopped' &&
      agent.isUnsure(prompt.id) &&
      (!agent.reportsEnds || answers.some(({ tab }) => !isOpen(tab)))
    if (isUnknowable) count('prompt unknowable')
    else if (isUndecided(prompt)) throw new Error(`${prompt.id} is still ${prompt.state} when everything has ended.`)
    const isAnswered = prompt.state === 'answered' || prompt.state === 'declined'
    if (isAnswered && (taken === undefined || log?.prompt?.answer?.id === OTHER_DEVICE))
      throw new Error(`${prompt.id} is ${prompt.state}, and the agent heard nothing.`)
    if (prompt.state === 'expired' && taken !== undefined)
      throw new Error(`${prompt.id} is shown as expired, and the agent took ${taken}.`)
  }
}

/**
 * Watches the prompts of one tab. Returns what is wrong with a snapshot: a prompt that has ended stays ended as long as it is shown, one
 * that somebody has settled is not withdrawn, and a tab waits for its user only while there is something to answer.
 */
export function createPromptWatch(): (snapshot: Pick<ChatSnapshot, 'messages' | 'status'>) => string | undefined {
  let before = new Map<string, Prompt>()
  return ({ messages, status }) => {
    const prompts = allPrompts(messages).map(({ prompt }) => prompt)
    const changed = prompts.find((prompt) => {
      const known = before.get(prompt.id)
      if (known === undefined || isUndecided(known)) return false
      return isUndecided(prompt) || (known.state !== 'withdrawn' && prompt.state === 'withdrawn')
    })
    if (changed !== undefined)
      return `${changed.id} was ${before.get(changed.id)?.state}, and is ${changed.state} again.`
    before = new Map(prompts.map((prompt) => [prompt.id, prompt]))
    const isAwaited = prompts.some((prompt) => isUndecided(prompt) && prompt.state !== 'sending')
    return status === 'awaiting-input' && !isAwaited
      ? 'A tab waits for its user, and there is nothing to answer.'
      : undefined
  }
}
