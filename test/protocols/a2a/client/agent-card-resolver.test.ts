import { AgentCard, generateAgentCardSignature, verifyAgentCardSignature } from '@a2a-js/sdk'
import { exportJWK, FlattenedSign, generateKeyPair } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { AgentCardResolver } from '../../../../src/protocols/a2a/client/agent-card-resolver.ts'
import { keepServerQuiet } from '../../../support/a2a/quiet-server.ts'
import { serveSdkAgent } from '../../../support/a2a/sdk-agent.ts'

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>

const HEADER = { alg: 'ES256', kid: 'rivers-2026', typ: 'JOSE' }
let pair: KeyPair
let other: KeyPair

beforeAll(async () => {
  pair = await generateKeyPair('ES256', { extractable: true })
  other = await generateKeyPair('ES256', { extractable: true })
})

keepServerQuiet()

/** A resolver that is given this card, whatever it asks for. */
function resolverOf(card: object): AgentCardResolver {
  return new AgentCardResolver({
    fetch: async () => new Response(JSON.stringify(card), { headers: { 'content-type': 'application/json' } }),
  })
}

const CARD = {
  name: 'Rivers',
  supportedInterfaces: [{ url: 'https://agent.test/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: { streaming: false },
}

/** The canonical form of CARD, written by hand. */
const CANONICAL =
  '{"capabilities":{"streaming":false},"name":"Rivers","supportedInterfaces":[{"protocolBinding":"JSONRPC","protocolVersion":"1.0","url":"https://agent.test/a2a"}]}'

async function sign(payload: string, header: Readonly<Record<string, string>> = HEADER, by = pair): Promise<object> {
  const { payload: _payload, ...signature } = await new FlattenedSign(new TextEncoder().encode(payload))
    .setProtectedHeader(header)
    .sign(by.privateKey)
  return signature
}

async function stateOf(card: object, keys: Readonly<Record<string, CryptoKey>> = { 'rivers-2026': pair.publicKey }) {
  return (await resolverOf(card).resolveSigned('https://agent.test', ({ keyId }) => keys[keyId])).signature
}

describe('a signed card', () => {
  it('of the official server is as its key signed it', async () => {
    const agent = await serveSdkAgent({ sign: generateAgentCardSignature(pair.privateKey, HEADER) })
    const asked: unknown[] = []
    const { card, signature } = await new AgentCardResolver().resolveSigned(agent.origin, async (query) => {
      asked.push(query)
      return exportJWK(pair.publicKey)
    })
    expect(signature).toEqual({ state: 'valid', keyId: 'rivers-2026' })
    expect(asked).toEqual([{ keyId: 'rivers-2026', keySetUrl: undefined, algorithm: 'ES256' }])
    expect(card).toMatchObject({ name: 'Rivers', signatures: [{}] })
  })

  it('is valid in its canonical form, with what is empty, and with members of 0.3 next to it', async () => {
    const signatures = [await sign(CANONICAL)]
    expect(await stateOf({ ...CARD, signatures })).toMatchObject({ state: 'valid' })
    expect(await stateOf({ signatures, description: '', skills: [], ...CARD })).toMatchObject({ state: 'valid' })
    expect(await stateOf({ ...CARD, url: 'https://agent.test/older', signatures })).toMatchObject({ state: 'valid' })
  })

  it.each([
    ['name', { ...CARD, name: 'Streams' }],
    ['address', { ...CARD, supportedInterfaces: [{ ...CARD.supportedInterfaces[0], url: 'https://evil.test' }] }],
    ['added skill', { ...CARD, skills: [{ id: 's', name: 'S' }] }],
    ['taken interface, with one of 0.3 in its place', { name: 'Rivers', url: 'https://evil.test', capabilities: {} }],
  ])('is invalid with another %s', async (_, card) => {
    expect(await stateOf({ ...card, signatures: [await sign(CANONICAL)] })).toEqual({ state: 'invalid' })
  })

  it('is invalid when the key is another one, and of an unknown key when nobody knows it', async () => {
    const card = { ...CARD, signatures: [await sign(CANONICAL)] }
    expect(await stateOf(card, { 'rivers-2026': other.publicKey })).toEqual({ state: 'invalid' })
    expect(await stateOf(card, {})).toEqual({ state: 'unknown-key' })
  })

  it('needs one good signature of several, and none that a shared secret would make', async () => {
    const good = await sign(CANONICAL)
    expect(await stateOf({ ...CARD, signatures: [{ protected: 'x', signature: 'y' }, good] })).toMatchObject({
      state: 'valid',
    })
    const header = Buffer.from(JSON.stringify({ ...HEADER, alg: 'HS256' })).toString('base64url')
    expect(await stateOf({ ...CARD, signatures: [{ ...good, protected: header }] })).toEqual({ state: 'unknown-key' })
    const none = Buffer.from(JSON.stringify({ ...HEADER, alg: 'none' })).toString('base64url')
    expect(await stateOf({ ...CARD, signatures: [{ protected: none, signature: '' }] })).toEqual({
      state: 'unknown-key',
    })
  })

  it('is told from one without signatures', async () => {
    expect(await stateOf(CARD)).toEqual({ state: 'unsigned' })
    expect(await stateOf({ ...CARD, signatures: [] })).toEqual({ state: 'unsigned' })
  })
})

const SCHEMES = { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer', bearerFormat: 'JWT' } } }

/** A card of 1.0, signed and written by the official SDK, which also confirms its signature. */
async function signedBySdk(card: object): Promise<object> {
  const read = AgentCard.fromJSON({ description: 'd', version: '1', ...CARD, ...card })
  const signed = await generateAgentCardSignature(pair.privateKey, HEADER)(read)
  await verifyAgentCardSignature(async () => pair.publicKey)(signed)
  // The SDK types its JSON as unknown; of a card it is an object.
  return AgentCard.toJSON(signed) as object
}

describe('a card signed by the official SDK, whose signature leaves a part out', () => {
  it.each([
    ['a bearer scheme', { securitySchemes: SCHEMES }, ['securitySchemes']],
    [
      'a scheme that is empty but for its name',
      { securitySchemes: { m: { mtlsSecurityScheme: {} } } },
      ['securitySchemes'],
    ],
    [
      'a scheme and a requirement without scopes',
      { securitySchemes: SCHEMES, securityRequirements: [{ schemes: { bearer: { list: [] } } }] },
      ['securitySchemes', 'securityRequirements'],
    ],
    [
      'a requirement with scopes, which is signed',
      { securitySchemes: SCHEMES, securityRequirements: [{ schemes: { bearer: { list: ['read'] } } }] },
      ['securitySchemes'],
    ],
    [
      'empty values in the parameters of an extension',
      { capabilities: { streaming: false, extensions: [{ uri: 'https://x.example', params: { a: 0, mode: '' } }] } },
      ['capabilities.extensions'],
    ],
  ])('is partly signed with %s', async (_, card, unsigned) => {
    expect(await stateOf(await signedBySdk(card))).toEqual({ state: 'partly-signed', keyId: 'rivers-2026', unsigned })
  })

  it('stays partly signed when someone changes its sign-in, and is invalid when anything else is changed', async () => {
    const card = await signedBySdk({ securitySchemes: SCHEMES })
    const evil = { x: { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://evil.test' } } }
    expect(await stateOf({ ...card, securitySchemes: evil })).toMatchObject({
      state: 'partly-signed',
      unsigned: ['securitySchemes'],
    })
    expect(await stateOf({ ...card, name: 'Streams' })).toEqual({ state: 'invalid' })
    expect(await stateOf({ ...card, securityRequirements: [{ schemes: { bearer: { list: ['x'] } } }] })).toEqual({
      state: 'invalid',
    })
  })

  it('is valid without such a part, and where the signer signed the schemes', async () => {
    expect(await stateOf(await signedBySdk({}))).toEqual({ state: 'valid', keyId: 'rivers-2026' })
    const whole = CANONICAL.replace(
      '"supported',
      '"securityRequirements":[{"schemes":{"bearer":{}}}],"securitySchemes":{"bearer":{"httpAuthSecurityScheme":{"bearerFormat":"JWT","scheme":"Bearer"}}},"supported',
    )
    const card = { ...CARD, securitySchemes: SCHEMES, securityRequirements: [{ schemes: { bearer: {} } }] }
    expect(await stateOf({ ...card, signatures: [await sign(whole)] })).toEqual({
      state: 'valid',
      keyId: 'rivers-2026',
    })
    expect(await stateOf({ ...card, securityRequirements: [], signatures: [await sign(whole)] })).toEqual({
      state: 'invalid',
    })
  })

  it('counts the signature that covers most', async () => {
    const partly = await sign(CANONICAL)
    const whole = await sign(
      CANONICAL.replace('"supported', '"securitySchemes":{"m":{"mtlsSecurityScheme":{}}},"supported'),
    )
    const card = { ...CARD, securitySchemes: { m: { mtlsSecurityScheme: {} } } }
    expect(await stateOf({ ...card, signatures: [partly] })).toMatchObject({ state: 'partly-signed' })
    expect(await stateOf({ ...card, signatures: [partly, whole] })).toMatchObject({ state: 'valid' })
  })
})
