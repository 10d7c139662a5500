import type { Fetch } from '../../src/wire/fetch-transport.ts'

/** What is read of a message of AG-UI. */
interface AgUiMessage {
  readonly role: string
  readonly content?: unknown
  readonly toolCalls?: readonly { readonly function: { readonly name: string } }[]
}

/** The official client of AG-UI. */
export interface HttpAgent {
  readonly messages: readonly AgUiMessage[]
  readonly pendingInterrupts: readonly { readonly id: string; readonly message?: string }[]
  addMessage(message: object): void
  runAgent(input?: object, subscriber?: object): Promise<unknown>
  abortRun(): void
}

/** A question as TanStack's client has it. */
export interface BoundInterrupt {
  readonly kind: 'tool-approval' | 'generic' | 'unbound'
  readonly canResolve: boolean
  readonly interruptId: string
  readonly message?: string
  /** Absent: the client takes no answer. */
  resolveInterrupt?(...payload: readonly unknown[]): void
}

/** What `useChat` of TanStack AI is made of. */
export interface ChatClient {
  sendMessage(text: string): Promise<unknown>
  stop(): void
  getStatus(): string
  getMessages(): readonly {
    readonly role: string
    readonly parts: readonly (Readonly<Record<string, unknown>> & {
      readonly type: string
      readonly content?: string
    })[]
  }[]
  getInterrupts(): readonly BoundInterrupt[]
  resumeInterruptsUnsafe(resume: readonly object[]): Promise<boolean>
}

interface Packages {
  readonly HttpAgent: new (options: object) => HttpAgent
  readonly ChatClient: new (options: object) => ChatClient
  fetchServerSentEvents(url: string, options: object): object
}

// Their types are not those of the lib that the tests are checked with.
const agUi = (await import(/* @vite-ignore */ '@ag-ui/client')) as unknown as Packages
const tanStack = (await import(/* @vite-ignore */ '@tanstack/ai-client')) as unknown as Packages

/** A page with the official client of AG-UI. */
export interface HttpAgentPage {
  readonly agent: HttpAgent
  /** Says something. Gives how the run ended for the client, and what `onRunErrorEvent` was told. */
  say(text: string): Promise<{ readonly ended: string; readonly errors: readonly string[] }>
  answer(payload: object): Promise<{ readonly ended: string; readonly errors: readonly string[] }>
  /** Role and content of each message, or the names of the tools that it calls. */
  shown(): readonly unknown[]
}

export function httpAgentAt(url: string, fetch: Fetch = globalThis.fetch): HttpAgentPage {
  const agent = new agUi.HttpAgent({ url, fetch, threadId: crypto.randomUUID() })
  async function run(input: object): Promise<{ readonly ended: string; readonly errors: readonly string[] }> {
    const errors: string[] = []
    const onRunErrorEvent = ({ event }: { readonly event: { readonly message: string } }): void =>
      void errors.push(event.message)
    let ended = 'finished'
    // With nobody to take it, the client writes it to the console and rejects.
    const onRunFailed = ({ error }: { readonly error: Error }): object => {
      ended = error.message
      return { stopPropagation: true }
    }
    await agent.runAgent(input, { onRunErrorEvent, onRunFailed })
    return { ended, errors }
  }
  return {
    agent,
    say(content) {
      agent.addMessage({ id: crypto.randomUUID(), role: 'user', content })
      return run({})
    },
    answer: (payload) =>
      run({
        resume: agent.pendingInterrupts.map(({ id }) => ({ interruptId: id, status: 'resolved', payload })),
      }),
    shown: () =>
      agent.messages.map(({ role, content, toolCalls }) => [
        role,
        content ?? toolCalls?.map((call) => call.function.name).join(),
      ]),
  }
}

/** A page with the client of TanStack AI. */
export interface ChatClientPage {
  readonly client: ChatClient
  readonly errors: readonly string[]
  /** Says something, and waits for the end of its answer. */
  say(text: string): Promise<void>
  /** Answers the one question that is open. */
  answer(payload: { readonly approved: boolean; readonly editedArgs?: object }): void
  /** What the last message says; a call of a tool as its name and state. */
  shown(): readonly unknown[]
}

/** @param tools those of the server, without what they do: a question about one is bound to it */
export function chatClientAt(
  url: string,
  fetch: Fetch = globalThis.fetch,
  tools: readonly object[] = [],
): ChatClientPage {
  const errors: string[] = []
  const connection = tanStack.fetchServerSentEvents(url, {
    fetchClient: fetch,
    reconnect: { delayMs: 0 },
  })
  const client = new tanStack.ChatClient({
    connection,
    tools,
    threadId: crypto.randomUUID(),
    onError: ({ message }: Error) => void errors.push(message),
  })
  return {
    client,
    errors,
    async say(text) {
      await client.sendMessage(text)
    },
    answer(payload) {
      const [asked] = client.getInterrupts()
      if (asked?.resolveInterrupt === undefined) throw new Error('Nothing is asked that takes an answer.')
      // One that is bound to its tool takes consent apart from what is changed.
      const { approved, ...changed } = payload
      if (asked.kind === 'tool-approval') asked.resolveInterrupt(approved, changed)
      else asked.resolveInterrupt(payload)
    },
    shown: () =>
      client
        .getMessages()
        .at(-1)
        ?.parts.map(({ type, name, state, content }) => {
          if (type === 'tool-call') return [name, state]
          return type === 'tool-result' ? [type, content] : content
        }) ?? [],
  }
}
