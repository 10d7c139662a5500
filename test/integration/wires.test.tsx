// @vitest-environment jsdom
import { createHash } from 'node:crypto'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { A2AClient } from '../../src/a2a.ts'
import { AiSdkClient } from '../../src/ai-sdk.ts'
import { AgUiClient } from '../../src/ag-ui.ts'
import { createArcpRuntime, type ArcpTool } from '../../src/arcp-runtime.ts'
import { ArcpClient, memoryTransport, toolClient } from '../../src/arcp.ts'
import { CapClient, createChat } from '../../src/index.ts'
import { Chat } from '../../src/components.ts'
import type { AgentClient } from '../../src/index.ts'
import { AgentProvider } from '../../src/react.ts'
import { createAgentHandler, event } from '../../src/server.ts'
import { createMemoryAgent } from '../support/a2a/memory-agent.ts'
import { called, FINISHED, said, serveAgUi, STARTED } from '../support/ag-ui-server.ts'
import { serveAiSdk } from '../support/ai-sdk-server.ts'
import { loadOnDemand } from '../support/load-on-demand.ts'

// One agent that says the same over every protocol is one chat on the page.

beforeAll(loadOnDemand)
afterEach(cleanup)

const WORDS = ['Rivers **bend**', ' for three reasons:\n\n', '1. water\n2. sand\n', '3. time\n'] as const
const INPUT = { q: 'rivers' }
const THOUGHT = 'Look it up.'
const OUTPUT = '3 hits'

/** What the agent does before it speaks: nothing, a thought, or a thought and a call of a tool. */
type Scenario = 'text' | 'thought' | 'work'

/** A client whose agent plays the scenario, and what the agent does once it was asked. Absent: it answers by itself. */
interface Wire {
  readonly client: AgentClient
  play?(): Promise<void>
  /** Ends what outlives the chat. Absent: nothing does. */
  close?(): Promise<void>
}

function overCap(scenario: Scenario, words: readonly string[] = WORDS): Wire {
  const handler = createAgentHandler({
    agent: async function* () {
      if (scenario !== 'text')
        yield event(
          'THOUGHT_TRACE',
          { thought: THOUGHT, status: 'COMPLETE' },
          { id: '00000000-0000-4000-8000-000000000001' },
        )
      if (scenario === 'work') {
        const call = { name: 'search', arguments: INPUT }
        const id = '00000000-0000-4000-8000-000000000002'
        yield event('TOOL_CALL', call, { id })
        yield event('TOOL_CALL', { ...call, result: OUTPUT }, { id })
      }
      yield* words
    },
  })
  return {
    client: new CapClient({
      baseUrl: 'https://agent.test',
      fetch: async (url, init) => handler(new Request(url, init)),
    }),
  }
}

function overAgUi(scenario: Scenario, words: readonly string[] = WORDS): Wire {
  const thought = [
    { type: 'REASONING_MESSAGE_START', messageId: 'r' },
    { type: 'REASONING_MESSAGE_CONTENT', messageId: 'r', delta: THOUGHT },
    { type: 'REASONING_MESSAGE_END', messageId: 'r' },
  ]
  const before = [
    ...(scenario === 'text' ? [] : thought),
    ...(scenario === 'work' ? called('c', 'search', INPUT, OUTPUT) : []),
  ]
  const answer = [STARTED, ...before, ...said('m', ...words), FINISHED]
  return { client: new AgUiClient({ url: 'https://agent.test', fetch: serveAgUi({ POST: [answer] }).fetch }) }
}

function overAiSdk(scenario: Scenario, words: readonly string[] = WORDS): Wire {
  const thought = [
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', delta: THOUGHT },
    { type: 'reasoning-end', id: 'r' },
  ]
  const call = [
    { type: 'tool-input-available', toolCallId: 'c', toolName: 'search', input: INPUT },
    { type: 'tool-output-available', toolCallId: 'c', output: OUTPUT },
  ]
  const answer = [
    { type: 'start', messageId: 'm' },
    { type: 'start-step' },
    ...(scenario === 'text' ? [] : thought),
    ...(scenario === 'work' ? call : []),
    { type: 'text-start', id: 't' },
    ...words.map((delta) => ({ type: 'text-delta', id: 't', delta })),
    { type: 'text-end', id: 't' },
    { type: 'finish-step' },
    { type: 'finish', finishReason: 'stop' },
  ]
  return { client: new AiSdkClient({ api: 'https://agent.test/chat', fetch: serveAiSdk({ POST: [answer] }).fetch }) }
}

function overA2A(words: readonly string[] = WORDS): Wire {
  const agent = createMemoryAgent()
  return {
    client: new A2AClient({ transport: agent.transport }),
    async play() {
      await expect.poll(() => agent.streams).toBe(1)
      agent.status('WORKING')
      for (const piece of words) agent.append('answer', piece)
      agent.status('COMPLETED')
    },
  }
}

