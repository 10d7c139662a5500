// @vitest-environment jsdom
import { act, cleanup, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DRAIN_MS } from '../../../../src/seam/drain.ts'
import { A2AClient } from '../../../../src/protocols/a2a/client/a2a-client.ts'
import { AgentProvider } from '../../../../src/react/agent-provider.tsx'
import type { A2ATask } from '../../../../src/protocols/a2a/hooks/use-a2a-task.ts'
import { useA2ATask } from '../../../../src/protocols/a2a/hooks/use-a2a-task.ts'
import type { AgentClient } from '../../../../src/session/agent-client.ts'
import { textOf } from '../../../../src/state/turn.ts'
import type { MemoryAgent } from '../../../support/a2a/memory-agent.ts'
import { createMemoryAgent } from '../../../support/a2a/memory-agent.ts'
import { settle } from '../../../support/manual-clock.ts'
import type { ManualEnvironment } from '../../../support/manual-environment.ts'
import { createManualEnvironment } from '../../../support/manual-environment.ts'
import { createScriptedPeer } from '../../../support/scripted-peer.ts'

let environment: ManualEnvironment
let agent: MemoryAgent
let client: A2AClient

beforeEach(async () => {
  environment = createManualEnvironment()
  agent = createMemoryAgent()
  client = new A2AClient({ transport: agent.transport, environment })
  // Another page has begun a task and was left.
  await client.sendMessage('Why do rivers meander?')
  agent.status('WORKING', 'Reading notes')
})

afterEach(async () => {
  cleanup()
  await settle()
  // Responses are read to their end for a moment.
  await environment.clock.advance(DRAIN_MS)
  expect(agent.streams).toBe(0)
  expect(agent.messages.length, 'the hook has sent a message').toBeLessThanOrEqual(2)
})

/** Lets the agent and the page come to rest, with everything painted. */
const rest = (ms = 0): Promise<void> =>
  act(async () => {
    await settle()
    await environment.clock.advance(ms)
    await settle()
    environment.paint()
  })

async function follow(taskId = 'task-1', over: AgentClient = client) {
  const seen: A2ATask[] = []
  function Probe({ id, at }: { readonly id: string; readonly at: number }): ReactNode {
    const task = useA2ATask(id)
    seen[at] = task
    return <p>{`${task.status ?? 'nothing'} ${task.statusText ?? ''}`}</p>
  }
  const tree = (id: string, count: number): ReactNode => (
    <StrictMode>
      <AgentProvider client={over}>
        {Array.from({ length: count }, (_, at) => (
          <Probe key={at} id={id} at={at} />
        ))}
      </AgentProvider>
    </StrictMode>
  )
  const view = render(tree(taskId, 1))
  await rest()
  return {
    text: (): string | null => view.container.textContent,
    task(at = 0): A2ATask {
      const task = seen[at]
      if (task === undefined) throw new Error('Nothing was rendered.')
      return task
    },
    show: async (count: number, id = taskId): Promise<void> => {
      view.rerender(tree(id, count))
      await rest()
    },
  }
}

