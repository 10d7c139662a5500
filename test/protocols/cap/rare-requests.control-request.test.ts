import { describe, expect, it } from 'vitest'
import { isAgentError } from '../../../src/base/agent-error.ts'
import { capProtocol } from '../../../src/protocols/cap/adapter.ts'
import type { Command, CommandResult } from '../../../src/seam/command.ts'
import { fetchTransport } from '../../../src/wire/fetch-transport.ts'

const ID = '6f1c6cf0-1111-4222-8333-444455556666'
const HANDLE = { lastEventId: 'e7', control: ['cancel', 'answer', 'say'] }

interface Posted {
  readonly url: string
  readonly body: unknown
  readonly headers: Headers
}

function serverOf(...responses: readonly (() => Response)[]): {
  readonly posted: Posted[]
  act(command: Command, apiKey?: () => Promise<string>): Promise<CommandResult>
} {
  const posted: Posted[] = []
  const left = [...responses]
  const protocolOf = (apiKey?: () => Promise<string>) =>
    capProtocol({
      baseUrl: 'https://agent.example/api',
      apiKey,
      transport: fetchTransport({
        async fetch(input, init) {
          posted.push({
            url: input,
            body: await new Response(init?.body ?? null).json(),
            headers: new Headers(init?.headers),
          })
          return left.shift()?.() ?? Response.json({ result: 'accepted' })
        },
      }),
    })
  return {
    posted,
    async act(command, apiKey) {
      const { act } = protocolOf(apiKey)
      if (act === undefined) throw new Error('CAP has commands')
      return act(command, { signal: new AbortController().signal })
    },
  }
}

const cancel: Command = { type: 'cancel', requestId: ID, handle: HANDLE }

