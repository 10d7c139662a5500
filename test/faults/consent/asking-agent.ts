import { isJsonObject } from '../../../src/base/json-object.ts'
import type { Agent, AgentOutput, AgentRun, AnyResult, FieldError } from '../../../src/server.ts'
import type { Thread } from '../../storage/model/virtual-time.ts'
import type { AskPlan } from './consent-schedule.ts'

/** The agent's questions and their outcomes. */
export interface Asked {
  /** What it calls it; no two prompts have the same. */
  readonly message: string
  readonly work: Work
  readonly plan: AskPlan
  /** Monotonic time of its process at which it expires. */
  readonly deadline: number
  readonly input: Input
  result: AnyResult | undefined
  /** What it did, and when. */
  readonly executions: { readonly at: number; readonly input: unknown }[]
}

/** One call of the agent's function: a run may be begun again after its process died. */
export interface Work {
  readonly requestId: string
  /** The process that runs it. */
  readonly process: Thread
  readonly begunAt: number
  /** When the function returned. Undefined: it has not. */
  endedAt: number | undefined
}

interface Input {
  readonly to: string
  readonly about: string
}

/** An agent that does nothing without asking, with a record of all that it does. */
export interface AskingAgent {
  readonly asked: readonly Asked[]
  readonly works: readonly Work[]
  /** Texts of words it heard, by request. */
  readonly heard: ReadonlyMap<string, readonly string[]>
  agentOf(process: Thread): Agent
}

const WORD_MS = 30
const CHECK_MS = 25

export function createAskingAgent(plans: readonly AskPlan[], now: () => number): AskingAgent {
  const asked: Asked[] = []
  const works: Work[] = []
  const heard = new Map<string, string[]>()
  let runs = 0

  async function ask(run: AgentRun, plan: AskPlan, work: Work): Promise<string> {
    const message = `prompt ${asked.length + 1}`
    const input: Input = { to: 'Ann', about: message }
    const { expiresInMs, workMs } = plan
    const own: Asked = {
      message,
      work,
      plan,
      deadline: expiresInMs === undefined ? Infinity : run.clock.now() + expiresInMs,
      input,
      result: undefined,
      executions: [],
    }
    asked.push(own)
    const result = await put(run, plan, message, input)
    own.result = result
    if (result.type !== 'allowed') return result.type
    if (plan.isDeaf === true && plan.waits) await sleepThrough(work.process, workMs)
    else await run.sleep(workMs)
    // An agent that does not wait for its work gives it up when it returns.
    if (work.endedAt !== undefined) return 'given up'
    own.executions.push({ at: now(), input: result.input })
    return 'done'
  }

  /** Takes its time, so that answers come while another is looked at. */
  async function slowly(run: AgentRun, isRight: boolean, path: string): Promise<readonly FieldError[]> {
    await run.sleep(CHECK_MS)
    return isRight ? [] : [{ path, message: 'Is wrong.' }]
  }

  function put(run: AgentRun, { kind, expiresInMs }: AskPlan, message: string, input: Input): Promise<AnyResult> {
    switch (kind) {
      case 'approval':
      case 'permission':
        return run.ask({
          kind,
          message,
          expiresInMs,
          subject: { name: 'send', input, editable: { properties: { to: { type: 'string' } } } },
          validate: (edits) => slowly(run, isJsonObject(edits) && typeof edits['to'] === 'string', '/to'),
        })
      case 'choice':
        return run.ask({
          kind,
          message,
          expiresInMs,
          subject: { name: 'send', input },
          options: [
            { id: 'one', label: 'One', kind: 'neutral' },
            { id: 'two', label: 'Two', kind: 'neutral' },
          ],
        })
      case 'form':
        return run.ask({
          kind,
          message,
          expiresInMs,
          schema: { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] },
          validate: (value) => slowly(run, isJsonObject(value) && typeof value['count'] === 'number', '/count'),
        })
      case 'sign-in':
        return run.ask({ kind, message, expiresInMs, url: 'https://login.test/' })
    }
  }

  async function* agent(run: AgentRun, process: Thread): AsyncGenerator<AgentOutput> {
    const work: Work = { requestId: run.requestId, process, begunAt: now(), endedAt: undefined }
    works.push(work)
    try {
      yield* steps(run, work)
    } finally {
      work.endedAt = now()
    }
  }

  async function* steps(run: AgentRun, work: Work): AsyncGenerator<AgentOutput> {
    const first = runs
    runs += 1
    const words: string[] = heard.get(run.requestId) ?? []
    heard.set(run.requestId, words)
    const listen = (): void => void words.push(...run.inbox.take().map(({ text }) => text))
    for (let index = 0; index < plans.length; index += 1) {
      const plan = plans[(first + index) % plans.length]
      if (plan === undefined) continue
      yield `Step ${index + 1}. `
      await run.sleep(WORD_MS)
      const results = [ask(run, plan, work), ...(plan.isPair ? [ask(run, plan, work)] : [])]
      if (plan.waits) yield `${(await all(results)).join(', ')}. `
      else for (const result of results) result.catch(() => {})
      listen()
    }
    await run.sleep(WORD_MS)
    listen()
    yield 'The end.'
  }

  return {
    asked,
    works,
    heard,
    agentOf: (process) => (_request, run) => agent(run, process),
  }
}

/** A wait that no signal ends. */
function sleepThrough(process: Thread, ms: number): Promise<void> {
  return new Promise((resolve) => {
    process.post('timer', ms, resolve)
  })
}

/** Waits for all of them, also when one fails: an agent does not return while it still works. */
async function all(results: readonly Promise<string>[]): Promise<readonly string[]> {
  await Promise.allSettled(results)
  return Promise.all(results)
}
