import { SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ArcpRuntimeOptions } from '../../../src/runtime/connection/runtime-core.ts'
import type { ArcpRuntimeAuth } from '../../../src/runtime/session/authenticate.ts'
import { ASKED, OPEN, serve, until } from '../served-runtime.ts'

// What is loaded on demand is there.
beforeAll(() => import('../../../src/runtime/session/verify-jwt.ts'))

const SECRET = 'a secret of the runtime, of 32 bytes and more'
const NOW = Date.parse('2026-03-01T08:15:00.000Z') / 1000

const USERS: Readonly<Record<string, string>> = { 'token-of-ada': 'ada', 'token-of-bob': 'bob' }
const bearer = (token: string): string | undefined => USERS[token]
const openWith = (auth: object): object => ({ ...OPEN, auth })

function jwt(
  claims: { exp?: number; aud?: string; sub?: string } = {},
  secret = SECRET,
  alg = 'HS256',
): Promise<string> {
  const { exp = NOW + 600, aud = 'capstan', sub = 'ada' } = claims
  const token = new SignJWT({}).setProtectedHeader({ alg }).setExpirationTime(exp).setAudience(aud)
  return token.setSubject(sub).sign(new TextEncoder().encode(secret))
}

describe('a session', () => {
  it('is accepted without a name only where both sides say so', async () => {
    const anybody = serve({ tools: {} })
    const accepted = await anybody.raw()
    expect(accepted.last('session.accepted').payload).toMatchObject({
      capabilities: { anonymous: true, streaming: true, heartbeat_interval_seconds: 30 },
    })
    const silent = await anybody.raw({ open: { ...OPEN, capabilities: {} } })
    expect(silent.last('session.rejected').payload).toMatchObject({ code: 'UNAUTHENTICATED' })
    const named = serve({ tools: {}, auth: { bearer } })
    const refused = await named.raw()
    expect(refused.last('session.rejected').payload).toMatchObject({ code: 'UNAUTHENTICATED' })
    expect(refused.isClosed).toBe(true)
  })

  it('belongs to whom its token is of', async () => {
    const { raw, runtime } = serve({ tools: {}, auth: { bearer } })
    const ada = await raw({ open: openWith({ scheme: 'bearer', token: 'token-of-ada' }) })
    expect(runtime.sessions).toEqual([
      { id: ada.last('session.accepted').session_id, principal: 'ada', connections: 1 },
    ])
    const nobody = await raw({ open: openWith({ scheme: 'bearer', token: 'guessed' }) })
    expect(nobody.last('session.rejected')).toMatchObject({
      correlation_id: 'm2',
      payload: { code: 'UNAUTHENTICATED' },
    })
    const without = await raw({ open: openWith({ scheme: 'bearer' }) })
    expect(without.last('session.rejected').payload).toMatchObject({ message: 'The token is missing.' })
  })

  it('is accepted with a signed token, and with no other', async () => {
    const auth: ArcpRuntimeAuth = { signedJwt: { secret: SECRET, audience: 'capstan' } }
    const { raw, runtime } = serve({ tools: {}, auth })
    const tokens = [
      await jwt({ exp: NOW - 1 }),
      await jwt({ aud: 'another' }),
      await jwt({}, 'another secret of the runtime, of 32 bytes'),
      await jwt({}, SECRET.repeat(2), 'HS512'),
      'no.token.at-all',
    ]
    for (const token of tokens) {
      const client = await raw({ open: openWith({ scheme: 'signed_jwt', token }) })
      await until(() => client.got.length > 0)
      expect(client.last('session.rejected').payload).toEqual({
        code: 'UNAUTHENTICATED',
        message: 'The token is not valid.',
      })
    }
    const client = await raw({ open: openWith({ scheme: 'signed_jwt', token: await jwt() }) })
    await until(() => client.got.length > 0)
    expect(client.last('session.accepted').payload).toMatchObject({ lease: { expires_at: '2026-03-01T08:25:00.000Z' } })
    expect(runtime.sessions).toMatchObject([{ principal: 'ada' }])
  })

  it('is refused under schemes that do not exist yet, and where the check itself failed', async () => {
    const { raw } = serve({
      tools: {},
      auth: {
        async bearer() {
          throw new Error('the database with token-of-ada is down')
        },
      },
    })
    const later = await raw({ open: openWith({ scheme: 'oauth2', token: 'x' }) })
    expect(later.last('session.rejected').payload).toMatchObject({ code: 'UNIMPLEMENTED' })
    const down = await raw({ open: openWith({ scheme: 'bearer', token: 'token-of-ada' }) })
    expect(down.last('session.rejected').payload).toEqual({
      code: 'UNAVAILABLE',
      message: 'The proof could not be checked.',
      retryable: true,
    })
  })

  it('is challenged, and takes the answer in both shapes', async () => {
    const { raw, settle } = serve({ tools: {}, auth: { bearer, challenge: true } })
    for (const answer of [{ response: 'token-of-ada' }, { scheme: 'bearer', token: 'token-of-ada' }]) {
      const client = await raw({ open: openWith({ scheme: 'bearer' }) })
      const { payload } = client.last('session.challenge')
      expect(payload).toMatchObject({ scheme: 'bearer', expires_at: '2026-03-01T08:15:15.000Z' })
      const { challenge, challenge_id: id } = payload
      client.send('session.authenticate', { ...answer, challenge, challenge_id: id })
      await settle()
      expect(client.of('session.accepted')).toHaveLength(1)
    }
    const client = await raw({ open: openWith({ scheme: 'bearer', token: 'token-of-ada' }) })
    client.send('session.authenticate', { response: 'guessed' })
    await settle()
    expect(client.last('session.rejected').payload).toMatchObject({ code: 'UNAUTHENTICATED' })
  })

  it('is challenged by a check of the app, with another challenge each time', async () => {
    const asked: string[] = []
    const { client, settle } = serve({
      tools: {},
      auth: {
        bearer,
        challenge: ({ challenge, response, token }) => {
          asked.push(challenge)
          return response === `signed:${challenge}` ? bearer(token ?? '') : undefined
        },
      },
    })
    const answerChallenge = ({ challenge }: { challenge: string }): string => `signed:${challenge}`
    for (let round = 0; round < 2; round++) {
      const arcp = client({ auth: { scheme: 'bearer', token: 'token-of-ada', answerChallenge } })
      const session = arcp.connect()
      await settle()
      expect(await session).toMatchObject({ phase: 'accepted' })
      arcp.close()
    }
    expect(new Set(asked).size).toBe(2)
  })

  it('says nothing before it is accepted, and is dropped when that takes too long', async () => {
    const { raw, settle, pass, environment } = serve({ tools: {} })
    const client = await raw({ open: false })
    client.send('ping')
    client.raw('{')
    await settle()
    expect(client.got).toEqual([])
    await pass(15_000)
    expect(client.last('session.rejected').payload).toMatchObject({ code: 'DEADLINE_EXCEEDED' })
    expect(client.isClosed).toBe(true)
    expect(environment.clock.pending).toBe(0)
  })

  it('refuses to be opened twice, and continues', async () => {
    const { raw, settle } = serve({ tools: {} })
    const client = await raw()
    const again = client.send('session.open', OPEN)
    client.send('ping', { nonce: 'n' })
    await settle()
    expect(client.last('nack')).toMatchObject({ correlation_id: again, payload: { code: 'FAILED_PRECONDITION' } })
    expect(client.last('pong').payload).toMatchObject({ nonce: 'n' })
  })

  it('can refuse what it has not, as the runtime in F# does', async () => {
    const { raw } = serve({ tools: {}, rejectUnsupported: true })
    const client = await raw({ open: { ...OPEN, capabilities: { ...ASKED, checkpoints: true, agent_handoff: true } } })
    expect(client.last('session.rejected').payload).toMatchObject({
      code: 'UNIMPLEMENTED',
      message: 'unsupported capabilities: checkpoints,agent_handoff',
    })
  })
})

