// @vitest-environment jsdom
import { QueryClient, useQuery } from '@tanstack/react-query'
import { act, render, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { StrictMode } from 'react'
import { describe, expect, it } from 'vitest'
import { assistQueryOptions, queryKeys } from '../../src/query/query-options.ts'
import { REQUEST_ID } from '../server/peer.ts'
import { createApp, createGate, requestOf, serveAgent } from './serve.tsx'

const json = async () => ({ output: { text: 'At once.' } })

describe('a JSON answer as a query', () => {
  it('is fetched once for all components that ask with the same request id', async () => {
    const { client, asked, runs } = serveAgent(json)
    const { App, queries } = createApp(client)
    function Answer(): ReactNode {
      const { data } = useQuery(assistQueryOptions({ client, request: requestOf() }))
      return <p>{String(data?.output['text'])}</p>
    }
    const view = render(
      <StrictMode>
        <App>
          <Answer />
          <Answer />
        </App>
      </StrictMode>,
    )
    await waitFor(() => expect(view.container.textContent).toBe('At once.At once.'))
    expect(runs()).toBe(1)
    // StrictMode mounts everything twice.
    expect(asked).toHaveLength(1)
    expect(queries.getQueryData(queryKeys.assist(REQUEST_ID))).toMatchObject({ request_id: REQUEST_ID })
  })

  it('fails with the error of the client, whose attempts are the only ones', async () => {
    const { client, asked } = serveAgent(json, { authorize: () => new Response(null, { status: 503 }) })
    const queries = new QueryClient()
    await expect(queries.query(assistQueryOptions({ client, request: requestOf() }))).rejects.toMatchObject({
      code: 'http_error',
      status: 503,
    })
    expect(asked.length).toBeGreaterThan(0)
    const state = queries.getQueryState(assistQueryOptions({ client, request: requestOf() }).queryKey)
    // The type of the error is known where the options are: no guard is needed to read its code.
    expect(state?.error?.code).toBe('http_error')
    expect(state?.fetchFailureCount).toBe(1)
  })

  it('leaves the attempts to the client in a component too, where React Query makes three of its own', async () => {
    const { client, asked } = serveAgent(json, { authorize: () => new Response(null, { status: 403 }) })
    const { App } = createApp(client)
    function Answer(): ReactNode {
      const { error, failureCount } = useQuery(assistQueryOptions({ client, request: requestOf() }))
      return <p>{`${error?.code} ${failureCount}`}</p>
    }
    const view = render(<Answer />, { wrapper: App })
    await waitFor(() => expect(view.container.textContent).toBe('forbidden 1'))
    expect(asked).toHaveLength(1)
  })

  it('says so when the agent streams, and leaves that connection', async () => {
    const gate = createGate()
    const { client, asked } = serveAgent(async function* () {
      yield 'Rivers'
      await gate.opened
    })
    const queries = new QueryClient()
    await expect(queries.query(assistQueryOptions({ client, request: requestOf() }))).rejects.toMatchObject({
      kind: 'protocol',
      code: 'unexpected_content_type',
    })
    expect(asked[0]?.signal?.aborted).toBe(true)
    gate.open()
  })

  it('ends its connection when it is cancelled', async () => {
    const gate = createGate()
    const { client, asked } = serveAgent(async () => {
      await gate.opened
      return { output: {} }
    })
    const { App, queries } = createApp(client)
    function Answer(): ReactNode {
      return <p>{useQuery(assistQueryOptions({ client, request: requestOf() })).fetchStatus}</p>
    }
    const view = render(<Answer />, { wrapper: App })
    await waitFor(() => expect(asked).toHaveLength(1))
    await act(() => queries.cancelQueries({ queryKey: queryKeys.all }))
    expect(asked[0]?.signal?.aborted).toBe(true)
    await waitFor(() => expect(view.container.textContent).toBe('idle'))
    gate.open()
  })
})
