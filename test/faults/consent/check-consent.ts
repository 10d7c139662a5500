import { canonicalJson } from '../../../src/server/run/json-schema-check.ts'
import type { Asked, AskingAgent } from './asking-agent.ts'
import { checkGiven, isConsent, type Given } from './check-answers.ts'
import { loggedId } from './consent-clients.ts'
import type { LoggedPrompt, LogWitness } from './log-witness.ts'
import { promise } from './promise.ts'
import type { Reply } from './virtual-network.ts'

/** An answer that a server has accepted: it is in the log, for this prompt, with this digest, and it is the only one. */
export function checkReply({ name, body, status }: Reply, { prompts }: LogWitness): void {
  if (name !== 'answer' || status !== 200) return
  const id = String(body['prompt_id'])
  const prompt = prompts.get(id)
  if (prompt === undefined) return promise(false, () => `An answer to ${id} was accepted, and no log has that prompt.`)
  const answer = body['answer'] as { readonly type: string; readonly digest?: string } // the schema was checked
  if (answer.type === 'option')
    promise(
      answer.digest === prompt.digest,
      () => `An answer to ${prompt.message} was accepted with the digest of something else.`,
    )
  const [settled] = prompt.settled
  promise(
    settled?.answerId === body['answer_id'],
    () => `An answer to ${prompt.message} was acknowledged, and the log says ${settled?.state ?? 'nothing'} of it.`,
  )
}

/** All that holds when everything has come to its end. */
export function checkConsent({
  agent,
  witness,
  given,
  left,
  deaths,
  count,
}: {
  readonly agent: AskingAgent
  readonly witness: LogWitness
  readonly given: readonly Given[]
  /** Runs that a user has stopped. */
  readonly left: ReadonlySet<string>
  readonly deaths: ReadonlySet<unknown>
  count(what: string): void
}): void {
  const byMessage = new Map([...witness.prompts.values()].map((prompt) => [prompt.message, prompt]))
  for (const asked of agent.asked) checkAsked(asked, byMessage.get(asked.message))
  for (const prompt of witness.prompts.values()) checkPrompt(prompt)
  for (const own of given) {
    if (own.result !== undefined) count(`answer ${own.result}`)
    checkGiven(own, witness)
  }
  for (const run of witness.runs) {
    count(`run ${run.isLost ? 'lost' : (run.closed ?? 'open')}`)
    promise(
      run.isLost || run.closed !== undefined || left.has(run.requestId),
      () => `The run of ${run.requestId} never ends.`,
    )
    const heard = agent.heard.get(run.requestId) ?? []
    promise(new Set(run.said).size === run.said.length, () => `A word is twice in the log of ${run.requestId}.`)
    promise(new Set(heard).size === heard.length, () => `The agent heard a word twice in ${run.requestId}.`)
  }

  function checkAsked(asked: Asked, prompt: LoggedPrompt | undefined): void {
    const { message, executions } = asked
    promise(executions.length <= 1, () => `${message} was done ${executions.length} times.`)
    const [execution] = executions
    if (execution !== undefined) {
      count('done with consent')
      checkExecution(asked, execution, prompt)
    }
    const settled = prompt?.settled[0]
    if (prompt === undefined || settled?.answerId === undefined) return
    // What the log says was answered, the agent has heard, unless its process died or its run was ended.
    const isAlive = !deaths.has(asked.work.process) && prompt.run.closed === 'finished' && asked.plan.waits
    if (!isAlive) return
    promise(asked.result !== undefined, () => `The answer to ${message} was taken and never reached the agent.`)
    promise(
      asked.result?.type !== 'allowed' || executions.length === 1,
      () => `${message} was allowed, and was not done.`,
    )
  }

  function checkExecution(
    { message, deadline, input }: Asked,
    execution: Asked['executions'][number],
    prompt: LoggedPrompt | undefined,
  ): void {
    const settled = prompt?.settled[0]
    const answer = settled?.answer
    if (prompt === undefined || settled === undefined || answer === undefined)
      return promise(false, () => `${message} was done, and the log has no answer.`)
    promise(
      settled.state === 'answered' && answer['option_id'] === 'allow-once' && answer['digest'] === prompt.digest,
      () => `${message} was done, and the log says ${JSON.stringify(settled)}.`,
    )
    const said = given.filter((each) => loggedId(each.promptId) === prompt.id && isConsent(each.answer))
    promise(said.length > 0, () => `${message} was done without consent.`)
    const shown = canonicalJson(execution.input)
    promise(
      said.some(({ answer: own }) => shown === canonicalJson((own.type === 'option' && own.edits) || input)),
      () => `${message} was done with ${shown}, which nobody allowed.`,
    )
    promise(
      witness.arrivals.some(
        ({ at, promptId, answerId }) => promptId === prompt.id && answerId === settled.answerId && at < deadline,
      ),
      () => `${message} was done after it had expired.`,
    )
  }

  function checkPrompt(prompt: LoggedPrompt): void {
    const { message, run, settled } = prompt
    count(`logged ${settled[0]?.state ?? 'open'}`)
    promise(settled.length <= 1, () => `${message} was settled ${settled.length} times: ${JSON.stringify(settled)}.`)
    promise(
      settled.length === 1 || run.isLost || run.closed === undefined,
      () => `The run of ${message} has ended, and the prompt is open.`,
    )
  }
}
