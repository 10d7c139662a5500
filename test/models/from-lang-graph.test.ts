import { describe, expect, it } from 'vitest'
import { textOf } from '../../src/index.ts'
import { chatMessages } from '../../src/server.ts'
import { fromLangGraph } from '../../src/server-models.ts'
import type { FromLangGraphOptions } from '../../src/server/models/from-lang-graph.ts'
import { createLimit, openModelPage, toolCall, type ModelPage } from './ask-agent.ts'
import { eventually } from '../support/eventually.ts'

interface Graph {
  stream(input: unknown, options: object): Promise<AsyncIterable<unknown>>
}

/** What is used of the packages. */
interface Packages {
  readonly StateGraph: new (state: unknown) => GraphBuilder
  readonly MessagesAnnotation: unknown
  readonly MemorySaver: new () => object
  readonly Command: new (options: { readonly resume: unknown }) => object
  interrupt(value: unknown): unknown
  readonly ToolNode: new (
    tools: readonly object[],
  ) => (state: { messages: readonly object[] }, config: unknown) => unknown
  tool(run: (input: object) => unknown, fields: object): object
  readonly AIMessage: new (fields: object) => object
  readonly ToolMessage: new (fields: object) => object
  readonly AIMessageChunk: new (fields: object) => object
  readonly ChatGenerationChunk: new (fields: object) => object
  readonly BaseChatModel: new (fields: object) => { invoke(messages: unknown, config?: unknown): Promise<object> }
}

interface GraphBuilder {
  addNode(name: string, node: (state: { messages: readonly object[] }, config: unknown) => unknown): GraphBuilder
  addEdge(from: string, to: string): GraphBuilder
  compile(options?: object): Graph
}

const load = (...path: readonly string[]): Promise<Partial<Packages>> =>
  // Their types are there only where the packages of test/models are installed.
  import(/* @vite-ignore */ path.join('/')) as Promise<Partial<Packages>>

const { StateGraph, MessagesAnnotation, MemorySaver, Command, interrupt } = (await load(
  '@langchain',
  'langgraph',
)) as Packages
const { ToolNode } = (await load('@langchain', 'langgraph', 'prebuilt')) as Packages
const { tool: langChainTool } = (await load('@langchain', 'core', 'tools')) as Packages
const { AIMessage, ToolMessage, AIMessageChunk } = (await load('@langchain', 'core', 'messages')) as Packages
const { ChatGenerationChunk } = (await load('@langchain', 'core', 'outputs')) as Packages
const { BaseChatModel } = (await load('@langchain', 'core', 'language_models', 'chat_models')) as Packages

interface Script {
  readonly pieces: readonly (string | readonly object[])[]
  readonly reason?: string
  readonly ends?: 'throw' | 'hang'
}

let aborted = 0

/** A chat model of LangChain that streams a script. */
class ScriptedModel extends BaseChatModel {
  readonly #script: Script

  constructor(script: Script) {
    super({})
    this.#script = script
  }

  _llmType(): string {
    return 'scripted'
  }

  async _generate(): Promise<never> {
    throw new Error('It streams only.')
  }

  async *_streamResponseChunks(
    _messages: unknown,
    { signal }: { readonly signal?: AbortSignal },
    manager?: { handleLLMNewToken(token: string, ...rest: unknown[]): Promise<void> },
  ): AsyncGenerator<object> {
    const { pieces, reason, ends } = this.#script
    const say = async (content: string | readonly object[], metadata: object): Promise<object> => {
      const message = new AIMessageChunk({ content, response_metadata: metadata })
      const token = typeof content === 'string' ? content : ''
      const chunk = new ChatGenerationChunk({ text: token, message })
      await manager?.handleLLMNewToken(token, undefined, undefined, undefined, undefined, { chunk })
      return chunk
    }
    for (const piece of pieces) yield await say(piece, {})
    if (ends === 'throw') throw new Error('canary: the model broke')
    if (ends === 'hang')
      await new Promise((_, reject) => {
        signal?.addEventListener('abort', () => {
          aborted += 1
          reject(new Error('aborted'))
        })
      })
    if (reason !== undefined) yield await say('', { finish_reason: reason })
  }
}

function modelGraph(script: Script): Graph {
  const model = new ScriptedModel(script)
  return new StateGraph(MessagesAnnotation)
    .addNode('model', async ({ messages }, config) => ({ messages: [await model.invoke(messages, config)] }))
    .addEdge('__start__', 'model')
    .addEdge('model', '__end__')
    .compile()
}

