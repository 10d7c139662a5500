// @vitest-environment jsdom
import { HydrationBoundary, QueryClient, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { act, render, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { isAgentError } from '../../src/base/agent-error.ts'
import { Chat } from '../../src/components/chat.tsx'
import { useCapChat } from '../../src/protocols/cap/hooks/use-cap-chat.ts'
import { createCapError } from '../../src/protocols/cap/errors.ts'
import { queryKeys, threadHistoryQueryOptions, threadListQueryOptions } from '../../src/query/query-options.ts'
import type { ChatMessage } from '../../src/state/turn.ts'
import { createApp, cross, serveAgent } from './serve.tsx'

const CONVERSATION = '5b0c7a2e-3d41-4f6b-9a58-0e2f6c1d7b90'

const ERROR = createCapError({
  kind: 'runtime',
  code: 'rate_limited',
  severity: 'TRANSIENT',
  message: 'Too many.',
  status: 429,
  retryAfterMs: 4000,
  cause: new Error('deep down'),
})
const MESSAGES: readonly ChatMessage[] = [
  { id: 'm1', role: 'user', status: 'sent', parts: [{ type: 'text', id: 't1', text: 'Why do rivers bend?' }] },
  {
    id: 'm2',
    role: 'assistant',
    status: 'failed',
    error: ERROR,
    parts: [
      { type: 'text', id: 't1', text: 'Because ' },
      { type: 'warning', id: 'w1', error: ERROR },
    ],
  },
  {
    id: 'm3',
    role: 'assistant',
    status: 'complete',
    parts: [{ type: 'text', id: 't1', text: 'Water takes the outer bank.' }],
  },
]

const { client } = serveAgent(async () => {})

function createStore() {
  const loads: string[] = []
  const list = threadListQueryOptions({
    load: async () => {
      loads.push('list')
      return [{ id: CONVERSATION, title: 'Rivers' }]
    },
  })
  const history = threadHistoryQueryOptions({
    conversationId: CONVERSATION,
    load: async (conversationId) => {
      loads.push(conversationId)
      return MESSAGES
    },
  })
  return { loads, list: { ...list, staleTime: 60_000 }, history: { ...history, staleTime: 60_000 } }
}

describe('the list of conversations', () => {
  it('holds whatever the store keeps of each, typed', async () => {
    const { list } = createStore()
    function Titles(): ReactNode {
      const { data } = useSuspenseQuery(list)
      return (
        <ul>
          {data.map(({ id, title }) => (
            <li key={id}>{title}</li>
          ))}
        </ul>
      )
    }
    const queries = new QueryClient()
    await queries.query(list)
    const view = render(<Titles />, { wrapper: createApp(client, queries).App })
    expect(view.container.textContent).toBe('Rivers')
    expect(queries.getQueryData(queryKeys.threads())).toEqual([{ id: CONVERSATION, title: 'Rivers' }])
  })

  it('does not mix lists of different scopes', async () => {
    const queries = new QueryClient()
    const of = (scope: string) => queries.query(threadListQueryOptions({ scope, load: async () => [scope] }))
    expect(await of('mine')).toEqual(['mine'])
    expect(await of('shared')).toEqual(['shared'])
  })

  it('tells the store when nobody waits any more', async () => {
    let left = false
    const list = threadListQueryOptions({
      load: ({ signal }) =>
        new Promise<readonly string[]>(() => {
          signal.addEventListener('abort', () => {
            left = true
          })
        }),
    })
    function Titles(): ReactNode {
      return useQuery(list).status
    }
    const view = render(<Titles />, { wrapper: createApp(client).App })
    await act(() => Promise.resolve())
    view.unmount()
    expect(left).toBe(true)
  })
})

describe('the history of a conversation', () => {
  it('crosses from a server to a page as JSON, with its errors', async () => {
    const { history, loads } = createStore()
    const server = new QueryClient()
    await server.query(history)
    const seen: (readonly ChatMessage[] | undefined)[] = []
    function Read(): ReactNode {
      const { data } = useQuery(history)
      seen.push(data)
      return null
    }
    const { App } = createApp(client)
    render(
      <HydrationBoundary state={cross(server)}>
        <Read />
      </HydrationBoundary>,
      { wrapper: App },
    )
    const messages = seen.at(-1)
    expect(isAgentError(messages?.[1]?.error)).toBe(true)
    expect(messages?.[1]?.error).toMatchObject({
      code: 'rate_limited',
      status: 429,
      retryAfterMs: 4000,
      retryable: true,
    })
    const warning = messages?.[1]?.parts[1]
    expect(warning?.type === 'warning' && isAgentError(warning.error)).toBe(true)
    expect(messages?.[2]).toEqual(MESSAGES[2])
    expect(loads).toEqual([CONVERSATION])
  })

  it('is loaded where no server has done it', async () => {
    const { history, loads } = createStore()
    function Read(): ReactNode {
      return <p>{useQuery(history).data?.length}</p>
    }
    const view = render(<Read />, { wrapper: createApp(client).App })
    await waitFor(() => expect(view.container.textContent).toBe('3'))
    expect(loads).toEqual([CONVERSATION])
  })

  it('is a chat on the server and on the page, with no word from React and none loaded twice', async () => {
    const { history, loads } = createStore()
    const server = new QueryClient()
    await server.query(history)
    const state = cross(server)
    function Conversation(): ReactNode {
      const { data } = useSuspenseQuery(history)
      const { chat } = useCapChat({ conversationId: CONVERSATION, initialMessages: data })
      return <Chat chat={chat} />
    }
    const page = (): ReactNode => {
      const { App } = createApp(client)
      return (
        <App>
          <HydrationBoundary state={state}>
            <Conversation />
          </HydrationBoundary>
        </App>
      )
    }
    const html = renderToString(page())
    expect(html).toContain('Water takes the outer bank.')

    const root = document.body.appendChild(document.createElement('div'))
    root.innerHTML = html
    const recovered: unknown[] = []
    const hydrated = await act(async () =>
      hydrateRoot(root, page(), { onRecoverableError: (error) => recovered.push(error) }),
    )
    expect(recovered).toEqual([])
    expect(root.textContent).toContain('Water takes the outer bank.')
    expect(loads).toEqual([CONVERSATION])
    act(() => hydrated.unmount())
    root.remove()
  })
})
