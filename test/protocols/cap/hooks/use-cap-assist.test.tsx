// @vitest-environment jsdom
import { act, cleanup, render, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { StrictMode } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { CapClient } from '../../../../src/protocols/cap/client/cap-client.ts'
import type { CapAssist } from '../../../../src/protocols/cap/hooks/use-cap-assist.ts'
import { useCapAssist } from '../../../../src/protocols/cap/hooks/use-cap-assist.ts'
import type { ServiceRequestInput } from '../../../../src/protocols/cap/schema/request.ts'
import type { Agent } from '../../../../src/server/run/agent.ts'
import { createAgentHandler } from '../../../../src/server/handler/agent-handler.ts'
import { event } from '../../../../src/server/run/agent-output.ts'
import { REQUEST_ID, requestBody } from '../../../server/peer.ts'

afterEach(cleanup)

const request = (requestId = REQUEST_ID): ServiceRequestInput =>
  requestBody({ requestId }) as unknown as ServiceRequestInput // the builder writes this shape

function serve(agent: Agent) {
  const posts: string[] = []
  let runs = 0
  const handler = createAgentHandler({
    agent: (asked, run) => {
      runs += 1
      return agent(asked, run)
    },
  })
  const client = new CapClient({
    baseUrl: 'https://agent.example',
    fetch: (url, init) => {
      posts.push(url)
      return handler(new Request(url, init))
    },
  })
  return { client, posts, runs: () => runs }
}

function mount(client: CapClient, given?: ServiceRequestInput) {
  const seen: { assist?: CapAssist } = {}
  function Probe({ asked }: { readonly asked: ServiceRequestInput | undefined }): ReactNode {
    const assist = useCapAssist({ client, request: asked })
    seen.assist = assist
    return <p>{`${assist.status}: ${assist.text}`}</p>
  }
  const tree = (asked: ServiceRequestInput | undefined): ReactNode => (
    <StrictMode>
      <Probe asked={asked} />
    </StrictMode>
  )
  const view = render(tree(given))
  return { seen, view, ask: (asked: ServiceRequestInput) => view.rerender(tree(asked)) }
}

async function* rivers() {
  yield 'Rivers '
  yield event('THOUGHT_TRACE', { thought: 'bends' })
  yield 'bend.'
}

describe('useCapAssist', () => {
  it('runs a given request once in StrictMode and gives packets, events and text', async () => {
    const { client, posts, runs } = serve(rivers)
    const { seen, view } = mount(client, request())
    await waitFor(() => expect(view.container.textContent).toBe('ready: Rivers bend.'))
    expect(seen.assist?.packets.map(({ op }) => op)).toEqual(['DELTA', 'EVENT', 'DELTA', 'CLOSE'])
    expect(seen.assist?.events.map(({ type }) => type)).toEqual(['text', 'part', 'text', 'stream-closed'])
    expect(seen.assist?.requestId).toBe(REQUEST_ID)
    expect(posts).toHaveLength(1)
    expect(runs()).toBe(1)
  })

  it('runs again for another request id, not for another object of the same', async () => {
    const { client, runs } = serve(rivers)
    const { view, ask } = mount(client, request())
    await waitFor(() => expect(view.container.textContent).toBe('ready: Rivers bend.'))
    ask(request())
    ask(request('0b7e7c52-6f0a-4d0e-9d6e-0f5d3a2c1b11'))
    await waitFor(() => expect(runs()).toBe(2))
  })

  it('gives the ServiceResponse of a JSON answer', async () => {
    const { client } = serve(async () => ({ output: { text: 'At once.' } }))
    const { seen, view } = mount(client, request())
    await waitFor(() => expect(view.container.textContent).toBe('ready: At once.'))
    expect(seen.assist?.response?.output).toEqual({ text: 'At once.' })
  })

  it('refuses what is not a request, typed, without sending', async () => {
    const { client, posts } = serve(rivers)
    const { seen } = mount(client)
    const wrong = { request_id: 'x' } as unknown as ServiceRequestInput // wrong on purpose
    await act(async () => {
      expect(await seen.assist?.assist(wrong)).toMatchObject({ status: 'refused', error: { code: 'invalid_request' } })
    })
    expect(seen.assist?.error).toMatchObject({ code: 'invalid_request' })
    expect(posts).toEqual([])
  })

  it('ends the run when it is unmounted', async () => {
    let aborted = false
    const client = new CapClient({
      baseUrl: 'https://agent.example',
      fetch: (_, init) =>
        new Promise((_resolve, reject) => {
          init.signal?.addEventListener('abort', () => {
            aborted = true
            reject(new Error('aborted'))
          })
        }),
    })
    const { view } = mount(client, request())
    await waitFor(() => expect(view.container.textContent).toBe('submitted: '))
    view.unmount()
    await waitFor(() => expect(aborted).toBe(true))
  })
})
