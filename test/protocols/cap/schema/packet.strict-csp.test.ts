import { afterEach, describe, expect, it, vi } from 'vitest'

describe('a page whose content security policy forbids eval', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.resetModules()
  })

  it('is never asked to compile code, not even to see whether it could', async () => {
    const compiled: unknown[] = []
    const refuse = (_target: unknown, sources: unknown): never => {
      compiled.push(sources)
      throw new EvalError('unsafe-eval')
    }
    vi.resetModules()
    vi.stubGlobal('Function', new Proxy(Function, { construct: refuse, apply: refuse }))
    const { readPacket } = await import('../../../../src/protocols/cap/read/rare-packet.ts')
    const { streamPacketSchema } = await import('../../../../src/protocols/cap/schema/packet.ts')
    const { serviceRequestSchema } = await import('../../../../src/protocols/cap/schema/request.ts')
    const { serviceResponseSchema } = await import('../../../../src/protocols/cap/schema/response.ts')
    const { presentationEventG2Schema } = await import('../dialects/presentation-event-g2.ts')
    expect(readPacket('{"op":"event","p":{}}', 'strict').op).toBe('EVENT')
    expect(
      [streamPacketSchema, serviceRequestSchema, serviceResponseSchema].map((schema) => schema.safeParse({}).success),
    ).toEqual([false, false, false])
    expect(presentationEventG2Schema.safeParse({ type: 'user_error', data: {} }).success).toBe(true)
    expect(compiled).toEqual([])
  })
})