describe('a session whose token expires', () => {
  const auth = (seconds: number): ArcpRuntimeAuth => ({
    bearer: (token) => ({ id: USERS[token] ?? '', expiresAt: (NOW + seconds) * 1000 }),
  })
  const open = openWith({ scheme: 'bearer', token: 'token-of-ada' })

  it('is asked for another proof before, and continues with it', async () => {
    let lasts = 600
    const { raw, pass, environment, settle } = serve({
      tools: {},
      auth: { bearer: (token) => ({ id: USERS[token] ?? '', expiresAt: (NOW + lasts) * 1000 }) },
    })
    const client = await raw({ open })
    await pass(540_000)
    const { payload } = client.last('session.refresh')
    expect(payload).toMatchObject({ deadline_ms: 60_000, scheme: 'bearer' })
    lasts = 1_200
    const proof = client.send('session.authenticate', { response: 'token-of-ada', challenge: payload.challenge })
    await settle()
    expect(client.last('ack')).toMatchObject({ correlation_id: proof })
    await pass(100_000)
    expect(client.isClosed).toBe(false)
    await pass(600_000)
    expect(client.last('session.evicted').payload).toMatchObject({ reason: 'DEADLINE_EXCEEDED', allow_resume: true })
    client.close()
    await settle()
    await pass(600_000)
    expect(environment.clock.pending).toBe(0)
  })

  it('is evicted when the other proof is of somebody else, or of nobody', async () => {
    for (const token of ['token-of-bob', 'guessed']) {
      const { raw, pass, settle } = serve({ tools: {}, auth: auth(60) })
      const client = await raw({ open })
      await pass(30_000)
      client.send('session.authenticate', { response: token })
      await settle()
      expect(client.last('session.evicted').payload).toMatchObject({ reason: 'UNAUTHENTICATED' })
      expect(client.isClosed).toBe(true)
    }
  })

  it('is renewed by the client of this package', async () => {
    const { client, pass, runtime, settle } = serve({ tools: {}, auth: { bearer } })
    const asked: boolean[] = []
    const arcp = client({
      auth: {
        scheme: 'bearer',
        token: async (context) => {
          asked.push(context.rejected !== undefined)
          return 'token-of-ada'
        },
      },
    })
    const session = arcp.connect()
    await settle()
    runtime.refresh((await session).id ?? '', { deadlineMs: 5_000 })
    await settle()
    expect(arcp.getState().session.phase).toBe('accepted')
    await pass(10_000)
    expect(arcp.getState().session.phase).toBe('accepted')
    expect(asked.at(-1)).toBe(true)
    arcp.close()
  })
})