function open(
  graph: Graph,
  options:
    | FromLangGraphOptions
    | ((ask: Parameters<Parameters<typeof openModelPage>[0]>[0]['ask']) => FromLangGraphOptions) = {},
  signalOf: (signal: AbortSignal) => AbortSignal = (signal) => signal,
): ModelPage<unknown> {
  return openModelPage<unknown>(async (run) => {
    const messages = await chatMessages(run)
    return fromLangGraph(
      (resume, config) =>
        graph.stream(resume === undefined ? { messages } : new Command({ resume }), {
          ...config,
          signal: signalOf(run.signal),
          configurable: { thread_id: run.conversationId },
        }),
      run,
      typeof options === 'function' ? options(run.ask) : options,
    )
  })
}

describe('fromLangGraph', () => {
  it('says text as the model streams it, once', async () => {
    const { chat, answer } = open(modelGraph({ pieces: ['Rivers ', 'meander.'], reason: 'stop' }))
    await chat.sendMessage('Why?')
    expect([answer().status, textOf(answer())]).toEqual(['complete', 'Rivers meander.'])
  })

  it('shows reasoning before the text', async () => {
    const { chat, answer } = open(
      modelGraph({
        pieces: [[{ type: 'reasoning', reasoning: 'Bends wander.' }], [{ type: 'text', text: 'So.' }]],
        reason: 'stop',
      }),
    )
    await chat.sendMessage('Why?')
    expect(answer().parts).toMatchObject([
      { type: 'thought', text: 'Bends wander.', status: 'complete' },
      { type: 'text', text: 'So.' },
    ])
  })

  it('shows tools with what they were given and gave', async () => {
    const tool_calls = [{ id: 'c1', name: 'search', args: { q: 'rivers' }, type: 'tool_call' }]
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('model', () => ({ messages: [new AIMessage({ content: '', tool_calls })] }))
      .addNode('tools', () => ({ messages: [new ToolMessage({ content: '6', tool_call_id: 'c1', name: 'search' })] }))
      .addNode('end', () => ({ messages: [new AIMessage({ content: 'Six.' })] }))
      .addEdge('__start__', 'model')
      .addEdge('model', 'tools')
      .addEdge('tools', 'end')
      .addEdge('end', '__end__')
      .compile()
    const { chat, answer } = open(graph)
    await chat.sendMessage('How many?')
    expect(answer().parts).toMatchObject([
      { type: 'tool-call', name: 'search', input: { q: 'rivers' }, output: '6', status: 'complete' },
      { type: 'text', text: 'Six.' },
    ])
  })

  const asking = (mails: unknown[]): Graph =>
    new StateGraph(MessagesAnnotation)
      .addNode('send', () => {
        const isAllowed = interrupt({ action: 'send_email', to: 'ann' }) === true
        if (isAllowed) mails.push('sent')
        return { messages: [new AIMessage({ content: isAllowed ? 'Sent.' : 'Not sent.' })] }
      })
      .addEdge('__start__', 'send')
      .addEdge('send', '__end__')
      .compile({ checkpointer: new MemorySaver() })

  it.each([
    ['allow-once', ['sent'], 'Sent.'],
    ['reject-once', [], 'Not sent.'],
  ] as const)('asks what the graph asks, and resumes it with the answer: %s', async (optionId, done, said) => {
    const mails: unknown[] = []
    const { chat, answer, prompt } = open(asking(mails), (ask) => ({
      onInterrupt: async ({ value }) =>
        (await ask({ kind: 'approval', message: 'Send it?', subject: { name: 'send_email', input: value } })).type ===
        'allowed',
    }))
    const asked = chat.sendMessage('Mail Ann')
    await eventually(() => expect(prompt()?.state).toBe('open'))
    expect([prompt()?.subject?.input, mails]).toEqual([{ action: 'send_email', to: 'ann' }, []])
    await chat.answer(prompt()?.id ?? '', { type: 'option', optionId, digest: prompt()?.subject?.digest })
    await asked
    expect([answer().status, textOf(answer()), mails]).toEqual(['complete', said, done])
  })

  const tool = (mails: unknown[]): Graph => {
    const tool_calls = [{ id: 'c1', name: 'send_email', args: { to: 'ann' }, type: 'tool_call' }]
    return new StateGraph(MessagesAnnotation)
      .addNode('model', () => ({ messages: [new AIMessage({ content: '', tool_calls })] }))
      .addNode('tools', () => {
        const isAllowed = interrupt({ to: 'ann' }) === true
        if (isAllowed) mails.push('sent')
        const result = isAllowed ? { content: 'sent' } : { content: 'not allowed', status: 'error' }
        return { messages: [new ToolMessage({ ...result, tool_call_id: 'c1', name: 'send_email' })] }
      })
      .addNode('end', () => ({ messages: [new AIMessage({ content: 'Done.' })] }))
      .addEdge('__start__', 'model')
      .addEdge('model', 'tools')
      .addEdge('tools', 'end')
      .addEdge('end', '__end__')
      .compile({ checkpointer: new MemorySaver() })
  }

  it.each([
    ['allow-once', ['sent'], 'complete'],
    ['reject-once', [], 'denied'],
  ] as const)(
    'shows a call that interrupts as waiting, and then as the user has answered: %s',
    async (optionId, done, status) => {
      const mails: unknown[] = []
      const { chat, answer, prompt } = open(tool(mails), {
        onInterrupt: async ({ value, toolCalls: [call] }, ask) => {
          const subject = { name: call?.name ?? '', input: value }
          return (await ask({ kind: 'approval', message: 'Send it?', subject })).type === 'allowed'
        },
      })
      const asked = chat.sendMessage('Mail Ann')
      await eventually(() => expect(prompt()?.state).toBe('open'))
      const [waiting] = answer().parts.filter(({ type }) => type === 'tool-call')
      expect(waiting).toMatchObject({ name: 'send_email', status: 'waiting' })
      expect(prompt()?.subject).toMatchObject({ name: 'send_email', toolCallId: waiting?.id })
      await chat.answer(prompt()?.id ?? '', { type: 'option', optionId, digest: prompt()?.subject?.digest })
      await asked
      expect([toolCall(answer()), answer().status, mails]).toMatchObject([{ status }, 'complete', done])
    },
  )

  it('does not report a tool that interrupts to onError', async () => {
    const mails: unknown[] = []
    const send = langChainTool(
      () => {
        if (interrupt({ to: 'ann' }) === true) mails.push('sent')
        return 'sent'
      },
      {
        name: 'send_email',
        description: 'Sends',
        schema: { type: 'object', properties: {}, additionalProperties: true },
      },
    )
    const tool_calls = [{ id: 'c1', name: 'send_email', args: { to: 'ann' }, type: 'tool_call' }]
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('model', () => ({ messages: [new AIMessage({ content: '', tool_calls })] }))
      .addNode('tools', new ToolNode([send]))
      .addEdge('__start__', 'model')
      .addEdge('model', 'tools')
      .addEdge('tools', '__end__')
      .compile({ checkpointer: new MemorySaver() })
    const { chat, answer, reported } = open(graph, { onInterrupt: async () => true })
    await chat.sendMessage('Mail Ann')
    expect([answer().status, toolCall(answer()), mails, reported]).toMatchObject([
      'complete',
      { status: 'complete', output: 'sent' },
      ['sent'],
      [],
    ])
    expect(reported).toEqual([])
  })

  it('fails at an interrupt that nobody asks the user, and does nothing', async () => {
    const mails: unknown[] = []
    const { chat, answer } = open(asking(mails))
    await chat.sendMessage('Mail Ann')
    expect([answer().status, mails]).toEqual(['failed', []])
  })

  it.each<[string, Script, string]>([
    ['fails at once', { pieces: [], ends: 'throw' }, ''],
    ['fails midway', { pieces: ['Half '], ends: 'throw' }, 'Half '],
    ['reaches a limit', { pieces: ['Half '], reason: 'length' }, 'Half '],
    ['is cut by a filter', { pieces: ['Half '], reason: 'content_filter' }, 'Half '],
    ['times out', { pieces: ['Half '], ends: 'hang' }, 'Half '],
  ])('has no complete answer when the model %s', async (name, script, said) => {
    const limit = createLimit()
    const { chat, answer, reported } = open(modelGraph(script), {}, limit.signalOf)
    const ended = chat.sendMessage('Why?')
    if (name === 'times out') {
      await eventually(() => expect(textOf(answer())).toBe('Half '))
      limit.expire()
    }
    await ended
    expect([answer().status, textOf(answer())]).toEqual(['failed', said])
    expect(JSON.stringify(chat.getSnapshot())).not.toContain('canary')
    expect(reported).toHaveLength(1)
  })

  it('takes an answer without a finish reason for a cut one where the app says that its model gives one', async () => {
    const graph = modelGraph({ pieces: ['Half '] })
    const strict = open(graph, { requireFinishReason: true })
    await strict.chat.sendMessage('Why?')
    expect(strict.answer().status).toBe('failed')
    const whole = open(modelGraph({ pieces: ['All.'], reason: 'stop' }), { requireFinishReason: true })
    await whole.chat.sendMessage('Why?')
    expect(whole.answer().status).toBe('complete')
  })

  it('stops the model when the user cancels', async () => {
    aborted = 0
    const { chat, answer } = open(modelGraph({ pieces: ['Half '], ends: 'hang' }))
    void chat.sendMessage('Why?')
    await eventually(() => expect(textOf(answer())).toBe('Half '))
    expect(await chat.stop()).toBe('cancelled')
    await eventually(() => expect([answer().status, aborted]).toEqual(['stopped', 1]))
  })
})
