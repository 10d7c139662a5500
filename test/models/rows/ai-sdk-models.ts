import { fromAiSdk, type ModelTools } from '../../../src/server-models.ts'
import type { AiSdkResult, FromAiSdkOptions } from '../../../src/server/models/from-ai-sdk.ts'
import { chatMessages, type AgentOutput, type AgentRun } from '../../../src/server.ts'
import type { ChatWire } from './chat-wires.ts'

interface AiSdk {
  streamText(options: object): AiSdkResult
  tool(definition: object): object
  isStepCount(steps: number): unknown
  jsonSchema(schema: object): unknown
}

interface Provider {
  (model: string): object
  chat(model: string): object
}

// The types of these packages are there only where those of test/models are installed.
const load = async <Module>(...path: readonly string[]): Promise<Module> =>
  import(/* @vite-ignore */ path.join('/')) as Promise<Module>

const { streamText, tool, isStepCount, jsonSchema } = await load<AiSdk>('ai')
const { createOpenAI } = await load<{ createOpenAI(options: object): Provider }>('@ai-sdk', 'openai')
const { createAnthropic } = await load<{ createAnthropic(options: object): Provider }>('@ai-sdk', 'anthropic')
const { createGoogle } = await load<{ createGoogle(options: object): Provider }>('@ai-sdk', 'google')

/** Options of a row, besides those of the helper. */
export interface AiSdkSetup {
  readonly wire: Exclude<ChatWire['name'], 'ollama'>
  /** Most steps of one call of `streamText`. @default 5 */
  readonly steps?: number
  /** Tools that the page would carry out: they have no `execute`. @default [] */
  readonly ofPage?: readonly string[]
}

function modelOf({ wire }: AiSdkSetup, baseURL: string): object {
  const options = { apiKey: 'none', baseURL }
  switch (wire) {
    case 'completions':
      return createOpenAI(options).chat('m')
    case 'responses':
      return createOpenAI(options)('m')
    case 'messages':
      return createAnthropic(options)('m')
    case 'gemini':
      return createGoogle(options)('m')
  }
}

/** An answer of `fromAiSdk` with a real provider of the AI SDK. */
export async function aiSdkAnswer(
  run: AgentRun,
  origin: string,
  tools: ModelTools,
  { setup, ...options }: FromAiSdkOptions & { readonly setup: AiSdkSetup },
): Promise<AsyncGenerator<AgentOutput, unknown>> {
  const messages = await chatMessages(run)
  const { steps = 5, ofPage = [] } = setup
  const given = Object.fromEntries(
    Object.entries(tools).map(([name, { execute }]) => [
      name,
      tool({
        inputSchema: jsonSchema({ type: 'object', properties: {}, additionalProperties: true }),
        ...(!ofPage.includes(name) && { execute: (input: unknown) => execute(input, { signal: run.signal }) }),
      }),
    ]),
  )
  return fromAiSdk(
    (added: object[]) =>
      streamText({
        model: modelOf(setup, origin),
        messages: [...messages, ...added],
        tools: given,
        toolApproval: { ask_first: { type: 'user-approval' } },
        stopWhen: isStepCount(steps),
        maxOutputTokens: 9,
        maxRetries: 0,
        abortSignal: run.signal,
        onError: () => {},
        ...(setup.wire === 'responses' && {
          providerOptions: { openai: { store: false, include: ['reasoning.encrypted_content'] } },
        }),
      }),
    run,
    options,
  )
}
