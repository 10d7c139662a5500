// @vitest-environment jsdom
import { createHash } from 'node:crypto'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { A2AClient } from '../../src/a2a.ts'
import { AiSdkClient } from '../../src/ai-sdk.ts'
import { AgUiClient } from '../../src/ag-ui.ts'
import { CapClient } from '../../src/cap.ts'
import { Chat } from '../../src/components.ts'
import type { AgentClient } from '../../src/index.ts'
import { createChat } from '../../src/index.ts'
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

/** What the agent does before it speaks: nothing, or a thought and a call of a tool. */
type Scenario = 'text' | 'work'

/** A client whose agent plays the scenario, and what the agent does once it was asked. Absent: it answers by itself. */
interface Wire {
  readonly client: AgentClient
  play?(): Promise<void>
}

function overCap(scenario: Scenario): Wire {
  const handler = createAgentHandler({
    agent: async function* () {
      if (scenario === 'work') {
        yield event(
          'THOUGHT_TRACE',
          { thought: THOUGHT, status: 'COMPLETE' },
          { id: '00000000-0000-4000-8000-000000000001' },
        )
        const call = { name: 'search', arguments: INPUT }
        const id = '00000000-0000-4000-8000-000000000002'
        yield event('TOOL_CALL', call, { id })
        yield event('TOOL_CALL', { ...call, result: OUTPUT }, { id })
      }
      yield* WORDS
    },
  })
  return {
    client: new CapClient({
      baseUrl: 'https://agent.test',
      fetch: async (url, init) => handler(new Request(url, init)),
    }),
  }
}

function overAgUi(scenario: Scenario): Wire {
  const work = [
    { type: 'REASONING_MESSAGE_START', messageId: 'r' },
    { type: 'REASONING_MESSAGE_CONTENT', messageId: 'r', delta: THOUGHT },
    { type: 'REASONING_MESSAGE_END', messageId: 'r' },
    ...called('c', 'search', INPUT, OUTPUT),
  ]
  const answer = [STARTED, ...(scenario === 'work' ? work : []), ...said('m', ...WORDS), FINISHED]
  return { client: new AgUiClient({ url: 'https://agent.test', fetch: serveAgUi({ POST: [answer] }).fetch }) }
}

function overAiSdk(scenario: Scenario): Wire {
  const work = [
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', delta: THOUGHT },
    { type: 'reasoning-end', id: 'r' },
    { type: 'tool-input-available', toolCallId: 'c', toolName: 'search', input: INPUT },
    { type: 'tool-output-available', toolCallId: 'c', output: OUTPUT },
  ]
  const answer = [
    { type: 'start', messageId: 'm' },
    { type: 'start-step' },
    ...(scenario === 'work' ? work : []),
    { type: 'text-start', id: 't' },
    ...WORDS.map((delta) => ({ type: 'text-delta', id: 't', delta })),
    { type: 'text-end', id: 't' },
    { type: 'finish-step' },
    { type: 'finish', finishReason: 'stop' },
  ]
  return { client: new AiSdkClient({ api: 'https://agent.test/chat', fetch: serveAiSdk({ POST: [answer] }).fetch }) }
}

function overA2A(): Wire {
  const agent = createMemoryAgent()
  return {
    client: new A2AClient({ transport: agent.transport }),
    async play() {
      await expect.poll(() => agent.streams).toBe(1)
      agent.status('WORKING')
      for (const words of WORDS) agent.append('answer', words)
      agent.status('COMPLETED')
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

async function transcriptOver({ client, play }: Wire): Promise<string> {
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
  cleanup()
  return shown
}

const hashOf = (html: string): string => createHash('sha256').update(html).digest('hex').slice(0, 16)

/** What only one protocol has, and shows: A2A tells of the task that an answer is. */
function withoutTask(html: string): string {
  return html.replace(/<div role="group" aria-label="Task".*?<\/div>/s, '')
}

describe('the transcript of an agent that says the same', () => {
  it('has one hash over CAP, AG-UI, the AI SDK and, but for its task, A2A', async () => {
    const cap = await transcriptOver(overCap('text'))
    expect(cap).toContain('<li><p dir="auto">time</p></li>')
    const a2a = await transcriptOver(overA2A())
    expect(withoutTask(a2a)).not.toBe(a2a)
    const others = [withoutTask(a2a), await transcriptOver(overAgUi('text')), await transcriptOver(overAiSdk('text'))]
    expect(others.map(hashOf)).toEqual(others.map(() => hashOf(cap)))
  })

  it('has one hash with a thought and a call of a tool over CAP, AG-UI and the AI SDK; A2A has neither', async () => {
    const cap = await transcriptOver(overCap('work'))
    expect(cap).toContain('search')
    const others = [await transcriptOver(overAgUi('work')), await transcriptOver(overAiSdk('work'))]
    expect(others.map(hashOf)).toEqual(others.map(() => hashOf(cap)))
  })
})
