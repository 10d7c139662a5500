import { z } from 'zod'
import type { UiMessage } from '../../src/ai-sdk.ts'
import { serveCut, type Cut, type CuttingServer } from '../support/cutting-server.ts'
import type { Major } from './sdk.ts'

/** What the model of a test does, by the last words of the user. */
export type Scenario =
  | 'hello'
  | 'long'
  | 'think'
  | 'look up'
  | 'look up forever'
  | 'no reason'
  | 'ask'
  | 'where'
  | 'sources'
  | 'files'
  | 'too long'
  | 'break'
  | 'end early'
  | 'fail'
  | 'refuse'
  | 'stop yourself'

type ModelPart = Readonly<Record<string, unknown>>

/** One step of the model: its parts, then what happens. */
export interface Step {
  readonly parts: readonly ModelPart[]
  readonly ends?: 'close' | 'error' | 'refuse' | 'abort'
}

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const text = (...deltas: readonly string[]): ModelPart[] => [
  { type: 'text-start', id: 't' },
  ...deltas.map((delta) => ({ type: 'text-delta', id: 't', delta })),
  { type: 'text-end', id: 't' },
]

const call = (toolName: string, input: object): ModelPart[] => {
  const json = JSON.stringify(input)
  const id = `call-${toolName}`
  return [
    { type: 'tool-input-start', id, toolName },
    { type: 'tool-input-delta', id, delta: json.slice(0, 4) },
    { type: 'tool-input-delta', id, delta: json.slice(4) },
    { type: 'tool-input-end', id },
    { type: 'tool-call', toolCallId: id, toolName, input: json, providerMetadata: { mock: { itemId: 'item-1' } } },
  ]
}

/** Words of the long answer. */
export const LONG = Array.from({ length: 24 }, (_, at) => `Sentence ${at} of the river 🌊. `)

/** @param round how many results of tools the model has got */
export function stepOf(major: Major, scenario: Scenario, round: number): Step {
  const finish = (reason = 'stop'): ModelPart => ended(reason, reason)
  const ended = (reason: string, raw: string | undefined): ModelPart => ({
    type: 'finish',
    finishReason: major === 5 ? reason : { unified: reason, raw },
    usage:
      major === 5
        ? { inputTokens: 3, outputTokens: 4, totalTokens: 7 }
        : { inputTokens: { total: 3 }, outputTokens: { total: 4 } },
  })
  const file = (mediaType: string, base64: string): ModelPart => ({
    type: 'file',
    mediaType,
    data: major === 7 ? { type: 'data', data: base64 } : base64,
  })
  const half = text('Half ').slice(0, 2)
  const tool = (...parts: readonly ModelPart[]): Step =>
    round === 0 ? { parts: [...parts, finish('tool-calls')] } : { parts: [...text('So ', 'be it.'), finish()] }
  switch (scenario) {
    case 'hello':
      return { parts: [...text('Rivers ', 'meander.'), finish()] }
    case 'long':
      return { parts: [...text(...LONG), finish()] }
    case 'think':
      return {
        parts: [
          { type: 'reasoning-start', id: 'r' },
          { type: 'reasoning-delta', id: 'r', delta: 'Bends ' },
          { type: 'reasoning-delta', id: 'r', delta: 'wander.' },
          { type: 'reasoning-end', id: 'r', providerMetadata: { mock: { signature: 'signed' } } },
          ...text('They meander.'),
          finish(),
        ],
      }
    case 'look up':
      return tool(...text('Let me look.'), ...call('search', { q: 'rivers' }))
    case 'look up forever':
      return { parts: [...text('Let me look.'), ...call('search', { q: 'rivers' }), finish('tool-calls')] }
    case 'no reason':
      return { parts: [...text('Rivers ', 'meander.'), ended(major === 5 ? 'unknown' : 'other', undefined)] }
    case 'ask':
      return tool(...call('send_email', { to: 'ann@example.com' }))
    case 'where':
      return tool(...call('get_location', { precise: true }))
    case 'sources':
      return {
        parts: [
          ...text('See here.'),
          { type: 'source', sourceType: 'url', id: 's1', url: 'https://rivers.test/a', title: 'Bends' },
          { type: 'source', sourceType: 'document', id: 's2', mediaType: 'application/pdf', title: 'Survey' },
          finish(),
        ],
      }
    case 'files':
      return { parts: [...text('A picture:'), file('image/png', PIXEL), finish()] }
    case 'too long':
      return { parts: [...text('Too long to'), finish('length')] }
    case 'break':
      return { parts: half, ends: 'error' }
    case 'end early':
      return { parts: half, ends: 'close' }
    case 'fail':
      return { parts: [...half, { type: 'error', error: new Error('sk-canary: overloaded') }, finish('error')] }
    case 'refuse':
      return { parts: [], ends: 'refuse' }
    case 'stop yourself':
      return { parts: half, ends: 'abort' }
  }
}

/** What the tests use of the package `ai`, whichever major it is. */
interface UiAiSdk {
  streamText(options: object): { readonly stream: unknown; toUIMessageStream(options: object): ReadableStream }
  toUIMessageStream(options: object): ReadableStream
  convertToModelMessages(messages: unknown, options: object): unknown
  createUIMessageStreamResponse(options: { readonly stream: ReadableStream }): Response
  tool(definition: object): object
  stepCountIs?(steps: number): unknown
  isStepCount?(steps: number): unknown
}

type MockModel = new (options: object) => object

const MOCKS = { 5: 'MockLanguageModelV2', 6: 'MockLanguageModelV3', 7: 'MockLanguageModelV4' } as const

