import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ValidationError } from '../../../src/base/format/validation-error.ts'
import { readAgentCard } from '../../../src/protocols/a2a/agent-card.ts'
import { agentCardSchema } from '../../../src/protocols/a2a/schemas.ts'
import { mutationsOf, SEED } from './mutations-of.ts'
import { CARD } from './samples.ts'

function read(value: unknown): unknown {
  try {
    return readAgentCard(value, 'card')
  } catch (error) {
    if (error instanceof ValidationError) return 'refused'
    throw error
  }
}

describe('the card of an agent', () => {
  it('is taken, or not, as the schema takes it', () => {
    expect(read(CARD)).toEqual(CARD)
    fc.assert(
      fc.property(mutationsOf(CARD), (value) => {
        // One without interfaces is read as a card of 0.3.
        if (typeof value === 'object' && value !== null && !('supportedInterfaces' in value)) return
        const parsed = agentCardSchema.safeParse(value)
        expect(read(value)).toEqual(parsed.success ? parsed.data : 'refused')
      }),
      { seed: SEED, numRuns: 1500 },
    )
  })

  it('of A2A 0.3 names its interfaces in another way', () => {
    const older = {
      name: 'Old',
      url: 'https://old.example/rpc',
      protocolVersion: '0.3.0',
      additionalInterfaces: [{ url: 'https://old.example/rest', transport: 'HTTP+JSON' }],
      capabilities: { streaming: true },
      supportsAuthenticatedExtendedCard: true,
      security: [{ key: [] }],
    }
    expect(read(older)).toEqual({
      name: 'Old',
      supportedInterfaces: [
        { url: 'https://old.example/rpc', protocolBinding: 'JSONRPC', protocolVersion: '0.3.0' },
        { url: 'https://old.example/rest', protocolBinding: 'HTTP+JSON', protocolVersion: '0.3.0' },
      ],
      capabilities: { streaming: true, extendedAgentCard: true },
      securityRequirements: [{ key: [] }],
    })
  })
})
