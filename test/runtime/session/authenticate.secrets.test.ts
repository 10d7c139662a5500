import { inspect } from 'node:util'
import { SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ArcpRuntimeAuth } from '../../../src/runtime/session/authenticate.ts'
import { restartableLog } from '../restartable-log.ts'
import { serve, until } from '../served-runtime.ts'

// What is loaded on demand is there.
beforeAll(() => import('../../../src/runtime/session/verify-jwt.ts'))

const SECRET = 'a secret of the runtime, of 32 bytes and more'
const TOKEN = 'a-token-that-nobody-may-read'
const PASSES: ArcpRuntimeAuth = { bearer: (token) => (token === TOKEN ? 'ada' : undefined) }

interface Case {
  readonly name: string
  readonly auth: ArcpRuntimeAuth
  readonly scheme: 'bearer' | 'signed_jwt'
  readonly isAccepted: boolean
}

const CASES: readonly Case[] = [
  { name: 'is accepted', auth: PASSES, scheme: 'bearer', isAccepted: true },
  { name: 'answers a challenge', auth: { ...PASSES, challenge: true }, scheme: 'bearer', isAccepted: true },
  { name: 'is refused', auth: { bearer: () => undefined }, scheme: 'bearer', isAccepted: false },
  { name: 'has a scheme that is refused', auth: PASSES, scheme: 'signed_jwt', isAccepted: false },
  {
    name: 'is in the error of the verifier',
    auth: {
      bearer: async (token) => {
        throw new Error(`No row for ${token}`)
      },
    },
    scheme: 'bearer',
    isAccepted: false,
  },
  { name: 'is no signed one', auth: { signedJwt: { secret: SECRET } }, scheme: 'signed_jwt', isAccepted: false },
]

/** All that a session with this token leaves behind, on both sides. */
async function traces(
  { auth, scheme }: Case,
  token: string,
): Promise<{ readonly all: string; readonly isAccepted: boolean }> {
  const log = restartableLog()
  const { client, raw, settle, runtime, environment } = serve({
    tools: { add: async ({ a }, { principal }) => [a, principal] },
    auth,
    log,
  })
  // Frames as a client gets them.
  const frames = await raw({
    open: { auth: { scheme, token }, client: { kind: 'test', version: '1' }, capabilities: { streaming: true } },
  })
  await until(() => frames.got.length > 0)
  if (frames.of('session.challenge').length > 0)
    frames.send('session.authenticate', {
      response: token,
      challenge: frames.last('session.challenge').payload.challenge,
    })
  await settle()
  // What the client of this package says, keeps and throws.
  const arcp = client({ auth: { scheme, token }, maxRetries: 0 })
  const told: unknown[] = []
  arcp.onMessage((message) => told.push(message))
  const job = arcp.invoke('add', { a: 1 })
  let outcome: unknown
  job.result.then(
    (result) => (outcome = result),
    (error: unknown) => (outcome = error),
  )
  for (let round = 0; round < 60 && outcome === undefined; round++) {
    await until(() => outcome !== undefined || frames.isClosed)
    await environment.clock.advance(1_000)
  }
  const [session] = runtime.sessions
  if (session !== undefined) runtime.refresh(session.id)
  await settle()
  const left = [frames.frames, log.texts(), environment.reports, told, arcp.getState(), arcp.connection, outcome]
  arcp.close()
  await runtime.close()
  const shown = inspect(left, {
    depth: Infinity,
    maxArrayLength: Infinity,
    maxStringLength: Infinity,
    showHidden: true,
  })
  return { all: shown, isAccepted: frames.of('session.accepted').length > 0 && !(outcome instanceof Error) }
}

describe('a token', () => {
  it.each(CASES)('that $name is in nothing that is sent, logged, reported, kept or thrown', async (one) => {
    const { all, isAccepted } = await traces(one, TOKEN)
    expect(isAccepted).toBe(one.isAccepted)
    expect(all.length).toBeGreaterThan(500)
    expect(all).not.toContain(TOKEN)
  })

  it('that is signed and accepted is in none of it either, nor is its secret', async () => {
    const token = await new SignJWT({})
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject('ada')
      .sign(new TextEncoder().encode(SECRET))
    const one: Case = { name: '', auth: { signedJwt: { secret: SECRET } }, scheme: 'signed_jwt', isAccepted: true }
    const { all, isAccepted } = await traces(one, token)
    expect(isAccepted).toBe(true)
    expect(all).not.toContain(token)
    expect(all).not.toContain(token.split('.')[2])
    expect(all).not.toContain(SECRET)
  })
})
