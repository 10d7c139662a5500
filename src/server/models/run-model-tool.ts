import { BAD_INPUT, BAD_RESULT, TOOL_FAILED, USER_REFUSED, unknownTool } from '../../base/tool-failures.ts'
import type { AgentOutput } from '../run/agent-output.ts'
import type { ApprovalResult } from '../run/ask.ts'
import { modelError, parseInput, modelFailure } from './model-error.ts'
import type { ModelOutput, ModelRun } from './model-output.ts'
import { appError } from '../run/app-error.ts'

/** A tool that runs on the server. */
export interface ModelTool {
  /**
   * Does it, and gives any JSON. The input is what the model wrote, so check it. What it throws goes to `onError` of the handler, and
   * to the model as a failure without its message. So does a result that is not valid JSON.
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

/** The result of a call for the model. */
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
  const failed = (text: string, input: unknown): readonly [AgentOutput, ToolOutcome] => [
    output.tool(callId, { name, arguments: input, error: text, status: 'failed' }),
    { callId, text, hasFailed: true },
  ]
  const input = parseInput(json)
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined
  if (tool === undefined) {
    const names = Object.keys(tools)
    if (names.length === 0) throw modelError(`it called ${name}, and the helper was given no tools`)
    const [shown, outcome] = failed(unknownTool(name, names), input)
    yield shown
    return outcome
  }
  if (input === undefined) {
    const [shown, outcome] = failed(BAD_INPUT, json)
    yield shown
    return outcome
  }
  const { needsApproval = false } = tool
  if (typeof needsApproval === 'function' ? needsApproval(input) : needsApproval) {
    const answer = yield* askApproval({ callId, name, input }, output, run)
    if (answer.type !== 'allowed') return { callId, text: USER_REFUSED, hasFailed: true }
  }
  yield output.tool(callId, { name, arguments: input, status: 'running' })
  let hasRun = false
  try {
    run.signal.throwIfAborted()
    const value = await tool.execute(input, { signal: run.signal })
    hasRun = true
    // Once: a value with a `toJSON` or getters may be another one the second time.
    const text = typeof value === 'string' ? value : (stringify(value) ?? 'null')
    const result: unknown = typeof value === 'string' ? value : JSON.parse(text)
    yield output.tool(callId, { name, arguments: input, result, status: 'complete' })
    return { callId, text, hasFailed: false }
  } catch (error) {
    if (run.signal.aborted) throw error
    run.report?.(error)
    const [shown, outcome] = failed(hasRun ? BAD_RESULT : TOOL_FAILED, input)
    yield shown
    return outcome
  }
}

/**
 * Asks the user about a call, which is shown as waiting meanwhile, and as denied when it was not allowed. Only `allowed` is consent.
 *
 * @param call `callId` names the call to `output`
 */
export async function* askApproval(
  { callId, name, input }: { readonly callId: string; readonly name: string; readonly input: unknown },
  output: ModelOutput,
  run: ModelRun,
): AsyncGenerator<AgentOutput, ApprovalResult> {
  yield output.tool(callId, { name, arguments: input, status: 'waiting' })
  // Without a message: the page asks in its own language.
  const subject = { name, input, toolCallId: output.eventId(callId) }
  const answer = await run.ask({ kind: 'approval', message: '', subject })
  if (answer.type !== 'allowed')
    yield output.tool(callId, { name, arguments: input, error: USER_REFUSED, status: 'denied' })
  return answer
}

/** Undefined for what has no JSON form, such as a function. The types of `JSON.stringify` leave that out. */
function stringify(value: unknown): string | undefined {
  return JSON.stringify(value)
}

/** Options of the helpers that ask the model again with what its tools returned. */
export interface ModelRoundsOptions {
  /**
   * Most requests to the model for one answer, the first included. A model that calls tools in the last of them is a failure with the
   * `agentCode` `model_step_limit`, and those tools do not run.
   *
   * @default 20
   */
  readonly maxRounds?: number | undefined
}

const MAX_ROUNDS = 20

/** Counts the requests of one answer. Call the result before each further one, and before the tools whose results it sends. */
export function createRoundLimit({ maxRounds = MAX_ROUNDS }: ModelRoundsOptions): () => void {
  if (!Number.isSafeInteger(maxRounds) || maxRounds < 1)
    throw appError(`maxRounds is ${String(maxRounds)}. Give a whole number above 0, or leave it out.`)
  let rounds = 1
  return () => {
    rounds += 1
    if (rounds <= maxRounds) return
    throw modelFailure('model_step_limit', `it still calls tools, or pauses, after ${maxRounds} requests (maxRounds)`)
  }
}
