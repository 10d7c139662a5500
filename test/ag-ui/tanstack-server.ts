import { z } from 'zod'
import type { AgUiRunInput } from '../../src/protocols/ag-ui/request.ts'
import { serveCut, type Cut, type CuttingServer } from '../support/cutting-server.ts'
import { LONG } from './script.ts'

/** What the tests use of `@tanstack/ai`. */
interface TanStackAi {
  chat(options: object): AsyncIterable<unknown>
  chatParamsFromRequest(request: Request): Promise<AgUiRunInput>
  memoryStream(request: Request): object
  mergeAgentTools(own: readonly object[], page: unknown): readonly object[]
  resumeServerSentEventsResponse(options: object): Response | Promise<Response>
  toServerSentEventsResponse(stream: AsyncIterable<unknown>, options: object): Response
  toolDefinition(definition: object): { server(run: (input: never) => Promise<unknown>): object }
}

interface ModelCall {
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[]
  readonly threadId?: string
  readonly runId?: string
}

type Event = Readonly<Record<string, unknown>>

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return Array.isArray(content)
    ? content.map((part: { content?: string; text?: string }) => part.content ?? part.text ?? '').join('')
    : ''
}

/** A model that says what its user wants to hear. Its ids are new in every call. */
function createModel(): object {
  let serial = 0
  return {
    kind: 'text',
    name: 'scripted',
    model: 'scripted',
    '~types': {},
    async structuredOutput() {
      throw new Error('The model has no script for that.')
    },
    async *chatStream({ messages, threadId = 'thread', runId = 'run' }: ModelCall): AsyncGenerator<Event> {
      const scenario = textOf(messages.findLast(({ role }) => role === 'user')?.content)
      // Of one length, so that all answers to one question have one.
      const id = `m${String(++serial).padStart(6, '0')}`
      const finish = (finishReason: string): Event => ({
        type: 'RUN_FINISHED',
        threadId,
        runId,
        finishReason,
        usage: { promptTokens: 3, completionTokens: 4, totalTokens: 7 },
      })
      yield { type: 'RUN_STARTED', threadId, runId }
      const last = messages.at(-1)
      const result = last?.role === 'tool' ? textOf(last.content) : undefined
      const tool = TOOLS[scenario]
      if (tool !== undefined && result === undefined) {
        const [toolCallName, input] = tool
        const toolCallId = `call-${serial}`
        const json = JSON.stringify(input)
        yield { type: 'TOOL_CALL_START', toolCallId, toolCallName, toolName: toolCallName, index: 0 }
        yield { type: 'TOOL_CALL_ARGS', toolCallId, delta: json.slice(0, 4) }
        yield { type: 'TOOL_CALL_ARGS', toolCallId, delta: json.slice(4) }
        yield { type: 'TOOL_CALL_END', toolCallId, toolCallName, toolName: toolCallName, input }
        yield finish('tool_calls')
        return
      }
      if (scenario === 'think') {
        yield { type: 'REASONING_START', messageId: `${id}-r` }
        yield { type: 'REASONING_MESSAGE_START', messageId: `${id}-r`, role: 'reasoning' }
        yield { type: 'REASONING_MESSAGE_CONTENT', messageId: `${id}-r`, delta: 'Bends wander.' }
        yield { type: 'REASONING_MESSAGE_END', messageId: `${id}-r` }
        yield { type: 'REASONING_END', messageId: `${id}-r` }
      }
      yield { type: 'TEXT_MESSAGE_START', messageId: id, role: 'assistant' }
      const words = result === undefined ? (scenario === 'long' ? LONG : ['Rivers ', 'meander.']) : ['So: ', result]
      for (const delta of words) {
        yield { type: 'TEXT_MESSAGE_CONTENT', messageId: id, delta }
        if (scenario === 'fail') throw new Error('sk-canary: overloaded')
      }
      yield { type: 'TEXT_MESSAGE_END', messageId: id }
      yield finish('stop')
    },
  }
}

const TOOLS: Readonly<Record<string, readonly [name: string, input: object] | undefined>> = {
  'look up': ['search', { q: 'rivers' }],
  ask: ['send_email', { to: 'ann@example.com' }],
  where: ['get_location', { precise: true }],
}

/** A server of TanStack AI over HTTP, and what it did. */
export interface TanStackServer extends CuttingServer {
  readonly url: string
  /** Inputs of the tool that needs consent, as often as it has run. */
  readonly mails: readonly unknown[]
  /** Inputs of the runs that were posted. */
  readonly posted: readonly AgUiRunInput[]
}

// The types of the package are not those of the lib that the tests are checked with.
const ai = (await import(/* @vite-ignore */ '@tanstack/ai')) as unknown as TanStackAi

/** The tool that needs consent, as the server has it and as a page of TanStack AI declares it. */
export const mailTool = ai.toolDefinition({
  name: 'send_email',
  description: 'Sends a mail',
  needsApproval: true,
  inputSchema: z.object({ to: z.string() }),
})

/** @param keeps whether it has a log of its runs, with ids */
export async function serveTanStack({
  keeps = true,
  cuts = [],
}: { readonly keeps?: boolean; readonly cuts?: readonly Cut[] } = {}): Promise<TanStackServer> {
  const mails: unknown[] = []
  const posted: AgUiRunInput[] = []
  const model = createModel()
  const tools = [
    ai
      .toolDefinition({ name: 'search', description: 'Searches', inputSchema: z.object({ q: z.string() }) })
      .server(async ({ q }: { readonly q: string }) => `3 hits for ${q}`),
    mailTool.server(async (input: { readonly to: string }) => {
      mails.push(input)
      return `sent to ${input.to}`
    }),
  ]
  const server = await serveCut(async (request) => {
    if (request.method === 'GET')
      return keeps
        ? ai.resumeServerSentEventsResponse({ adapter: ai.memoryStream(request) })
        : new Response(null, { status: 405 })
    const input = await ai.chatParamsFromRequest(request.clone())
    // What the client has posted is what it makes.
    posted.push((await request.json()) as AgUiRunInput)
    const { messages, threadId, runId, parentRunId, resume } = input
    const stream = ai.chat({
      adapter: model,
      messages,
      threadId,
      runId,
      ...(parentRunId !== undefined && { parentRunId }),
      ...(resume !== undefined && { resume }),
      tools: ai.mergeAgentTools(tools, input.tools),
    })
    return ai.toServerSentEventsResponse(
      stream,
      keeps ? { durability: { adapter: ai.memoryStream(request), batch: 1 } } : {},
    )
  }, cuts)
  return { ...server, url: `${server.origin}/api/chat`, mails, posted }
}
