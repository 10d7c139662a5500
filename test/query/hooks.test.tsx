// @vitest-environment jsdom
import { HydrationBoundary, onlineManager, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { CapClient } from '../../src/protocols/cap/client/cap-client.ts'
import { HealthBadge } from '../../src/components/health-badge.tsx'
import type { HealthCheckResponse } from '../../src/protocols/cap/schema/response.ts'
import { healthQueryOptions } from '../../src/query/query-options.ts'
import type { CapHealth, CapHealthOptions } from '../../src/query/hooks.ts'
import { useCapHealth } from '../../src/query/hooks.ts'
import { createApp, cross } from './serve.tsx'

// What is loaded on demand is there: no clock of a test moves that.
beforeAll(() => import('../../src/protocols/cap/rare-requests.ts'))
beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  onlineManager.setOnline(true)
})

/** An agent of which a test says how it is. */
function createAgent() {
  const agent = { status: 'ok' as HealthCheckResponse['status'] | 'down', asked: 0 }
  const client = new CapClient({
    baseUrl: 'https://agent.example',
    fetch: async () => {
      agent.asked += 1
      if (agent.status === 'down') throw new TypeError('fetch failed')
      return Response.json({
        status: agent.status,
        agent_id: '3f1f9a30-8f77-4a53-9a0a-31b6b5a5c001',
        version: '1.2.0',
        uptime_seconds: 5,
      })
    },
  })
  return { agent, client }
}

const summary = ({ status, stale, error, checkedAt }: CapHealth): string =>
  `${status}${stale ? ' stale' : ''} ${error?.code ?? ''}${checkedAt === undefined ? '' : '@'}`

function Badge(options: CapHealthOptions): ReactNode {
  const health = useCapHealth(options)
  return (
    <button type="button" onClick={() => void health.check()}>
      {summary(health)}
    </button>
  )
}

/** Lets what was asked be answered, after so many milliseconds. */
const pass = (ms = 0): Promise<void> =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(ms)
  })

describe('useCapHealth', () => {
  it('knows nothing, then what the agent says, and asks again every 30 seconds', async () => {
    const { agent, client } = createAgent()
    const view = render(<Badge />, { wrapper: createApp(client).App })
    expect(view.container.textContent).toBe('unknown ')
    await pass()
    expect(view.container.textContent).toBe('ok @')
    agent.status = 'degraded'
    await pass(29_000)
    expect(agent.asked).toBe(1)
    await pass(1500)
    expect(view.container.textContent).toBe('degraded @')
    agent.status = 'maintenance'
    await pass(30_500)
    expect(view.container.textContent).toBe('maintenance @')
    expect(agent.asked).toBe(3)
  })

  it('asks once for all components that show one client, and for each of two clients', async () => {
    const [one, other] = [createAgent(), createAgent()]
    other.agent.status = 'maintenance'
    const view = render(
      <>
        <Badge />
        <Badge />
        <Badge client={other.client} />
      </>,
      { wrapper: createApp(one.client).App },
    )
    await pass()
    expect([...view.container.children].map(({ textContent }) => textContent)).toEqual([
      'ok @',
      'ok @',
      'maintenance @',
    ])
    expect([one.agent.asked, other.agent.asked]).toEqual([1, 1])
  })

  it('keeps the last answer, as stale and with the reason, while nobody answers; and is fresh again when somebody does', async () => {
    const { agent, client } = createAgent()
    const view = render(<Badge intervalMs={1000} />, { wrapper: createApp(client).App })
    await pass()
    agent.status = 'down'
    await pass(1100)
    expect(view.container.textContent).toBe('ok stale network_error@')
    // The next question is the next attempt: there are none between.
    expect(agent.asked).toBe(2)
    agent.status = 'ok'
    await pass(1100)
    expect(view.container.textContent).toBe('ok @')
  })

  it('is stale while the machine is offline and asks nobody', async () => {
    const { agent, client } = createAgent()
    const view = render(<Badge intervalMs={1000} />, { wrapper: createApp(client).App })
    await pass()
    act(() => onlineManager.setOnline(false))
    await pass(5000)
    expect(view.container.textContent).toBe('ok stale @')
    expect(agent.asked).toBe(1)
  })

  it('does not ask when it is not to, asks only once without an interval, and asks when it is told', async () => {
    const { agent, client } = createAgent()
    const view = render(<Badge enabled={false} intervalMs={false} />, { wrapper: createApp(client).App })
    await pass(60_000)
    expect(agent.asked).toBe(0)
    view.rerender(<Badge intervalMs={false} />)
    await pass(60_000)
    expect(agent.asked).toBe(1)
    agent.status = 'degraded'
    act(() => view.getByRole('button').click())
    await pass()
    expect(view.container.textContent).toBe('degraded @')
  })

  it('has the words of HealthBadge', async () => {
    const { agent, client } = createAgent()
    agent.status = 'degraded'
    function Shown(): ReactNode {
      const { status, checkedAt, stale } = useCapHealth()
      return <HealthBadge status={status} checkedAt={checkedAt} stale={stale} />
    }
    const view = render(<Shown />, { wrapper: createApp(client).App })
    await pass()
    expect(view.container.querySelector('[data-state=degraded]')).not.toBeNull()
  })

  it('says what is missing when there is no client, or one that speaks something else', () => {
    expect(() =>
      renderToString(
        <QueryClientProvider client={new QueryClient()}>
          <Badge />
        </QueryClientProvider>,
      ),
    ).toThrow(/AgentProvider/)
    // No CapClient, on purpose.
    const other = { protocol: { name: 'A2A' } } as unknown as CapClient
    expect(() =>
      renderToString(
        <QueryClientProvider client={new QueryClient()}>
          <Badge client={other} />
        </QueryClientProvider>,
      ),
    ).toThrow(/speaks A2A/)
  })
})

describe('health that the server has asked for', () => {
  it('is shown at once, hydrates without a word, and is asked for again in time', async () => {
    const { agent, client } = createAgent()
    agent.status = 'degraded'
    const server = new QueryClient()
    await server.query(healthQueryOptions({ client, agent: 'docs' }))
    const state = cross(server)
    const page = (): ReactNode => (
      <HydrationBoundary state={state}>
        <Badge agent="docs" />
      </HydrationBoundary>
    )
    const { App: ServerApp } = createApp(client)
    const html = renderToString(<ServerApp>{page()}</ServerApp>)
    expect(html).toContain('degraded @')

    const root = document.body.appendChild(document.createElement('div'))
    root.innerHTML = html
    const recovered: unknown[] = []
    const { App } = createApp(client)
    const hydrated = await act(async () =>
      hydrateRoot(root, <App>{page()}</App>, { onRecoverableError: (error) => recovered.push(error) }),
    )
    await pass(1000)
    expect(root.textContent).toBe('degraded @')
    expect(recovered).toEqual([])
    expect(agent.asked).toBe(1)
    await pass(30_000)
    expect(agent.asked).toBe(2)
    act(() => hydrated.unmount())
    root.remove()
  })
})
