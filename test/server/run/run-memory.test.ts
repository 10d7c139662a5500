import { describe, expect, it } from 'vitest'
import { CapClient, createChat } from '../../../src/index.ts'
import type { ConversationStore } from '../../../src/server/conversation/conversation-store.ts'
import { memoryConversationStore } from '../../../src/server/conversation/memory-conversation-store.ts'
import { createAgentHandler, type AgentHandlerOptions } from '../../../src/server/handler/agent-handler.ts'
import type { Agent, AgentRun } from '../../../src/server/run/agent.ts'
import { event, fatal, onStream } from '../../../src/server/run/agent-output.ts'
import { eventually } from '../../support/eventually.ts'

interface Page {
  readonly chat: ReturnType<typeof createChat>
  readonly errors: readonly unknown[]
}

/** A page with a chat, and an agent behind the real handler. */
function open(agent: Agent, options: Partial<AgentHandlerOptions> = {}): Page {
  const errors: unknown[] = []
  const handler = createAgentHandler({ agent, onError: (error) => errors.push(error), ...options })
  const client = new CapClient({
    baseUrl: 'https://agent.test',
    fetch: async (url, init) => handler(new Request(url, init)),
  })
  return { chat: createChat({ client: () => client, conversationId: crypto.randomUUID() }), errors }
}

async function said(run: AgentRun): Promise<string> {
  return (await run.history())
    .map(({ role, text, status }) => `${role[0]}:${text}${status === 'complete' ? '' : '!'}`)
    .join(' ')
}

const remembering: Agent = async function* (_request, run) {
  yield `[${await said(run)}] ${run.text}`
}

function lastText(chat: Page['chat']): string {
  const parts = chat.getSnapshot().messages.at(-1)?.parts ?? []
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
}

