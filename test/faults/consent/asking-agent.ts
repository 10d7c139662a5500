import { isJsonObject } from '../../../src/base/json-object.ts'
import type { Agent, AgentOutput, AgentRun, AnyResult, FieldError } from '../../../src/server.ts'
import type { AskPlan } from './consent-schedule.ts'

/** What the agent asked, and what came of it. */
export interface Asked {
  /** What it calls it; no two prompts have the same. */
  readonly message: string
  readonly requestId: string
  readonly plan: AskPlan
  /** Monotonic time of its process at which it expires. */
  readonly deadline: number
  readonly input: Input
  /** The process it is asked in. */
  readonly process: unknown
  result: AnyResult | undefined
  /** What it did, and when. */
  readonly executions: { readonly at: number; readonly input: unknown }[]
}

interface Input {
  readonly to: string
  readonly about: string
}

/** An agent that does nothing without asking, with a record of all that it does. */
export interface AskingAgent {
  readonly asked: readonly Asked[]
  /** Texts of words it heard, by request. */
  readonly heard: ReadonlyMap<string, readonly string[]>
  agentOf(process: unknown): Agent
}

const WORD_MS = 30
const CHECK_MS = 25

export function createAskingAgent(plans: readonly AskPlan[], now: () => number): AskingAgent {
  const asked: Asked[] = []
  const heard = new Map<string, string[]>()
  let runs = 0

  async function ask(run: AgentRun, plan: AskPlan, process: unknown): Promise<string> {
    const message = `prompt ${asked.length + 1}`
    const input: Input = { to: 'Ann', about: message }
    const { expiresInMs, workMs } = plan
    const own: Asked = {
      message,
      requestId: run.requestId,
      plan,
      deadline: expiresInMs === undefined ? Infinity : run.clock.now() + expiresInMs,
      input,
      process,
      result: undefined,
      executions: [],
    }
    asked.push(own)
    const result = await put(run, plan, message, input)
    own.result = result
    if (result.type !== 'allowed') return result.type
    await run.sleep(workMs)
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

  async function* agent(run: AgentRun, process: unknown): AsyncGenerator<AgentOutput> {
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
      const results = [ask(run, plan, process), ...(plan.isPair ? [ask(run, plan, process)] : [])]
      if (plan.waits) yield `${(await Promise.all(results)).join(', ')}. `
      else for (const result of results) result.catch(() => {})
      listen()
    }
    await run.sleep(WORD_MS)
    listen()
    yield 'The end.'
  }

  return {
    asked,
    heard,
    agentOf: (process) => (_request, run) => agent(run, process),
  }
}
