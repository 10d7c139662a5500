// @vitest-environment jsdom
import { QueryClient } from '@tanstack/react-query'
import { act, render, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import { useCapMutation, type CapMutationOptions } from '../../src/query/hooks.ts'
import { createApp, OTHER_ID, requestOf, serveAgent } from './serve.tsx'

const json = async () => ({ output: { text: 'At once.' } })

describe('useCapMutation', () => {
  function mount(
    options: CapMutationOptions,
    { client }: { readonly client: Parameters<typeof createApp>[0] },
    defaults?: QueryClient,
  ) {
    const seen: { mutation?: ReturnType<typeof useCapMutation> } = {}
    const { App } = createApp(client, defaults)
    function Probe(): ReactNode {
      const mutation = useCapMutation(options)
      seen.mutation = mutation
      return <p>{`${mutation.status} ${String(mutation.data?.output['text'])}`}</p>
    }
    const view = render(<Probe />, { wrapper: App })
    return { view, mutation: () => seen.mutation }
  }

  it('sends a request when it is told to and gives the answer', async () => {
    const served = serveAgent(json)
    const heard: unknown[] = []
    const { view, mutation } = mount({ onSuccess: (response) => heard.push(response.output) }, served)
    expect(served.asked).toEqual([])
    await act(async () => {
      await mutation()?.mutateAsync(requestOf(OTHER_ID))
    })
    await waitFor(() => expect(view.container.textContent).toBe('success At once.'))
    expect(heard).toEqual([{ text: 'At once.' }])
  })

  it('does once what it was told twice under one request id', async () => {
    const served = serveAgent(json)
    const { mutation } = mount({}, served)
    await act(async () => {
      await Promise.all([mutation()?.mutateAsync(requestOf()), mutation()?.mutateAsync(requestOf())])
    })
    expect(served.runs()).toBe(1)
  })

  it('does not retry, whatever the defaults of the app', async () => {
    const served = serveAgent(json, { authorize: () => new Response(null, { status: 403 }) })
    const { mutation } = mount({}, served, new QueryClient({ defaultOptions: { mutations: { retry: 3 } } }))
    await act(async () => {
      await expect(mutation()?.mutateAsync(requestOf())).rejects.toMatchObject({ code: 'forbidden' })
    })
    expect(served.asked).toHaveLength(1)
  })

  it('refuses what is not a request, typed, without sending', async () => {
    const served = serveAgent(json)
    const { mutation } = mount({}, served)
    // Wrong on purpose.
    const wrong = { request_id: 'x' } as unknown as ReturnType<typeof requestOf>
    await act(async () => {
      await expect(mutation()?.mutateAsync(wrong)).rejects.toMatchObject({ code: 'invalid_request' })
    })
    expect(served.asked).toEqual([])
  })
})