describe('an agent with a memory', () => {
  it('is given what was said before, each question with its answer', async () => {
    const { chat } = open(async function* (_request, run) {
      yield `${run.text}? `
      yield await said(run)
    })
    await chat.sendMessage('one')
    await chat.sendMessage('two')
    await chat.sendMessage('three')
    expect(lastText(chat)).toBe('three? u:one a:one?  u:two a:two? u:one a:one? ')
  })

  it('knows the conversation by its id', async () => {
    const ids: string[] = []
    const { chat } = open(async function* (_request, run) {
      ids.push(run.conversationId)
      yield 'Yes.'
    })
    await chat.sendMessage('one')
    expect(ids).toEqual([chat.conversationId])
  })

  it('forgets what was edited away, and an answer that was made again', async () => {
    const { chat } = open(remembering)
    await chat.sendMessage('one')
    await chat.sendMessage('two')
    await chat.sendMessage('three')
    const second = chat.getSnapshot().messages[2]
    await chat.edit(second?.id ?? '', 'deux')
    expect(lastText(chat)).toBe('[u:one a:[] one] deux')
    await chat.sendMessage('next')
    expect(lastText(chat)).toBe('[u:one a:[] one u:deux a:[u:one a:[] one] deux] next')
    await chat.regenerate()
    expect(lastText(chat)).toBe('[u:one a:[] one u:deux a:[u:one a:[] one] deux] next')
    const first = chat.getSnapshot().messages[0]
    await chat.edit(first?.id ?? '', 'un')
    expect(lastText(chat)).toBe('[] un')
  })

  it('keeps with each question which one it follows and which ones it replaces', async () => {
    const store = memoryConversationStore()
    const { chat } = open(remembering, { conversations: store })
    await chat.sendMessage('one')
    await chat.sendMessage('two')
    await chat.edit(chat.getSnapshot().messages[2]?.id ?? '', 'deux')
    const turns = await store.turns({ owner: '', id: chat.conversationId })
    const [first, second] = turns.map(({ id }) => id)
    expect(turns.map(({ text, after, replaces }) => ({ text, after, replaces }))).toEqual([
      { text: 'one', after: undefined, replaces: [] },
      { text: 'two', after: first, replaces: [] },
      { text: 'deux', after: first, replaces: [second] },
    ])
  })

  it('keeps the state that the page sent, with the patch that the agent made of it', async () => {
    const store = memoryConversationStore()
    const patching: Agent = async function* () {
      yield event('STATE_DELTA', { delta: [{ op: 'add', path: '/steps/-', value: 'fry' }] })
    }
    const { chat } = open(patching, { conversations: store })
    chat.changeState({ id: 'e1', value: { steps: ['cut'] } })
    await chat.sendMessage('one')
    const [turn] = await store.turns({ owner: '', id: chat.conversationId })
    expect(turn?.answer?.parts).toEqual([{ type: 'state', id: 'state', state: { steps: ['cut', 'fry'] } }])
  })

  it('is told that an answer was stopped or has failed, with the words that came', async () => {
    const { chat } = open(async function* (_request, run) {
      if (run.text === 'stop') {
        yield 'Half'
        await run.sleep(1e9)
      }
      if (run.text === 'throw') {
        yield 'Broken'
        throw new Error('The model broke.')
      }
      if (run.text === 'fatal') {
        yield 'Cut'
        yield fatal('model_failed', 'The model failed.')
        return
      }
      yield await said(run)
    })
    const stopping = chat.sendMessage('stop')
    await eventually(() => expect(lastText(chat)).toBe('Half'))
    expect(await chat.stop()).toBe('cancelled')
    await stopping
    await chat.sendMessage('throw')
    await chat.sendMessage('fatal')
    await chat.sendMessage('now')
    expect(lastText(chat)).toBe('u:stop a:Half! u:throw a:Broken! u:fatal a:Cut!')
  })

  it('is given tools, sources and the last form of an event, not only text', async () => {
    let parts: unknown
    const { chat } = open(async function* (_request, run) {
      if (run.text === 'and?') parts = (await run.history())[1]?.parts
      const id = run.uuid()
      yield event('TOOL_CALL', { name: 'search', arguments: { q: 'bends' } }, { id })
      yield 'They '
      yield event('TOOL_CALL', { name: 'search', arguments: { q: 'bends' }, result: [1] }, { id })
      yield 'meander.'
      yield onStream('aside', 'By the way.')
    })
    await chat.sendMessage('Why?')
    await chat.sendMessage('and?')
    expect(parts).toMatchObject([
      { type: 'tool-call', name: 'search', output: [1], status: 'complete' },
      { type: 'text', text: 'They meander.' },
      { type: 'text', text: 'By the way.' },
    ])
  })

  it('remembers an answer that was returned whole', async () => {
    const { chat } = open(async (_request, run) => ({ output: { text: `It is ${await said(run)}.` } }))
    await chat.sendMessage('one')
    await chat.sendMessage('two')
    await chat.sendMessage('three')
    expect((await open(remembering).chat.sendMessage('x')).status).toBe('accepted')
    expect(JSON.stringify(chat.getSnapshot().messages.at(-1)?.parts)).toContain('u:two a:It is u:one a:It is .')
  })

  it('never reads the conversation of another user, also under the same id', async () => {
    const conversations = memoryConversationStore()
    let user = 'ann'
    const { chat } = open(remembering, { conversations, authorize: () => user })
    await chat.sendMessage('My secret')
    user = 'bob'
    await chat.sendMessage('What was it?')
    expect(lastText(chat)).toBe('[] What was it?')
  })

  it('finds the answer before the client has seen its end', async () => {
    const order: string[] = []
    const inner = memoryConversationStore()
    const { chat } = open(remembering, {
      conversations: {
        ...inner,
        async finish(...answer) {
          await new Promise((resolve) => setTimeout(resolve, 20))
          await inner.finish(...answer)
          order.push('stored')
        },
      },
    })
    await chat.sendMessage('one').then(() => order.push('ended'))
    expect(order).toEqual(['stored', 'ended'])
  })
})

describe('a conversation store that fails', () => {
  const broken = (names: readonly (keyof ConversationStore)[]): ConversationStore => {
    const store = memoryConversationStore()
    const fail = async (): Promise<never> => {
      throw new Error('The database is down.')
    }
    return { ...store, ...Object.fromEntries(names.map((name) => [name, fail])) }
  }

  it('loses no answer: the agent continues, and the developer is told once', async () => {
    const { chat, errors } = open(
      async function* () {
        yield 'All is well.'
      },
      { conversations: broken(['begin', 'finish']) },
    )
    await chat.sendMessage('one')
    expect([lastText(chat), chat.getSnapshot().messages.at(-1)?.status]).toEqual(['All is well.', 'complete'])
    expect(errors).toMatchObject([{ message: 'The database is down.' }])
  })

  it('fails an agent that asks for the history, so that it never answers without what it should know', async () => {
    const { chat } = open(remembering, { conversations: broken(['turns']) })
    await chat.sendMessage('one')
    expect(chat.getSnapshot().messages.at(-1)?.status).toBe('failed')
    expect(chat.getSnapshot().error?.agentCode).toBe('internal_error')
  })
})