function overArcp(scenario: Exclude<Scenario, 'work'>, words: readonly string[] = WORDS): Wire {
  const assistant: ArcpTool = async function* (_given, { stream }) {
    if (scenario === 'thought') {
      const thought = stream('thought')
      await thought.write(THOUGHT)
      thought.close()
    }
    yield* words
  }
  const runtime = createArcpRuntime({ tools: { assistant } })
  const arcp = new ArcpClient({ transport: memoryTransport(runtime.accept) })
  return {
    client: toolClient(arcp, { tool: 'assistant', toArguments: ({ text }) => ({ question: text }) }),
    async close() {
      arcp.close()
      await runtime.close()
    },
  }
}

/** Marks that the page makes by itself: times, and ids by which its elements find each other. */
function withoutOwnMarks(html: string): string {
  const ids = new Map<string, string>()
  return html
    .replaceAll(/<time[^>]*>[^<]*<\/time>/g, '<time></time>')
    .replaceAll(
      /\b(id|for|aria-(?:labelledby|describedby|controls)|data-message-id)="([^"]*)"/g,
      (_all, name: string, id: string) => {
        const known = ids.get(id) ?? `id-${ids.size + 1}`
        ids.set(id, known)
        return `${name}="${known}"`
      },
    )
}

async function transcriptOver({ client, play, close }: Wire): Promise<string> {
  const chat = createChat({ client: () => client, conversationId: '00000000-0000-4000-8000-00000000000c' })
  render(
    <AgentProvider client={client}>
      <Chat chat={chat} />
    </AgentProvider>,
  )
  await act(async () => {
    const sent = chat.sendMessage('Why do rivers bend?')
    await play?.()
    await sent
  })
  const html = (): string => screen.getByRole('log').outerHTML
  // The controls of the answer come with its end, in a frame of the page; its markdown, as soon as the engine is loaded.
  while (!html().includes('aria-label="Regenerate"') || !html().includes('class="cs-md"'))
    await act(() => new Promise((resolve) => setImmediate(resolve)))
  const shown = withoutOwnMarks(html())
  await chat.dispose()
  await close?.()
  cleanup()
  return shown
}

const hashOf = (html: string): string => createHash('sha256').update(html).digest('hex').slice(0, 16)

/** What only one protocol has, and shows: A2A reports the task that an answer is. */
function withoutTask(html: string): string {
  return html.replace(/<div role="group" aria-label="Task".*?<\/div>/s, '')
}

/** The hash over each wire of one scenario. */
async function hashesOf(wires: Readonly<Record<string, Wire>>): Promise<Readonly<Record<string, string>>> {
  const hashes: Record<string, string> = {}
  for (const [name, wire] of Object.entries(wires)) hashes[name] = hashOf(await transcriptOver(wire))
  return hashes
}

describe('the transcript of an agent that says the same', () => {
  it('has one hash over CAP, AG-UI, the AI SDK, ARCP and, but for its task, A2A', async () => {
    const cap = await transcriptOver(overCap('text'))
    expect(cap).toContain('<li><p dir="auto">time</p></li>')
    const a2a = await transcriptOver(overA2A())
    expect(withoutTask(a2a)).not.toBe(a2a)
    const hash = hashOf(cap)
    expect(hashOf(withoutTask(a2a))).toBe(hash)
    const others = { agUi: overAgUi('text'), aiSdk: overAiSdk('text'), arcp: overArcp('text') }
    expect(await hashesOf(others)).toEqual({ agUi: hash, aiSdk: hash, arcp: hash })
  })

  it('has one hash with a thought over CAP, AG-UI, the AI SDK and ARCP; A2A has no thoughts', async () => {
    const cap = await transcriptOver(overCap('thought'))
    expect(cap).toContain(THOUGHT)
    const hash = hashOf(cap)
    const others = { agUi: overAgUi('thought'), aiSdk: overAiSdk('thought'), arcp: overArcp('thought') }
    expect(await hashesOf(others)).toEqual({ agUi: hash, aiSdk: hash, arcp: hash })
  })

  // A2A has no tool calls. In ARCP the answer itself is such a call, a job, and a job has no calls.
  it('has one hash with a thought and a call of a tool over CAP, AG-UI and the AI SDK', async () => {
    const cap = await transcriptOver(overCap('work'))
    expect(cap).toContain('search')
    const hash = hashOf(cap)
    expect(await hashesOf({ agUi: overAgUi('work'), aiSdk: overAiSdk('work') })).toEqual({ agUi: hash, aiSdk: hash })
  })
})

describe('halves of a surrogate pair in their own pieces', () => {
  const HALVES = ['The ri', 'ver \ud83c', '\udf0a and 👩', '\u200d', '\ud83d', '\udd2c.']

  it.each([
    ['CAP', () => overCap('text', HALVES)],
    ['AG-UI', () => overAgUi('text', HALVES)],
    ['the AI SDK', () => overAiSdk('text', HALVES)],
    ['A2A', () => overA2A(HALVES)],
    ['ARCP', () => overArcp('text', HALVES)],
  ])('are one character over %s', async (_, wire) => {
    expect(await transcriptOver(wire())).toContain('<p dir="auto">The river 🌊 and 👩‍🔬.</p>')
  })
})
