// @vitest-environment jsdom
import { act, cleanup, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { StrictMode } from 'react'
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest'
import { DRAIN_MS } from '../../../../src/seam/drain.ts'
import { A2AClient } from '../../../../src/protocols/a2a/client/a2a-client.ts'
import { AgentProvider } from '../../../../src/react/agent-provider.tsx'
import type { A2AChat, A2AChatOptions } from '../../../../src/protocols/a2a/hooks/use-a2a-chat.ts'
import { useA2AChat } from '../../../../src/protocols/a2a/hooks/use-a2a-chat.ts'
import type { MemoryAgent } from '../../../support/a2a/memory-agent.ts'
import { createMemoryAgent } from '../../../support/a2a/memory-agent.ts'
import { settle } from '../../../support/manual-clock.ts'
import type { ManualEnvironment } from '../../../support/manual-environment.ts'
import { createManualEnvironment } from '../../../support/manual-environment.ts'

let environment: ManualEnvironment
let agent: MemoryAgent
let client: A2AClient

beforeEach(() => {
  environment = createManualEnvironment()
  agent = createMemoryAgent()
  client = new A2AClient({ transport: agent.transport, environment })
})

afterEach(async () => {
  cleanup()
  await settle()
  // Responses are read to their end for a moment.
  await environment.clock.advance(DRAIN_MS)
  expect(agent.streams).toBe(0)
})

const rest = (): Promise<void> =>
  act(async () => {
    await settle()
    environment.paint()
  })

function mount(options: A2AChatOptions = {}, read: (chat: A2AChat) => unknown = () => '') {
  const seen: { chat?: A2AChat; renders: number } = { renders: 0 }
  function Probe(props: A2AChatOptions): ReactNode {
    const chat = useA2AChat(props)
    seen.chat = chat
    seen.renders += 1
    return String(read(chat))
  }
  const tree = (next: A2AChatOptions): ReactNode => (
    <StrictMode>
      <AgentProvider client={client}>
        <Probe {...next} />
      </AgentProvider>
    </StrictMode>
  )
  const view = render(tree(options))
  return {
    seen,
    update: (next: A2AChatOptions) => view.rerender(tree(next)),
    chat(): A2AChat {
      if (seen.chat === undefined) throw new Error('Nothing was rendered.')
      return seen.chat
    },
  }
}

async function ask({ chat }: ReturnType<typeof mount>, text: string): Promise<void> {
  await act(async () => void chat().sendMessage(text))
  await rest()
  agent.append('reply', 'So.')
  agent.status('COMPLETED')
  await rest()
}

describe('useA2AChat', () => {
  it('continues in the context of the answer before, and says which context and task that is', async () => {
    const view = mount()
    expect([view.chat().contextId, view.chat().taskId]).toEqual([undefined, undefined])
    await ask(view, 'Why do rivers meander?')
    expect([view.chat().contextId, view.chat().taskId]).toEqual(['ctx-1', 'task-1'])
    await ask(view, 'And why do they braid?')
    expect(agent.task.contextId).toBe('ctx-1')
    expect(view.chat().taskId).toBe('task-2')
    expect(view.chat().chat.getSnapshot().messages).toHaveLength(4)
  })

  it('joins the context it is given with its first message', async () => {
    const view = mount({ contextId: 'ctx-7' })
    expect(view.chat().contextId).toBe('ctx-7')
    expect(view.chat().chat.conversationId).toBe('ctx-7')
    await ask(view, 'Why do rivers meander?')
    expect(agent.task).toMatchObject({ id: 'task-1', contextId: 'ctx-7' })
  })

  it('shows another conversation for another context, and the first again when it comes back', async () => {
    const view = mount({ contextId: 'ctx-7' })
    await ask(view, 'Why do rivers meander?')
    const { chat } = view.chat()
    view.update({ contextId: 'ctx-8' })
    expect(view.chat().messages).toEqual([])
    await ask(view, 'And lakes?')
    expect(agent.task.contextId).toBe('ctx-8')
    view.update({ contextId: 'ctx-7' })
    expect(view.chat().chat).toBe(chat)
    expect(view.chat().messages).toHaveLength(2)
  })

  it('takes a conversation id beside a context', () => {
    const view = mount({ contextId: 'ctx-7', conversationId: 'mine' })
    expect(view.chat().chat.conversationId).toBe('mine')
  })

  it('renders not again for text when nothing that grows is read', async () => {
    const view = mount({}, ({ contextId }) => contextId)
    await act(async () => void view.chat().sendMessage('Why do rivers meander?'))
    await rest()
    const { renders } = view.seen
    for (let count = 0; count < 10; count++) {
      agent.append('reply', 'word ')
      await rest()
    }
    expect(view.seen.renders).toBe(renders)
    agent.status('COMPLETED')
    await rest()
    expect(view.chat().contextId).toBe('ctx-1')
  })

  it('gives messages the types of the app', () => {
    type Own = { metadata: { mood: string } }
    expectTypeOf<A2AChat<Own>['messages'][number]['metadata']>().toEqualTypeOf<{ mood: string } | undefined>()
    expectTypeOf<A2AChat['contextId']>().toEqualTypeOf<string | undefined>()
  })
})
