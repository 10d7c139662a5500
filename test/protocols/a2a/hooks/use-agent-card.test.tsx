// @vitest-environment jsdom
import { act, cleanup, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { hydrateRoot } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AgentCardResolver } from '../../../../src/protocols/a2a/client/agent-card-resolver.ts'
import type { AgentCardResult } from '../../../../src/protocols/a2a/hooks/use-agent-card.ts'
import { useAgentCard } from '../../../../src/protocols/a2a/hooks/use-agent-card.ts'
import { settle } from '../../../support/manual-clock.ts'

const URL_OF_AGENT = 'https://agent.example'
const CARD = { name: 'Rivers', supportedInterfaces: [{ url: 'https://agent.example/a2a', protocolBinding: 'JSONRPC' }] }

let requests: string[]
/** What the server answers next; the last one again and again. */
let answers: (() => Response)[]
let resolver: AgentCardResolver

const found =
  (card: object = CARD, etag = '"1"') =>
  () =>
    new Response(JSON.stringify(card), { headers: { 'content-type': 'application/json', etag } })
const missing = () => new Response('', { status: 404 })

beforeEach(() => {
  requests = []
  answers = [found()]
  resolver = new AgentCardResolver({
    fetch: async (input, init) => {
      requests.push(`${input} ${new Headers(init?.headers).get('if-none-match') ?? ''}`.trim())
      const next = answers.length > 1 ? answers.shift() : answers[0]
      if (next === undefined) throw new Error('The server has no answer.')
      return next()
    },
  })
})

afterEach(cleanup)

const seen: AgentCardResult[] = []

function Probe({ at = 0, url = URL_OF_AGENT }: { readonly at?: number; readonly url?: string }): ReactNode {
  const result = useAgentCard(url, { resolver })
  seen[at] = result
  return <p>{`${result.status} ${result.card?.name ?? ''} ${result.error?.code ?? ''}`}</p>
}

const rest = (): Promise<void> => act(settle)
const result = (at = 0): AgentCardResult => {
  const given = seen[at]
  if (given === undefined) throw new Error('Nothing was rendered.')
  return given
}

describe('useAgentCard', () => {
  it('is loading, then has the card, fetched once in StrictMode and for any number of components', async () => {
    const view = render(
      <StrictMode>
        <Probe />
        <Probe at={1} />
      </StrictMode>,
    )
    expect(result()).toMatchObject({ status: 'loading', card: undefined, signature: undefined, error: undefined })
    await rest()
    expect(result()).toMatchObject({ status: 'ready', card: CARD, signature: { state: 'unsigned' }, error: undefined })
    expect(result(1).card).toBe(result().card)
    expect(requests).toEqual(['https://agent.example/.well-known/agent-card.json'])
    view.unmount()
    render(<Probe at={2} />)
    expect(result(2).status).toBe('ready')
    await rest()
    expect(requests).toHaveLength(1)
  })

  it('says why there is none, and asks again when it is mounted again', async () => {
    answers = [missing, found()]
    const view = render(<Probe />)
    await rest()
    expect(result()).toMatchObject({ status: 'error', card: undefined })
    expect(result().error?.code).toBe('not_found')
    view.unmount()
    render(<Probe />)
    await rest()
    expect(result()).toMatchObject({ status: 'ready', error: undefined })
  })

  it('says of anything but a card that it is none', async () => {
    answers = [() => new Response('<p>Sign in</p>', { headers: { 'content-type': 'text/html' } })]
    render(<Probe />)
    await rest()
    expect(result()).toMatchObject({ status: 'error' })
    expect(result().error?.code).toBe('invalid_response')
  })

  it('reloads: the same object when nothing has changed, another when it has, and the old one when that fails', async () => {
    answers = [found(), () => new Response(null, { status: 304 }), found({ ...CARD, name: 'Lakes' }, '"2"'), missing]
    render(<Probe />)
    await rest()
    const { card, reload } = result()
    await act(reload)
    expect(requests[1]).toBe('https://agent.example/.well-known/agent-card.json "1"')
    expect(result().card).toBe(card)
    await act(reload)
    expect(result().card?.name).toBe('Lakes')
    await act(reload)
    expect(result()).toMatchObject({ status: 'ready', card: { name: 'Lakes' } })
    expect(result().error?.code).toBe('not_found')
    expect(result().reload).toBe(reload)
  })

  it('keeps cards of different addresses apart', async () => {
    answers = [found(), found({ ...CARD, name: 'Lakes' })]
    const view = render(<Probe />)
    await rest()
    view.rerender(<Probe url="https://lakes.example" />)
    expect(result()).toMatchObject({ status: 'loading', card: undefined })
    await rest()
    expect(result().card?.name).toBe('Lakes')
    view.rerender(<Probe />)
    expect(result().card?.name).toBe('Rivers')
    expect(requests).toHaveLength(2)
  })

  it('says of a signed card that nobody has verified it, where no keys are known', async () => {
    answers = [found({ ...CARD, signatures: [{ protected: 'e30', signature: 'AA' }] })]
    render(<Probe />)
    await rest()
    expect(result().signature).toEqual({ state: 'unknown-key' })
  })

  it('is rendered as loading on a server, and comes alive there without a mismatch', async () => {
    const html = renderToString(<Probe />)
    expect(html).toBe('<p>loading  </p>')
    expect(requests).toEqual([])
    // Another part of the page has the card already.
    const first = render(<Probe at={1} />)
    await rest()
    const root = document.createElement('div')
    root.innerHTML = html
    const errors: unknown[] = []
    const page = await act(async () =>
      hydrateRoot(root, <Probe />, { onRecoverableError: (error) => errors.push(error) }),
    )
    await rest()
    expect(errors).toEqual([])
    expect(root.textContent).toBe('ready Rivers ')
    act(() => page.unmount())
    first.unmount()
  })
})
