import { z } from 'zod'
import type { AiSdkResult } from '../../src/server/models/from-ai-sdk.ts'
import { stepOf, type Scenario } from './model-server.ts'
import type { Major } from './sdk.ts'

const MOCKS = { 5: 'MockLanguageModelV2', 6: 'MockLanguageModelV3', 7: 'MockLanguageModelV4' } as const

/** What the tests use of the package `ai`, whichever major it is. */
interface AiSdk {
  streamText(options: object): AiSdkResult
  tool(definition: object): object
  stepCountIs?(steps: number): unknown
  isStepCount?(steps: number): unknown
}

/** `streamText` of one major with a model that plays scenarios, and what became of its calls. */
export interface ScriptedSdk {
  /** @param messages those of the model, in the form of this major */
  stream(scenario: Scenario | 'hang', messages: readonly object[], signal: AbortSignal): AiSdkResult
  /** What the model was given, in each of its calls. */
  readonly prompts: readonly (readonly { readonly role: string; readonly content: unknown }[])[]
  /** Inputs of the tool that needs consent, as often as it has run. */
  readonly mails: readonly unknown[]
  /** Calls of the model that were aborted. */
  readonly aborted: number
}

export async function scriptedSdk(major: Major): Promise<ScriptedSdk> {
  // The two modules of the package; their types are those of whichever major it is.
  const ai = (await import(/* @vite-ignore */ `ai-${major}`)) as AiSdk
  const mocks = (await import(/* @vite-ignore */ `ai-${major}/test`)) as Record<string, new (options: object) => object>
  const Mock = mocks[MOCKS[major]]
  if (Mock === undefined) throw new Error(`ai ${major} has no ${MOCKS[major]}.`)
  const mails: unknown[] = []
  const prompts: (readonly { readonly role: string; readonly content: unknown }[])[] = []
  let aborted = 0
  const tools = {
    search: ai.tool({ inputSchema: z.object({ q: z.string() }), execute: async ({ q }: { q: string }) => q.length }),
    get_location: ai.tool({ inputSchema: z.object({ precise: z.boolean() }) }),
    send_email: ai.tool({
      inputSchema: z.object({ to: z.string() }),
      ...(major === 6 && { needsApproval: true }),
      execute: async (input: object) => {
        mails.push(input)
        return 'sent'
      },
    }),
  }
  return {
    mails,
    prompts,
    get aborted() {
      return aborted
    },
    stream(scenario, messages, signal) {
      interface Call {
        readonly prompt: readonly { readonly role: string; readonly content: unknown }[]
        readonly abortSignal?: AbortSignal
      }
      const doStream = async ({ prompt, abortSignal }: Call): Promise<object> => {
        prompts.push(prompt)
        const round = prompt.filter(({ role }) => role === 'tool').length
        const { parts, ends } = stepOf(major, scenario === 'hang' ? 'break' : scenario, round)
        if (ends === 'refuse') throw new Error('sk-canary: refused')
        const left: object[] = [{ type: 'stream-start', warnings: [] }, ...parts]
        const stream = new ReadableStream({
          start(controller) {
            abortSignal?.addEventListener('abort', () => {
              aborted += 1
              controller.error(abortSignal.reason)
            })
          },
          pull(controller) {
            const part = left.shift()
            if (part !== undefined) return controller.enqueue(part)
            if (scenario === 'hang') return new Promise(() => {})
            if (ends === 'error') return controller.error(new Error('sk-canary: socket'))
            return controller.close()
          },
        })
        return { stream }
      }
      return ai.streamText({
        model: new Mock({ doStream }),
        tools,
        messages,
        stopWhen: (ai.isStepCount ?? ai.stepCountIs)?.(5),
        maxRetries: 0,
        abortSignal: signal,
        onError: () => {},
        ...(major === 7 && { toolApproval: { send_email: { type: 'user-approval' } } }),
      })
    },
  }
}
