import { z } from 'zod'
import { serve } from '../server/peer.ts'

/** Words of the long answer. */
export const LONG = Array.from({ length: 12 }, (_, at) => `Sentence ${at} of the river. `)

type ModelPart = Readonly<Record<string, unknown>>

interface Prompt {
  readonly prompt: readonly {
    readonly role: string
    readonly content: string | readonly { readonly text?: string }[]
  }[]
}

/** What the tests use of the packages of Mastra. */
interface Mastra {
  readonly Agent: new (options: object) => object
  readonly Mastra: new (options: object) => object
  readonly createTool: (definition: object) => object
  readonly MastraAgent: {
    getLocalAgent(options: object): {
      run(input: unknown): {
        subscribe(observer: { next(event: unknown): void; error(error: unknown): void; complete(): void }): {
          unsubscribe(): void
        }
      }
    }
  }
  readonly EventEncoder: new (options: object) => { encode(event: unknown): string; getContentType(): string }
}

const CALLS: Readonly<Record<string, readonly [name: string, input: object] | undefined>> = {
  'look up': ['search', { q: 'rivers' }],
  ask: ['send_email', { to: 'ann@example.com' }],
  where: ['get_location', { precise: true }],
}

const text = (...deltas: readonly string[]): ModelPart[] => [
  { type: 'text-start', id: 't' },
  ...deltas.map((delta) => ({ type: 'text-delta', id: 't', delta })),
  { type: 'text-end', id: 't' },
]

const finish = (finishReason: string): ModelPart => ({
  type: 'finish',
  finishReason,
  usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7 },
})

/** What the model says next. */
function partsOf({ prompt }: Prompt, serial: number): readonly ModelPart[] {
  const content = prompt.findLast(({ role }) => role === 'user')?.content ?? ''
  const scenario = typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('')
  if (scenario === 'fail') throw new Error('sk-canary: overloaded')
  if (prompt.at(-1)?.role === 'tool') return [...text('So ', 'be it.'), finish('stop')]
  const call = CALLS[scenario]
  if (call !== undefined) {
    const [toolName, input] = call
    const id = `call-${serial}`
    const json = JSON.stringify(input)
    return [
      { type: 'tool-input-start', id, toolName },
      { type: 'tool-input-delta', id, delta: json },
      { type: 'tool-input-end', id },
      { type: 'tool-call', toolCallId: id, toolName, input: json },
      finish('tool-calls'),
    ]
  }
  const thought = [
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', delta: 'Bends wander.' },
    { type: 'reasoning-end', id: 'r' },
  ]
  const words = scenario === 'long' ? LONG : ['Rivers ', 'meander.']
  return [...(scenario === 'think' ? thought : []), ...text(...words), finish('stop')]
}

/** A Mastra agent over HTTP, by its bridge to AG-UI. */
export interface MastraServer {
  readonly url: string
  /** How many runs were posted. */
  readonly posts: number
  /** Inputs of the tool that needs consent, as often as it has run. */
  readonly mails: readonly unknown[]
}

export async function serveMastra(): Promise<MastraServer> {
  // Their types are there only where the packages of test/mastra are installed.
  const packages: unknown[] = await Promise.all(
    ['@mastra/core', '@mastra/core/agent', '@mastra/core/tools', '@ag-ui/mastra', '@ag-ui/encoder'].map(
      (name) => import(/* @vite-ignore */ name),
    ),
  )
  const { Agent, Mastra, createTool, MastraAgent, EventEncoder } = Object.assign({}, ...packages) as Mastra
  const mails: unknown[] = []
  let posts = 0
  let serial = 0
  const model = {
    specificationVersion: 'v2',
    provider: 'scripted',
    modelId: 'scripted',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('The model has no script for that.')),
    async doStream(call: Prompt) {
      const left: ModelPart[] = [{ type: 'stream-start', warnings: [] }, ...partsOf(call, ++serial)]
      const stream = new ReadableStream({
        pull(controller) {
          const part = left.shift()
          if (part === undefined) controller.close()
          else controller.enqueue(part)
        },
      })
      return { stream }
    },
  }
  const search = createTool({
    id: 'search',
    description: 'Searches',
    inputSchema: z.object({ q: z.string() }),
    execute: async ({ q }: { readonly q: string }) => `3 hits for ${q}`,
  })
  const sendEmail = createTool({
    id: 'send_email',
    description: 'Sends a mail',
    requireApproval: true,
    inputSchema: z.object({ to: z.string() }),
    execute: async (input: object) => {
      mails.push(input)
      return 'sent'
    },
  })
  const tools = { search, send_email: sendEmail }
  const mastra = new Mastra({
    agents: { scripted: new Agent({ id: 'scripted', name: 'scripted', instructions: 'Say it.', model, tools }) },
    logger: false,
  })
  const origin = await serve((req, res) => {
    let body = ''
    req.on('data', (bytes: Buffer) => (body += bytes.toString()))
    req.on('end', () => {
      if (req.method !== 'POST') return void res.writeHead(405).end()
      posts += 1
      // What the client posts.
      const input = JSON.parse(body) as { readonly threadId: string }
      const agent = MastraAgent.getLocalAgent({ mastra, agentId: 'scripted', resourceId: input.threadId })
      const encoder = new EventEncoder({})
      res.writeHead(200, { 'content-type': encoder.getContentType() })
      agent.run(input).subscribe({
        next: (event) => void res.write(encoder.encode(event)),
        error: () => res.end(encoder.encode({ type: 'RUN_ERROR', message: 'The agent failed.' })),
        complete: () => res.end(),
      })
    })
  })
  return {
    url: `${origin}/agent`,
    get posts() {
      return posts
    },
    mails,
  }
}
