import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadArcpOnDemand } from '../../support/load-arcp-on-demand.ts'
import { OPEN, serve, until } from '../served-runtime.ts'

// What the client loads on demand is there.
beforeAll(() => Promise.all([loadArcpOnDemand(), import('../../../src/protocols/arcp/client/runtime-calls.ts')]))

const openAs = (token: string): object => ({ ...OPEN, auth: { scheme: 'bearer', token } })
const auth = { bearer: (token: string): string => token }

describe('an artifact', () => {
  it('is put, fetched and released by the client of this package', async () => {
    const { client, settle } = serve({ tools: {} })
    const arcp = client()
    let ref: { artifact_id: string } | undefined
    void arcp.putArtifact('Grüße', { mediaType: 'text/plain', ttlSeconds: 60 }).then((put) => (ref = put))
    await until(() => ref !== undefined)
    expect(ref).toMatchObject({
      media_type: 'text/plain',
      size: 7,
      sha256: createHash('sha256').update('Grüße').digest('hex'),
      expires_at: '2026-03-01T08:16:00.000Z',
    })
    let content: Uint8Array | undefined
    void arcp.fetchArtifact(ref?.artifact_id ?? '').then((found) => (content = found.content))
    await until(() => content !== undefined)
    expect(new TextDecoder().decode(content)).toBe('Grüße')
    const released = arcp.releaseArtifact(ref?.artifact_id ?? '')
    await settle()
    await released
    const gone = arcp.fetchArtifact(ref?.artifact_id ?? '').catch((error: unknown) => error)
    await settle()
    expect(await gone).toMatchObject({ code: 'not_found' })
    arcp.close()
  })

  it('of a tool is told to the client, and is gone when its time has expired', async () => {
    const { raw, settle, pass, environment, runtime } = serve({
      tools: {
        draw: async (_given, { artifact }) =>
          artifact(new Uint8Array([0, 255]), { mediaType: 'image/x', ttlSeconds: 9e9 }),
      },
      artifacts: { maxSeconds: 120 },
    })
    const client = await raw()
    client.send('tool.invoke', { tool: 'draw' })
    await until(() => client.of('tool.result').length > 0)
    const { payload } = client.last('artifact.ref')
    expect(payload).toMatchObject({ size: 2, expires_at: '2026-03-01T08:17:00.000Z' })
    expect(payload.uri).toBe(
      `arcp://session/${client.last('session.accepted').session_id}/artifact/${payload.artifact_id}`,
    )
    client.send('artifact.fetch', { artifact_id: payload.artifact_id })
    await settle()
    expect(client.last('artifact.put').payload).toMatchObject({ data: 'AP8=', encoding: 'base64' })
    await pass(120_000)
    client.send('artifact.fetch', { artifact_id: payload.artifact_id })
    await settle()
    expect(client.last('nack').payload).toMatchObject({ code: 'NOT_FOUND' })
    await runtime.close()
    expect(environment.clock.pending).toBe(0)
  })

  it('is nothing to other principals, has the digest it is said to have, and fits the space there is', async () => {
    const { raw, settle } = serve({ tools: {}, auth, artifacts: { maxBytes: 10 } })
    const [ada, bob] = [await raw({ open: openAs('ada') }), await raw({ open: openAs('bob') })]
    ada.send('artifact.put', { media_type: 'text/plain', data: btoa('Hello') })
    await until(() => ada.of('artifact.ref').length > 0)
    const { artifact_id } = ada.last('artifact.ref').payload
    bob.send('artifact.fetch', { artifact_id })
    bob.send('artifact.release', { artifact_id })
    ada.send('artifact.put', { media_type: 'text/plain', data: btoa('Hello'), sha256: 'abc' })
    ada.send('artifact.put', { media_type: 'text/plain', data: '%%%' })
    ada.send('artifact.put', { media_type: 'text/plain', data: btoa('too much') })
    await until(() => ada.of('nack').length === 3)
    await settle()
    expect(bob.of('nack').map(({ payload }) => payload.code)).toEqual(['NOT_FOUND', 'NOT_FOUND'])
    expect(ada.of('nack').map(({ payload }) => payload.code)).toEqual([
      'INVALID_ARGUMENT',
      'INVALID_ARGUMENT',
      'RESOURCE_EXHAUSTED',
    ])
  })
})