describe('useA2ATask', () => {
  it('attaches to a running task with one stream and no message, also in StrictMode', async () => {
    const { task, text } = await follow()
    expect(text()).toBe('working Reading notes')
    expect(task()).toMatchObject({ status: 'working', isFollowing: true, error: undefined, artifacts: [], prompts: [] })
    expect(task().task).toMatchObject({ id: 'task-1', contextId: 'ctx-1' })
    expect(agent.calls.filter((call) => call === 'SubscribeToTask')).toHaveLength(1)
    expect(agent.messages).toHaveLength(1)
  })

  it('knows nothing before the agent has told, on a server too', () => {
    function Probe(): ReactNode {
      const { status, isFollowing, task } = useA2ATask('task-1')
      return <p>{`${status ?? 'nothing'} ${isFollowing} ${task?.id ?? 'none'}`}</p>
    }
    const html = renderToString(
      <AgentProvider client={client}>
        <Probe />
      </AgentProvider>,
    )
    expect(html).toBe('<p>nothing true none</p>')
    expect(agent.calls).toEqual(['SendMessage'])
  })

  it('shows artifacts as they grow, with the text of each as one part, and ends with the task', async () => {
    const { task } = await follow()
    agent.append('reply', 'Banks ')
    agent.append('notes', 'one')
    agent.append('reply', 'wear back.')
    await rest()
    expect(task().artifacts).toEqual([
      { artifactId: 'reply', parts: [{ text: 'Banks wear back.' }] },
      { artifactId: 'notes', parts: [{ text: 'one' }] },
    ])
    agent.status('COMPLETED')
    await rest()
    expect(task()).toMatchObject({ status: 'completed', isFollowing: false, statusText: undefined })
    const [answer] = task().chat.getSnapshot().messages
    expect(answer).toMatchObject({ role: 'assistant', status: 'complete' })
    expect(answer && textOf(answer)).toBe('Banks wear back.')
  })

  it('keeps artifacts and task the same objects while nothing of them changes', async () => {
    const { task, show } = await follow()
    agent.append('reply', 'Banks')
    await rest()
    const { artifacts, task: raw, cancel, retry } = task()
    await show(1)
    expect(task().artifacts).toBe(artifacts)
    expect(task().task).toBe(raw)
    expect([task().cancel, task().retry]).toEqual([cancel, retry])
  })

  it('lives through drops: it subscribes again and shows what was said meanwhile', async () => {
    const { task } = await follow()
    agent.append('reply', 'Banks ')
    await rest()
    agent.cut('reset')
    await rest()
    agent.append('reply', 'wear back.')
    expect(task().isFollowing).toBe(true)
    await rest(10_000)
    expect(task().artifacts[0]?.parts).toEqual([{ text: 'Banks wear back.' }])
    expect(agent.calls.filter((call) => call === 'SubscribeToTask')).toHaveLength(2)
    agent.status('COMPLETED')
    await rest()
    expect(task().status).toBe('completed')
  })

  it('shows a task that ended while nobody looked', async () => {
    agent.append('reply', 'Done before.')
    agent.status('COMPLETED')
    const { task } = await follow()
    expect(task()).toMatchObject({ status: 'completed', isFollowing: false })
    expect(task().artifacts[0]?.parts).toEqual([{ text: 'Done before.' }])
  })

  it('gives a failed task with its words, and one that the agent does not know as log_expired', async () => {
    const { task, show } = await follow()
    agent.status('FAILED', 'No map of this river.')
    await rest()
    expect(task()).toMatchObject({ status: 'failed', statusText: 'No map of this river.', isFollowing: false })
    expect(task().error).toMatchObject({ code: 'agent_error', agentCode: 'task_failed' })
    await show(1, 'task-9')
    expect(task()).toMatchObject({ status: undefined, task: undefined, isFollowing: false })
    expect(task().error?.code).toBe('log_expired')
  })

  it('cancels at the agent and shows the state the task is in then', async () => {
    const { task } = await follow()
    let result: unknown
    await act(async () => {
      result = await task().cancel()
    })
    await rest()
    expect(result).toBe('cancelled')
    expect(task()).toMatchObject({ status: 'canceled', isFollowing: false })
    expect(agent.calls.filter((call) => call === 'CancelTask')).toHaveLength(1)
  })

  it('shows the task as it was completed when a cancel came too late', async () => {
    const { task } = await follow()
    agent.mute()
    agent.append('reply', 'All of it.')
    agent.status('COMPLETED')
    agent.cancelCode = '-32002'
    await act(async () => void (await task().cancel()))
    await rest()
    expect(task()).toMatchObject({ status: 'completed' })
    expect(task().artifacts[0]?.parts).toEqual([{ text: 'All of it.' }])
  })

  it('has the question of a task that waits, and the answer goes to that task', async () => {
    agent.status('INPUT_REQUIRED', 'Which river?', 'question-1')
    const { task } = await follow()
    expect(task()).toMatchObject({ status: 'input-required', isFollowing: false })
    expect(task().prompts).toMatchObject([{ id: 'question-1', kind: 'form', message: 'Which river?', state: 'open' }])
    await act(async () => {
      await task().chat.answer('question-1', { type: 'value', value: { reply: 'the Loire' } })
    })
    await rest()
    agent.status('WORKING')
    agent.append('reply', 'The Loire bends.')
    await rest()
    expect(agent.messages).toHaveLength(2)
    expect(agent.task.id).toBe('task-1')
    expect(task()).toMatchObject({ status: 'working', prompts: [] })
    expect(task().artifacts[0]?.parts).toEqual([{ text: 'The Loire bends.' }])
  })

  it('has the sign-in of a task that waits for one, and follows on', async () => {
    agent.status('AUTH_REQUIRED', 'Sign in to Maps.', 'sign-in-1')
    const { task } = await follow()
    expect(task()).toMatchObject({ status: 'auth-required', isFollowing: true })
    expect(task().prompts).toMatchObject([{ kind: 'sign-in', state: 'open' }])
    agent.status('WORKING', 'Thank you')
    await rest()
    expect(task()).toMatchObject({ status: 'working', prompts: [] })
  })

  it('shares one stream between components, and closes it with the last of them', async () => {
    const { task, show, text } = await follow()
    await show(3)
    expect(agent.streams).toBe(1)
    expect(task(2).chat).toBe(task(0).chat)
    expect(text()).toBe('working Reading notes'.repeat(3))
    await show(0)
    await rest(0)
    expect(agent.streams).toBe(0)
    expect(agent.calls).not.toContain('CancelTask')
  })

  it('gives up after its retries and follows again when it is asked to', async () => {
    const { task } = await follow()
    agent.cutsAfterSnapshot = true
    agent.cut('reset')
    await rest(120_000)
    expect(task()).toMatchObject({ status: 'working', isFollowing: false })
    expect(task().error?.kind).toBe('connection')
    agent.cutsAfterSnapshot = false
    await act(async () => void task().retry())
    await rest()
    expect(task()).toMatchObject({ isFollowing: true, error: undefined })
    agent.status('COMPLETED')
    await rest()
    expect(task().status).toBe('completed')
  })

  it('says which client it needs', () => {
    const other: AgentClient = {
      protocol: createScriptedPeer().protocol,
      retry: client.retry,
      timeoutMs: client.timeoutMs,
      environment,
      createRequest: () => '',
    }
    function Probe(): ReactNode {
      return useA2ATask('task-1').status
    }
    expect(() =>
      renderToString(
        <AgentProvider client={other}>
          <Probe />
        </AgentProvider>,
      ),
    ).toThrow(/useA2ATask needs an A2AClient/)
    expect(() => renderToString(<Probe />)).toThrow(/There is no client/)
  })
})