describe('a command of CAP', () => {
  it('goes to its endpoint beside assist, with what the user said', async () => {
    const { act, posted } = serverOf()
    await act(cancel)
    await act({ type: 'say', requestId: ID, handle: HANDLE, messageId: 'm1', text: 'Rather that' })
    await act({
      type: 'answer',
      requestId: ID,
      handle: HANDLE,
      promptId: 'p1',
      answerId: 'a1',
      answer: { type: 'option', optionId: 'yes', digest: 'd1', edits: { to: 'Bob' } },
    })
    expect(posted.map(({ url, body }) => [url, body])).toEqual([
      [`https://agent.example/api/runs/${ID}/cancel`, {}],
      [`https://agent.example/api/runs/${ID}/say`, { message_id: 'm1', text: 'Rather that' }],
      [
        `https://agent.example/api/runs/${ID}/answer`,
        {
          prompt_id: 'p1',
          answer_id: 'a1',
          answer: { type: 'option', option_id: 'yes', digest: 'd1', edits: { to: 'Bob' } },
        },
      ],
    ])
    expect(posted[0]?.headers.get('content-type')).toBe('application/json')
  })

  it('is not sent to a server that has not announced it', async () => {
    const { act, posted } = serverOf()
    for (const handle of [undefined, { lastEventId: 'e7' }, { control: ['answer'] }, 'e7', { control: 'cancel' }])
      expect(await act({ ...cancel, handle })).toEqual({ result: 'unsupported' })
    expect(await act({ ...cancel, type: 'interrupt' })).toEqual({ result: 'unsupported' })
    expect(posted).toEqual([])
  })

  it.each([
    [200, { result: 'accepted' }, { result: 'accepted' }],
    [409, { code: 'run_ended' }, { result: 'too-late' }],
    [409, { code: 'run_over', details: { ended: 'failed' } }, { result: 'too-late', end: 'withdrawn' }],
    [409, { code: 'run_over', details: { ended: 'expired' } }, { result: 'too-late' }],
    [
      409,
      { code: 'prompt_settled', details: { state: 'answered', answer_id: 'a0' } },
      { result: 'too-late', end: 'answered', answerId: 'a0' },
    ],
    [410, { code: 'prompt_expired' }, { result: 'too-late', end: 'expired' }],
    [405, {}, { result: 'unsupported' }],
    [501, {}, { result: 'unsupported' }],
    [404, {}, { result: 'unsupported' }],
    [
      422,
      { code: 'invalid_answer', details: { errors: [{ path: '/age', message: 'Too young' }, { path: 1 }] } },
      { result: 'invalid', errors: [{ path: '/age', message: 'Too young' }] },
    ],
    [422, { code: 'invalid_answer' }, { result: 'invalid', errors: [] }],
  ])('answered with %i %j is %j', async (status, body, result) => {
    const { act } = serverOf(() => Response.json(body, { status }))
    expect(await act(cancel)).toEqual(result)
  })

  it('whose page is not an answer of an agent is unsupported', async () => {
    const { act } = serverOf(() => new Response('<h1>Not found</h1>', { status: 404 }))
    expect(await act(cancel)).toEqual({ result: 'unsupported' })
  })

  const page = { headers: { 'content-type': 'text/html' } }
  it.each([
    ['a page', () => new Response('<h1>Sign in</h1>', page)],
    ['a page with status 409', () => new Response('<h1>Conflict</h1>', { ...page, status: 409 })],
    ['a page with status 410', () => new Response('<h1>Gone</h1>', { ...page, status: 410 })],
    ['a page with status 422', () => new Response('<h1>What?</h1>', { ...page, status: 422 })],
    [
      'a page that is called JSON',
      () => new Response('<h1>Sign in</h1>', { headers: { 'content-type': 'application/json' } }),
    ],
    ['a result without a content type', () => new Response(new TextEncoder().encode('{"result":"accepted"}'))],
    ['an empty response', () => new Response(null, { status: 204 })],
    ['an event stream', () => new Response('data: {}\n\n', { headers: { 'content-type': 'text/event-stream' } })],
    ['an empty object', () => Response.json({})],
    ['another object', () => Response.json({ status: 'ok' })],
    ['a text', () => Response.json('accepted')],
    ['an unknown result', () => Response.json({ result: 'perhaps' })],
  ])('answered with %s is not confirmed, and can be sent again', async (_name, respond) => {
    const { act } = serverOf(respond)
    const error = await act(cancel).catch((cause: unknown) => cause)
    expect(isAgentError(error) && error.retryable && error.code).toBe('invalid_response')
  })

  it.each([500, 502, 503, 429, 408])('that met %i may have arrived, and can be sent again', async (status) => {
    const { act } = serverOf(() => new Response('', { status }))
    const error = await act(cancel).catch((cause: unknown) => cause)
    expect(isAgentError(error) && error.retryable).toBe(true)
  })

  it('that was refused is refused for good', async () => {
    const { act } = serverOf(() => Response.json({ code: 'forbidden', message: 'No' }, { status: 403 }))
    const error = await act(cancel).catch((cause: unknown) => cause)
    expect(isAgentError(error) && !error.retryable && error.code).toBe('forbidden')
  })

  it('to a run that is not there yet is a cancel to send again, and an answer that comes too late', async () => {
    const gone = (): Response => Response.json({ code: 'run_not_found', message: 'No such run' }, { status: 404 })
    const { act } = serverOf(gone, gone)
    const error = await act(cancel).catch((cause: unknown) => cause)
    expect(isAgentError(error) && error.retryable).toBe(true)
    expect(
      await act({
        type: 'answer',
        requestId: ID,
        handle: HANDLE,
        promptId: 'p1',
        answerId: 'a1',
        answer: { type: 'done' },
      }),
    ).toEqual({ result: 'too-late' })
  })

  it('is sent again with a fresh key when the key was refused', async () => {
    const keys = ['old', 'new']
    const { act, posted } = serverOf(() => new Response('', { status: 401 }))
    expect(await act(cancel, async () => keys.shift() ?? 'none')).toEqual({ result: 'accepted' })
    expect(posted.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer old', 'Bearer new'])
  })
})
