import type { ChatMessage } from '../../../src/state/conversation/message.ts'
import { promptsOf } from '../../../src/state/conversation/prompts.ts'
import { isUndecided } from '../../../src/state/conversation/prompt-state.ts'
import type { AnswerResult } from '../../../src/state/answer-result.ts'
import type { Log } from './virtual-agent.ts'
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
  logs,
  forged,
  given,
  isOpen,
  shown,
  count,
}: {
  readonly logs: ReadonlyMap<string, Log>
  readonly forged: number
  readonly given: readonly Given[]
  isOpen(tab: unknown): boolean
  readonly shown: readonly ChatMessage[]
  count(what: string): void
}): void {
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
  for (const prompt of shown.flatMap(promptsOf)) {
    const log = [...logs.values()].find((each) => each.prompt?.id === prompt.id)
    const taken = log && takenOf(log)
    count(`prompt ${prompt.state}`)
    if (isUndecided(prompt)) throw new Error(`${prompt.id} is still ${prompt.state} when everything has ended.`)
    const isAnswered = prompt.state === 'answered' || prompt.state === 'declined'
    if (isAnswered && (taken === undefined || log?.prompt?.answer?.id === OTHER_DEVICE))
      throw new Error(`${prompt.id} is ${prompt.state}, and the agent heard nothing.`)
    if (prompt.state === 'expired' && taken !== undefined)
      throw new Error(`${prompt.id} is shown as expired, and the agent took ${taken}.`)
  }
}
