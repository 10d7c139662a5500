// @vitest-environment jsdom
import { hydrate, QueryClient, useQuery } from '@tanstack/react-query'
import { act, render, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { StrictMode } from 'react'
import { describe, expect, it } from 'vitest'
import { assistStreamQueryOptions } from '../../src/query/query-options.ts'
import { fatal } from '../../src/server/run/agent-output.ts'
import { scriptedAgent, cut, restart } from '../../src/testing/scripted-agent.ts'
import { CapClient } from '../../src/protocols/cap/client/cap-client.ts'
import { REQUEST_ID } from '../server/peer.ts'
import { createApp, createGate, cross, requestOf, serveAgent } from './serve.tsx'

/** Shows the answer to the request, and its state. */
function mount(client: CapClient, queries = new QueryClient()) {
  const seen: string[] = []
  const options = assistStreamQueryOptions({ client, request: requestOf() })
  function Answer(): ReactNode {
    const { data, status, fetchStatus, error } = useQuery(options)
    const shown = `${status} ${fetchStatus} ${data?.status ?? 'nothing'} ${error?.code ?? ''}: ${data?.text ?? ''}`
    if (seen.at(-1) !== shown) seen.push(shown)
    return <p>{shown}</p>
  }
  const { App } = createApp(client, queries)
  const view = render(
    <StrictMode>
      <App>
        <Answer />
      </App>
    </StrictMode>,
  )
  return { view, seen, queries, options, text: () => view.container.textContent }
}

describe('a streamed answer as a query', () => {
  it('grows in the cache, and is complete when the agent has said so', async () => {
    const gate = createGate()
    const { client, asked, runs } = serveAgent(async function* () {
      yield 'Rivers '
      await gate.opened
      yield 'bend.'
    })
    const { text, options, queries } = mount(client)
    await waitFor(() => expect(text()).toBe('success fetching streaming : Rivers '))
    gate.open()
    await waitFor(() => expect(text()).toBe('success idle complete : Rivers bend.'))
    const answer = queries.getQueryData(options.queryKey)
    expect(answer?.requestId).toBe(REQUEST_ID)
    expect(answer?.packets.map(({ op }) => op)).toEqual(['DELTA', 'DELTA', 'CLOSE'])
    // StrictMode mounts everything twice.
    expect(asked).toHaveLength(1)
    expect(runs()).toBe(1)
  })

  it('is written at most once a frame, however many words come', async () => {
    const { client } = serveAgent(async function* () {
      for (let word = 0; word < 400; word += 1) yield 'bend '
    })
    const painted: (() => void)[] = []
    const frames = {
      next: (callback: () => void) => {
        painted.push(callback)
        return () => {}
      },
    }
    Object.assign(client.environment, { frames })
    const queries = new QueryClient()
    let writes = 0
    queries.getQueryCache().subscribe(({ type }) => {
      if (type === 'updated') writes += 1
    })
    const answer = await queries.query(assistStreamQueryOptions({ client, request: requestOf() }))
    expect(answer.text).toHaveLength(2000)
    // No frame was painted: what was written is the beginning of the fetch, the last state and the end.
    expect(writes).toBeLessThanOrEqual(4)
  })

  it('is fetched once: no window that comes back, no second component and no reconnect asks again', async () => {
    const { client, asked } = serveAgent(async function* () {
      yield 'Rivers bend.'
    })
    const { view, text, queries, options } = mount(client)
    await waitFor(() => expect(text()).toContain('complete'))
    act(() => {
      window.dispatchEvent(new Event('visibilitychange'))
      window.dispatchEvent(new Event('online'))
    })
    view.unmount()
    render(<Second options={options} />, { wrapper: createApp(client, queries).App })
    await act(() => new Promise((resolve) => setTimeout(resolve, 0)))
    expect(asked).toHaveLength(1)
  })

  it('keeps the words it had when the connection drops, and has each of them once', async () => {
    const agent = scriptedAgent(['Rivers ', cut(), 'bend ', cut('end'), 'slowly.'])
    const client = new CapClient({
      baseUrl: 'https://agent.example',
      fetch: agent.fetch,
      environment: { random: () => 0 },
    })
    const { text } = mount(client)
    await waitFor(() => expect(text()).toBe('success idle complete : Rivers bend slowly.'))
    expect(agent.attempts).toHaveLength(3)
  })

  it('has the words of the newest answer when the agent began again', async () => {
    const agent = scriptedAgent(['Rivers ', cut(), restart(), 'bend.'])
    const client = new CapClient({
      baseUrl: 'https://agent.example',
      fetch: agent.fetch,
      environment: { random: () => 0 },
    })
    const { text } = mount(client)
    await waitFor(() => expect(text()).toBe('success idle complete : Rivers bend.'))
  })

  it('gives the ServiceResponse of an agent that does not stream', async () => {
    const { client } = serveAgent(async () => ({ output: { text: 'At once.' } }))
    const { text, queries, options } = mount(client)
    await waitFor(() => expect(text()).toBe('success idle complete : At once.'))
    expect(queries.getQueryData(options.queryKey)?.response?.output).toEqual({ text: 'At once.' })
  })
})

describe('a streamed answer that fails', () => {
  it('keeps what had come and tells the error of the agent, after one run', async () => {
    const { client, runs } = serveAgent(async function* () {
      yield 'Rivers '
      yield fatal('quota_exceeded', 'No more today.')
    })
    const { text, queries, options } = mount(client)
    await waitFor(() => expect(text()).toBe('error idle streaming agent_error: Rivers '))
    expect(queries.getQueryState(options.queryKey)?.error?.agentCode).toBe('quota_exceeded')
    expect(runs()).toBe(1)
  })

  it('refuses what is not a request, typed, without sending', async () => {
    const { client, asked } = serveAgent(async () => {})
    // Wrong on purpose.
    const request = { request_id: 'x' } as unknown as ReturnType<typeof requestOf>
    await expect(new QueryClient().query(assistStreamQueryOptions({ client, request }))).rejects.toMatchObject({
      code: 'invalid_request',
    })
    expect(asked).toEqual([])
  })
})

describe('a streamed answer that is cancelled', () => {
  it('leaves the connection, keeps what had come as unfinished, and shows no less while it is asked for again', async () => {
    const gates = [createGate(), createGate()]
    const { client, asked, runs } = serveAgent(async function* () {
      yield 'Rivers '
      yield 'bend '
      await gates[0]?.opened
      yield 'slowly.'
      await gates[1]?.opened
    })
    const { text, seen, queries, options } = mount(client)
    await waitFor(() => expect(text()).toBe('success fetching streaming : Rivers bend '))
    await act(() => queries.cancelQueries(options))
    await waitFor(() => expect(text()).toBe('success idle stopped : Rivers bend '))
    expect(asked[0]?.signal?.aborted).toBe(true)

    const from = seen.length
    act(() => void queries.refetchQueries(options))
    gates[0]?.open()
    await waitFor(() => expect(text()).toContain('slowly.'))
    gates[1]?.open()
    await waitFor(() => expect(text()).toBe('success idle complete : Rivers bend slowly.'))
    expect(seen.slice(from).every((shown) => shown.includes('Rivers bend '))).toBe(true)
    expect(runs()).toBe(1)
  })

  it('stays stopped where it is shown again', async () => {
    const gate = createGate()
    const { client, asked } = serveAgent(async function* () {
      yield 'Rivers '
      await gate.opened
    })
    const { text, view, queries, options } = mount(client)
    await waitFor(() => expect(text()).toContain('Rivers'))
    await act(() => queries.cancelQueries(options))
    view.unmount()
    const again = mount(client, queries)
    await act(() => new Promise((resolve) => setTimeout(resolve, 0)))
    expect(again.text()).toBe('success idle stopped : Rivers ')
    expect(asked).toHaveLength(1)
    gate.open()
  })
})

describe('a streamed answer whose last reader goes', () => {
  it('leaves the connection, and continues where it is shown again', async () => {
    const gate = createGate()
    const { client, asked, runs } = serveAgent(async function* () {
      yield 'Rivers '
      await gate.opened
      yield 'bend.'
    })
    const { view, text, queries } = mount(client)
    await waitFor(() => expect(text()).toContain('Rivers'))
    view.unmount()
    await waitFor(() => expect(asked[0]?.signal?.aborted).toBe(true))
    gate.open()
    const again = mount(client, queries)
    expect(again.text()).toContain('Rivers ')
    await waitFor(() => expect(again.text()).toBe('success idle complete : Rivers bend.'))
    expect(again.seen.every((shown) => shown.includes('Rivers '))).toBe(true)
    expect([asked.length, runs()]).toEqual([2, 1])
  })
})

describe('a streamed answer that a server has fetched', () => {
  it('crosses to the page as JSON and is not asked for again', async () => {
    const { client, asked } = serveAgent(async function* () {
      yield 'Rivers bend.'
    })
    const server = new QueryClient()
    await server.query(assistStreamQueryOptions({ client, request: requestOf() }))
    const queries = new QueryClient()
    hydrate(queries, cross(server))
    const { text } = mount(client, queries)
    expect(text()).toBe('success idle complete : Rivers bend.')
    expect(asked).toHaveLength(1)
  })
})

function Second({ options }: { readonly options: ReturnType<typeof assistStreamQueryOptions> }): ReactNode {
  return <p>{useQuery(options).data?.text}</p>
}
