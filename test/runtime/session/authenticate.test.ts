import { describe, expect, it } from 'vitest'
import type { ArcpRuntimeAuth } from '../../../src/runtime/session/authenticate.ts'
import { createArcpRuntime } from '../../../src/runtime/arcp-runtime.ts'
import { createManualEnvironment } from '../../support/manual-environment.ts'
import { OPEN, serve } from '../served-runtime.ts'

const NOW = Date.parse('2026-03-01T08:15:00.000Z')
const USERS: Readonly<Record<string, string>> = { 'token-of-ada': 'ada', 'token-of-bob': 'bob' }
const bearer = (token: string): string | undefined => USERS[token]
const openWith = (token?: string): { open: object } => ({ open: { ...OPEN, auth: { scheme: 'bearer', token } } })

/** As written in JavaScript. */
const returning = (value: unknown): ArcpRuntimeAuth => ({ bearer: () => value as string })

describe('the expiry that a verifier returns', () => {
  it.each([
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['a number that no Date holds', 8.64e15 + 1],
    ['text', '2026-03-01T09:15:00.000Z'],
    ['null', null],
    ['a Date', new Date(NOW + 60_000)],
  ])('is not an expiry when it is %s: the session is refused, and the developer is told', async (_what, expiresAt) => {
    const { raw, environment } = serve({ tools: {}, auth: returning({ id: 'ada', expiresAt }) })
    const client = await raw(openWith('a token'))
    expect(client.last('session.rejected').payload).toEqual({
      code: 'UNAUTHENTICATED',
      message: 'The token is not valid.',
    })
    expect(client.isClosed).toBe(true)
    expect(environment.reports).toMatchObject([{ code: 'app_error', message: expect.stringContaining('expiresAt') }])
  })

  it.each([
    ['none', undefined, {}],
    ['in a minute', NOW + 60_000, { lease: { expires_at: '2026-03-01T08:16:00.000Z' } }],
  ])('is taken when it is %s', async (_what, expiresAt, lease) => {
    const { raw, environment, runtime } = serve({ tools: {}, auth: returning({ id: 'ada', expiresAt }) })
    const client = await raw(openWith('a token'))
    expect(client.last('session.accepted').payload).toMatchObject(lease)
    expect(runtime.sessions).toMatchObject([{ principal: 'ada' }])
    expect(environment.reports).toEqual([])
  })
})

describe('a proof that expires in sixty days', () => {
  it('is asked for again a minute before, by timers that the platform can hold', async () => {
    const days = 24 * 3_600_000
    const environment = createManualEnvironment()
    const waits: number[] = []
    const clock = {
      ...environment.clock,
      after: (ms: number, call: () => void) => (waits.push(ms), environment.clock.after(ms, call)),
    }
    const auth = returning({ id: 'ada', expiresAt: NOW + 60 * days })
    const { raw, pass } = serve({ tools: {}, auth, environment: { ...environment, clock } }, environment)
    const client = await raw(openWith('a token'))
    await pass(60 * days - 60_001)
    expect(client.of('session.refresh')).toEqual([])
    await pass(1)
    expect(client.of('session.refresh')).toHaveLength(1)
    expect(Math.max(...waits)).toBeLessThanOrEqual(2_147_483_647)
  })
})

describe('a mistake in a verifier', () => {
  it('is reported without the value, which may be a secret', async () => {
    const { raw, environment } = serve({ tools: {}, auth: returning({ id: 5, password: 'a secret' }) })
    await raw(openWith('a token'))
    expect(environment.reports.map(String)).toEqual([
      expect.stringContaining('auth.bearer returned an object whose id is'),
    ])
    expect(JSON.stringify(environment.reports.map(String))).not.toMatch(/a secret|a token/)
  })

  it('is not an answer to try again: a client is refused at once', async () => {
    const { client, settle, environment } = serve({ tools: { pay: () => 'paid' }, auth: returning(null) })
    const arcp = client({ auth: { scheme: 'bearer', token: 'a token' } })
    const outcome = arcp.invoke('pay', {}).result.catch((error: unknown) => error)
    await settle()
    expect(await outcome).toMatchObject({ code: 'unauthorized', severity: 'FATAL' })
    arcp.close()
    expect(environment.clock.pending).toBe(0)
  })

  it.each([
    ['auth', false],
    ['auth', null],
    ['auth', 'a token'],
    ['bearer', { bearer: 'a token' }],
    ['challenge', { bearer, challenge: 'yes' }],
    ['challenge', { bearer, challenge: null }],
  ])('is found where the runtime is made: %s is %j', (name, auth) => {
    // As written in JavaScript.
    expect(() => createArcpRuntime({ tools: {}, auth: auth as ArcpRuntimeAuth })).toThrow(
      expect.objectContaining({ code: 'invalid_config', message: expect.stringContaining(name) }),
    )
  })
})