/** A server of an AI SDK app over HTTP, and what it did. */
export interface ModelServer extends CuttingServer {
  readonly api: string
  /** Inputs of the tool that needs consent, as often as it has run. */
  readonly mails: readonly unknown[]
  /** Messages of each POST. */
  readonly posted: readonly (readonly UiMessage[])[]
}

/** Where the streams of chats are kept. */
export interface StreamStore {
  keep(chatId: string, stream: ReadableStream<string>): void
  /** Undefined: there is none that is live. */
  replay(chatId: string): Promise<ReadableStream<string> | undefined>
}

export interface ModelServerOptions {
  /** Whether the stream of a chat is kept, and given again by GET; or where. @default false */
  readonly keeps?: boolean | StreamStore
  /** The model waits for this in the middle of its answer. @default it does not wait */
  readonly pause?: Promise<unknown>
  /** How the n-th answer is cut. @default none is */
  readonly cuts?: readonly Cut[]
}

/** A body that ends in order where it breaks: what the servers of the AI SDK on Node make of a broken model stream. */
function endedInOrder(body: Response['body']): ReadableStream<Uint8Array> | null {
  const reader = body?.getReader()
  if (reader === undefined) return null
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }))
      if (done || value === undefined) controller.close()
      else controller.enqueue(value)
    },
  })
}

/** Serves `streamText` of one major as the guide of the AI SDK does it. */
export async function serveModel(major: Major, options: ModelServerOptions = {}): Promise<ModelServer> {
  const { keeps = false, pause, cuts = [] } = options
  // The two modules of the package; their types are those of whichever major it is.
  const ai = (await import(/* @vite-ignore */ `ai-${major}`)) as UiAiSdk
  const mocks = (await import(/* @vite-ignore */ `ai-${major}/test`)) as Record<string, MockModel>
  const found = mocks[MOCKS[major]]
  if (found === undefined) throw new Error(`ai ${major} has no ${MOCKS[major]}.`)
  const Mock = found
  const mails: unknown[] = []
  const posted: (readonly UiMessage[])[] = []
  const kept = new Map<string, Promise<ArrayBuffer>>()

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

  async function answer(messages: readonly UiMessage[]): Promise<Response> {
    const last = messages.findLast(({ role }) => role === 'user')?.parts.find(({ type }) => type === 'text')
    // The tests say the names of scenarios.
    const scenario = last?.text as Scenario
    const stopping = new AbortController()
    const doStream = async ({ prompt }: { prompt: readonly { readonly role: string }[] }): Promise<object> => {
      const asked = prompt.findLastIndex(({ role }) => role === 'user')
      const round = prompt.slice(asked).filter(({ role }) => role === 'tool').length
      const { parts, ends } = stepOf(major, scenario, round)
      if (ends === 'refuse') throw new Error('sk-canary: refused')
      const left: ModelPart[] = [{ type: 'stream-start', warnings: [] }, ...parts]
      const stream = new ReadableStream({
        async pull(controller) {
          if (left.length === Math.floor(parts.length / 2)) await pause
          const part = left.shift()
          if (part !== undefined) return controller.enqueue(part)
          if (ends === 'error') return controller.error(new Error('sk-canary: socket'))
          if (ends !== 'abort') return controller.close()
          stopping.signal.addEventListener('abort', () => controller.error(stopping.signal.reason))
          setImmediate(() => stopping.abort())
        },
      })
      return { stream }
    }
    const result = ai.streamText({
      model: new Mock({ doStream }),
      tools,
      messages: await ai.convertToModelMessages(messages, { tools }),
      stopWhen: (ai.isStepCount ?? ai.stepCountIs)?.(5),
      maxRetries: 0,
      abortSignal: stopping.signal,
      onError: () => {},
      ...(major === 7 && { toolApproval: { send_email: { type: 'user-approval', reason: 'It leaves the house.' } } }),
    })
    const ui = { originalMessages: messages, generateMessageId: () => `msg-${messages.length}`, sendSources: true }
    const stream =
      major === 7 ? ai.toUIMessageStream({ stream: result.stream, tools, ...ui }) : result.toUIMessageStream(ui)
    const response = ai.createUIMessageStreamResponse({ stream })
    return new Response(endedInOrder(response.body), { headers: response.headers })
  }

  const server = await serveCut(async (request) => {
    const [, chatId] = /^\/api\/chat\/([^/]+)\/stream$/.exec(new URL(request.url).pathname) ?? []
    if (request.method === 'GET' && chatId !== undefined) {
      const whole =
        typeof keeps === 'object'
          ? (await keeps.replay(decodeURIComponent(chatId)))?.pipeThrough(new TextEncoderStream())
          : await kept.get(decodeURIComponent(chatId))
      return whole === undefined
        ? new Response(null, { status: 204 })
        : new Response(whole, { headers: { 'content-type': 'text/event-stream' } })
    }
    // What the client posts.
    const { id, messages } = (await request.json()) as { readonly id: string; readonly messages: readonly UiMessage[] }
    posted.push(messages)
    const response = await answer(messages)
    if (keeps === true) kept.set(id, response.clone().arrayBuffer())
    if (typeof keeps !== 'object' || response.body === null) return response
    const [own, stored] = response.body.tee()
    keeps.keep(id, stored.pipeThrough(new TextDecoderStream()))
    // Who leaves one branch of a tee waits for the other.
    return new Response(endedInOrder(own), { headers: response.headers })
  }, cuts)
  return { ...server, api: `${server.origin}/api/chat`, mails, posted }
}