describe('a session that is ended', () => {
  const tools: ArcpRuntimeOptions['tools'] = {
    wait: (_given, { signal }) => new Promise((resolve) => signal.addEventListener('abort', resolve)),
    forever: () => new Promise(() => undefined),
  }

  it('by the runtime does not wait for a tool that continues, and its log ends with it', async () => {
    const { raw, runtime, settle, pass, environment } = serve({ tools })
    const client = await raw()
    client.send('tool.invoke', { tool: 'forever' })
    await settle()
    runtime.evict(client.last('session.accepted').session_id ?? '')
    await settle()
    expect(client.of('session.evicted')).toHaveLength(1)
    expect(client.of('job.cancelled')).toEqual([])
    expect(client.isClosed).toBe(true)
    expect(runtime.sessions).toHaveLength(1)
    await pass(2_000)
    expect(runtime.sessions).toEqual([])
    expect(environment.reports).toEqual([])
    await runtime.close()
  })

  it('by the runtime takes its jobs along, unless it may be resumed', async () => {
    for (const allowResume of [false, true]) {
      const { raw, runtime, settle } = serve({ tools })
      const client = await raw()
      client.send('tool.invoke', { tool: 'wait' })
      await settle()
      runtime.evict(client.last('session.accepted').session_id ?? '', { reason: 'RESOURCE_EXHAUSTED', allowResume })
      await settle()
      expect(client.last('session.evicted').payload).toEqual({
        reason: 'RESOURCE_EXHAUSTED',
        allow_resume: allowResume,
      })
      expect(client.of('job.cancelled')).toHaveLength(allowResume ? 0 : 1)
      expect(client.isClosed).toBe(true)
      expect(runtime.sessions).toHaveLength(allowResume ? 1 : 0)
      await runtime.close()
    }
  })

  it('by the client cancels its jobs, unless it asks to keep them', async () => {
    for (const dispose of ['cancel', 'detach']) {
      const { raw, runtime, settle } = serve({ tools })
      const client = await raw()
      client.send('tool.invoke', { tool: 'wait' })
      client.send('session.close', { dispose_jobs: dispose })
      await settle()
      expect(client.of('job.cancelled')).toHaveLength(dispose === 'cancel' ? 1 : 0)
      expect(client.isClosed).toBe(true)
      await runtime.close()
    }
  })

  it('is forgotten a while after its connection, and leaves no timer', async () => {
    const { raw, runtime, settle, pass, environment } = serve({ tools: {}, retentionMs: 60_000 })
    const client = await raw()
    client.close()
    await settle()
    expect(runtime.sessions).toMatchObject([{ connections: 0 }])
    await pass(60_000)
    expect(runtime.sessions).toEqual([])
    expect(environment.clock.pending).toBe(0)
  })
})