describe('a challenge that the app checks', () => {
  /** A challenge that names its user. */
  const challenge: ArcpRuntimeAuth['challenge'] = ({ response }) => response.match(/^signed by (\w+)$/)?.[1]

  it.each([
    ['the token is of nobody', 'guessed', 'signed by ada', 'The token is not valid.'],
    ['there is no token', undefined, 'signed by ada', 'The token is missing.'],
    ['the answer is of nobody', 'token-of-ada', 'forged', 'The token is not valid.'],
    [
      'the answer is of another user',
      'token-of-ada',
      'signed by bob',
      'The answer to the challenge is of another principal than the token.',
    ],
  ])('opens no session when %s', async (_what, token, response, message) => {
    const { raw, settle, runtime } = serve({ tools: {}, auth: { bearer, challenge } })
    const client = await raw(openWith(token))
    client.send('session.authenticate', { response })
    await settle()
    expect(client.last('session.rejected').payload).toEqual({ code: 'UNAUTHENTICATED', message })
    expect(runtime.sessions).toEqual([])
  })

  it('opens no session under a scheme that is not accepted', async () => {
    const { raw, settle } = serve({ tools: {}, auth: { challenge } })
    const client = await raw(openWith('token-of-ada'))
    client.send('session.authenticate', { response: 'signed by ada' })
    await settle()
    expect(client.last('session.rejected').payload).toMatchObject({ message: 'The scheme bearer is not accepted.' })
  })

  it.each([
    ['both are of the user', 'token-of-ada', 'signed by ada', true],
    ['the token is of nobody', 'guessed', 'signed by ada', false],
    ['there is no token', undefined, 'signed by ada', false],
    ['the answer is of nobody', 'token-of-ada', 'token-of-ada', false],
    ['the answer is of another user', 'token-of-ada', 'signed by bob', false],
    ['both are of another user', 'token-of-bob', 'signed by bob', false],
  ])('is answered again at a refresh, when %s', async (_what, token, response, isKept) => {
    const { raw, settle, runtime } = serve({ tools: {}, auth: { bearer, challenge } })
    const client = await raw(openWith('token-of-ada'))
    client.send('session.authenticate', { response: 'signed by ada' })
    await settle()
    runtime.refresh(client.last('session.accepted').session_id ?? '')
    await settle()
    // An answer to the first challenge is not one to the second.
    expect(client.last('session.refresh').payload.challenge).not.toBe(
      client.last('session.challenge').payload.challenge,
    )
    client.send('session.authenticate', { token, response })
    await settle()
    expect([client.of('ack').length, client.of('session.evicted').length, client.isClosed]).toEqual(
      isKept ? [1, 0, false] : [0, 1, true],
    )
  })

  it('keeps a session of the client of this package, which signs each challenge', async () => {
    const asked: string[] = []
    const { client, settle, runtime } = serve({
      tools: {},
      auth: {
        bearer,
        challenge: ({ challenge: text, response }) => {
          asked.push(text)
          return response === `signed ${text}` ? 'ada' : undefined
        },
      },
    })
    const answerChallenge = ({ challenge: text }: { challenge: string }): string => `signed ${text}`
    const arcp = client({ auth: { scheme: 'bearer', token: 'token-of-ada', answerChallenge } })
    const session = arcp.connect()
    await settle()
    runtime.refresh((await session).id ?? '')
    await settle()
    expect(arcp.getState().session.phase).toBe('accepted')
    expect(new Set(asked).size).toBe(2)
    arcp.close()
  })

  it('expires with the first of both proofs', async () => {
    const { raw, settle } = serve({
      tools: {},
      auth: {
        bearer: () => ({ id: 'ada', expiresAt: NOW + 600_000 }),
        challenge: () => ({ id: 'ada', expiresAt: NOW + 60_000 }),
      },
    })
    const client = await raw(openWith('a token'))
    client.send('session.authenticate', { response: 'an answer' })
    await settle()
    expect(client.last('session.accepted').payload).toMatchObject({ lease: { expires_at: '2026-03-01T08:16:00.000Z' } })
  })
})

describe('a proof that is checked for longer than its deadline', () => {
  it('renews no session, and leaves no timer', async () => {
    let answer = (_id: string): void => undefined
    let isSlow = false
    const { raw, settle, pass, runtime, environment } = serve({
      tools: {},
      retentionMs: Infinity,
      auth: {
        bearer: () => {
          const proven = { id: 'ada', expiresAt: NOW + 600_000 }
          if (!isSlow) return proven
          return new Promise((resolve) => {
            answer = () => resolve(proven)
          })
        },
      },
    })
    const client = await raw(openWith('a token'))
    isSlow = true
    runtime.refresh(client.last('session.accepted').session_id ?? '', { deadlineMs: 1_000 })
    await settle()
    client.send('session.authenticate', { token: 'a token' })
    await settle()
    await pass(1_000)
    expect(client.last('session.evicted').payload).toMatchObject({ reason: 'DEADLINE_EXCEEDED' })
    answer('ada')
    await settle()
    expect(client.of('ack')).toEqual([])
    expect(environment.clock.pending).toBe(0)
  })
})
