import { describe, expect, it } from 'vitest'
import { contentTypeErrorInit, httpErrorInit, isRefusal, retryAfterOf } from '../../src/wire/http-errors.ts'
import type { BodyAnswer } from '../../src/wire/transport.ts'

interface Given {
  readonly body?: string
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string>>
}

function answerOf(
  status: number,
  { body = '', contentType = 'application/json', headers = {} }: Given = {},
): BodyAnswer {
  return {
    kind: 'body',
    status,
    contentType,
    headers: new Headers(headers),
    text: async ({ maxBytes }) => body.slice(0, maxBytes),
  }
}

const errorOf = (status: number, given?: Given, request?: string) => httpErrorInit(answerOf(status, given), request)

describe('an answer outside of 2xx', () => {
  it.each([
    [401, 'unauthorized', 'FATAL'],
    [403, 'forbidden', 'FATAL'],
    [404, 'not_found', 'FATAL'],
    [408, 'http_error', 'TRANSIENT'],
    [409, 'log_expired', 'FATAL'],
    [410, 'log_expired', 'FATAL'],
    [422, 'http_error', 'FATAL'],
    [425, 'http_error', 'TRANSIENT'],
    [429, 'rate_limited', 'TRANSIENT'],
    [500, 'http_error', 'TRANSIENT'],
    [501, 'http_error', 'FATAL'],
    [503, 'http_error', 'TRANSIENT'],
    [505, 'http_error', 'FATAL'],
    [522, 'http_error', 'TRANSIENT'],
  ])('%i is %s, and %s', async (status, code, severity) => {
    expect(await errorOf(status)).toMatchObject({ kind: 'runtime', code, severity, status })
  })

  it('is final for a cancel that the server has waited for in vain, and for no other 504', async () => {
    const codeOf = async (code: string) => (await errorOf(504, { body: JSON.stringify({ code }) })).severity
    expect(await codeOf('cancel_unconfirmed')).toBe('FATAL')
    expect(await codeOf('upstream_timeout')).toBe('TRANSIENT')
  })

  it('says what the agent says of it, in whichever form', async () => {
    const messageOf = async (body: unknown) => (await errorOf(500, { body: JSON.stringify(body) })).message
    expect(await messageOf({ message: 'Full.' })).toBe('Full.')
    expect(await messageOf({ detail: 'Closed.' })).toBe('Closed.')
    expect(await messageOf({ error: 'Broken.' })).toBe('Broken.')
    expect(await messageOf({ error: { message: 'Deep.' }, message: 'Outer.' })).toBe('Deep.')
    const own = 'The agent answered with HTTP status 500.'
    for (const body of [{ message: '' }, { message: 7 }, [], 'text', null]) expect(await messageOf(body)).toBe(own)
  })

  it('never shows a page of something else as the message, but keeps its start for developers', async () => {
    const page = `<h1>Bad gateway</h1>${'x'.repeat(5000)}`
    const error = await errorOf(502, { body: page, contentType: 'text/html' })
    expect(error.message).toBe('The agent answered with HTTP status 502.')
    expect(error.details).toEqual({ contentType: 'text/html', body: page.slice(0, 2000) })
  })

  it('names the request where it is likely to be wrong', async () => {
    expect((await errorOf(404, {}, 'POST /api/agent')).message).toBe(
      'POST /api/agent returned 404. Check baseUrl and path.',
    )
    expect((await errorOf(403, {}, 'POST /api/agent')).message).not.toContain('/api/agent')
  })

  it('is described although its body breaks off', async () => {
    const answer = { ...answerOf(503), text: () => Promise.reject(new Error('The connection broke.')) }
    expect(await httpErrorInit(answer)).toMatchObject({
      code: 'http_error',
      message: 'The agent is not available at the moment.',
      details: { body: undefined },
    })
  })
})

describe('the wait that a server asks for', () => {
  const waitOf = async (given: Given) => (await errorOf(503, given)).retryAfterMs
  const NOW = 'Sun, 01 Mar 2026 08:00:00 GMT'

  it.each([
    ['in seconds', { 'retry-after': ' 20 ' }, 20_000],
    ['as a date by its own clock', { 'retry-after': 'Sun, 01 Mar 2026 08:00:30 GMT', date: NOW }, 30_000],
    ['as a date that has passed', { 'retry-after': 'Sun, 01 Mar 2026 07:00:00 GMT', date: NOW }, 0],
    ['for longer than an hour', { 'retry-after': '99999' }, 3_600_000],
    ['as a date without a clock to read it by', { 'retry-after': NOW }, undefined],
    ['in no form that is known', { 'retry-after': 'soon' }, undefined],
    ['in an empty header', { 'retry-after': '' }, undefined],
  ])('%s', async (_, headers, wait) => {
    expect(await waitOf({ headers })).toBe(wait)
  })

  it('is that of the header before that of the body', async () => {
    const body = JSON.stringify({ error: { details: { retry_after: 4 } } })
    expect(await waitOf({ body })).toBe(4000)
    expect(await waitOf({ body, headers: { 'retry-after': '2' } })).toBe(2000)
  })

  it.each([
    [undefined],
    [null],
    [{}],
    [{ retry_after: '4' }],
    [{ retry_after: Infinity }],
    [{ retry_after: Number.NaN }],
  ])('is none in %j', (details) => {
    expect(retryAfterOf(details)).toBeUndefined()
  })
})

it('an answer that is not a stream is named by its type', async () => {
  const messageOf = async (contentType: string) =>
    (await contentTypeErrorInit(answerOf(200, { contentType, body: '<html>' }))).message
  expect(await messageOf('text/html')).toMatch(/^The answer is text\/html, not an event stream or JSON/)
  expect(await messageOf('')).toMatch(/^The answer is of no declared type/)
  expect(await contentTypeErrorInit(answerOf(200, { body: '<html>' }))).toMatchObject({
    kind: 'protocol',
    code: 'unexpected_content_type',
    severity: 'FATAL',
    details: { body: '<html>' },
  })
})

it.each([
  [199, true],
  [200, false],
  [299, false],
  [300, true],
])('status %i is a refusal: %s', (status, refused) => {
  expect(isRefusal(status)).toBe(refused)
})
