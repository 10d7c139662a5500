import type { AgentOutput } from '../run/agent-output.ts'
import { modelError } from './model-error.ts'
import type { ModelOutput, ModelRun } from './model-output.ts'

/** A tool that runs on the server. */
export interface ModelTool {
  /**
   * Does it, and gives any JSON. The input is what the model wrote, so check it. What it throws goes to the model as a failure,
   * without its message.
   */
  execute(input: unknown, options: { readonly signal: AbortSignal }): unknown
  /** Asks the user by `run.ask` before it is done. @default false */
  readonly needsApproval?: boolean | ((input: unknown) => boolean) | undefined
}

/** Tools by the names that the model knows. */
export type ModelTools = Readonly<Record<string, ModelTool>>

/** A call as the model wrote it. */
export interface ModelCall {
  readonly callId: string
  readonly name: string
  /** JSON text. */
  readonly json: string
}

/** What the model is told of a call. */
export interface ToolOutcome {
  readonly callId: string
  readonly text: string
  readonly hasFailed: boolean
}

/** Carries out a call of the model, after the user has allowed it where that is needed, and shows it. */
export async function* runModelTool(
  { callId, name, json }: ModelCall,
  tools: ModelTools,
  output: ModelOutput,
  run: ModelRun,
): AsyncGenerator<AgentOutput, ToolOutcome> {
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined
  if (tool === undefined) throw modelError(`it called ${name}, which is none of the tools given to the helper`)
  const failed = (
    text: string,
    input: unknown,
    status: 'failed' | 'denied' = 'failed',
  ): readonly [AgentOutput, ToolOutcome] => [
    output.tool(callId, { name, arguments: input, error: text, status }),
    { callId, text, hasFailed: true },
  ]
  const input = parsed(json)
  if (input === undefined) {
    const [said, result] = failed('The input is not JSON.', json)
    yield said
    return result
  }
  const { needsApproval = false } = tool
  if (typeof needsApproval === 'function' ? needsApproval(input) : needsApproval) {
    yield output.tool(callId, { name, arguments: input, status: 'waiting' })
    // Without a message: the page asks in its own language.
    const subject = { name, input, toolCallId: output.eventId(callId) }
    const answer = await run.ask({ kind: 'approval', message: '', subject })
    if (answer.type !== 'allowed') {
      const [said, result] = failed('The user did not allow it.', input, 'denied')
      yield said
      return result
    }
  }
  yield output.tool(callId, { name, arguments: input, status: 'running' })
  try {
    run.signal.throwIfAborted()
    const value = await tool.execute(input, { signal: run.signal })
    yield output.tool(callId, { name, arguments: input, result: value ?? null, status: 'complete' })
    return { callId, text: typeof value === 'string' ? value : JSON.stringify(value ?? null), hasFailed: false }
  } catch (error) {
    if (run.signal.aborted) throw error
    const [said, result] = failed('The tool failed.', input)
    yield said
    return result
  }
}

/** Undefined for what is no JSON; a model that gives no input means an empty one. */
function parsed(json: string): unknown {
  if (json.trim() === '') return {}
  try {
    return JSON.parse(json) as unknown
  } catch {
    return undefined
  }
}
