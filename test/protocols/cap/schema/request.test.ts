import { describe, expect, it } from 'vitest'
import type { ServiceRequestInput } from '../../../../src/protocols/cap/schema/request.ts'
import {
  agentRequestSchema,
  clientCapabilitiesSchema,
  createServiceRequestSchema,
  serviceRequestSchema,
} from '../../../../src/protocols/cap/schema/request.ts'

const SESSION = '2f1d6c80-7f0e-4b11-9a0c-8f4c2c5d9e10'
const OTHER = '9a6f0f9e-54f6-4b8e-8a43-0d1b7f2f6c55'
const request: ServiceRequestInput = {
  request_id: '0c9d3d5e-2a64-4e9f-8a9b-7f3b1c2d4e5f',
  context: {
    session_id: SESSION,
    agent_id: OTHER,
    user: { user_id: 'u-77', tier: 'free', locale: 'de-DE' },
    trace: { trace_id: OTHER, span_id: SESSION },
    permissions: [],
    created_at: '2026-03-01T08:15:00Z',
  },
  payload: { session_id: SESSION, payload: { query: 'Why do rivers meander?' } },
}

describe('a service request', () => {
  it('needs no more than the documented keys', () => {
    expect(serviceRequestSchema.parse(request)).toEqual({ ...request, payload: { ...request.payload, metadata: {} } })
  })

  it('comes out in canonical spelling, without nulls', () => {
    const { user, trace } = request.context
    const parsed = serviceRequestSchema.parse({
      ...request,
      request_id: request.request_id.toUpperCase(),
      context: { ...request.context, user: { ...user, email: null }, trace: { ...trace, parent_id: null } },
      payload: { ...request.payload, capabilities: null, root_request_id: null, metadata: { kept: null } },
    })
    expect(JSON.parse(JSON.stringify(parsed))).toEqual({
      ...request,
      payload: { ...request.payload, metadata: { kept: null } },
    })
  })

  it('loses keys nobody documented, so that none can be smuggled in', () => {
    const parsed = serviceRequestSchema.parse({
      ...request,
      debug: true,
      context: { ...request.context, is_admin: true },
    })
    expect(parsed).not.toHaveProperty('debug')
    expect(parsed.context).not.toHaveProperty('is_admin')
  })

  it('keeps its payload as it is, however deep', () => {
    const payload: Record<string, unknown> = JSON.parse(`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`)
    expect(serviceRequestSchema.parse({ ...request, payload: { ...request.payload, payload } }).payload.payload).toBe(
      payload,
    )
  })

  it.each([
    ['request_id', { request_id: 'req-1' }],
    ['context', { context: 'none' }],
    ['context', { context: undefined }],
    ['context.user', { context: { ...request.context, user: 'u-77' } }],
    ['context.user.tier', { context: { ...request.context, user: { user_id: 'u-77', locale: 'de-DE' } } }],
    ['context.trace', { context: { ...request.context, trace: undefined } }],
    ['context.session_id', { context: { ...request.context, session_id: 'sess_abc' } }],
    ['context.permissions', { context: { ...request.context, permissions: null } }],
    ['context.created_at', { context: { ...request.context, created_at: undefined } }],
    ['payload', { payload: undefined }],
    ['payload.session_id', { payload: { payload: {} } }],
    ['payload.payload', { payload: { session_id: SESSION } }],
    ['payload.payload', { payload: { session_id: SESSION, payload: [] } }],
    ['payload.metadata', { payload: { ...request.payload, metadata: null } }],
    [
      'payload.capabilities.supported_events.0',
      { payload: { ...request.payload, capabilities: { supported_events: [7] } } },
    ],
  ])('is refused for its %s', (path, change) => {
    const { error } = serviceRequestSchema.safeParse({ ...request, ...change })
    expect(error?.issues.map((issue) => issue.path.join('.'))).toEqual([path])
    expect(error?.issues[0]?.message).toMatch(/^must /)
  })

  it('without lax reading must be spelled canonically', () => {
    const strict = createServiceRequestSchema({ lax: false })
    expect(strict.safeParse(request).success).toBe(true)
    expect(strict.safeParse({ ...request, context: { ...request.context, created_at: '2026-03-01' } }).success).toBe(
      false,
    )
  })
})

describe('the lineage of an agent request', () => {
  const agent = { session_id: SESSION, payload: {} }

  it('begins with the request itself', () => {
    expect(agentRequestSchema.parse({ ...agent, request_id: OTHER }).root_request_id).toBe(OTHER)
  })

  it('is left open while the request has no id', () => {
    expect(agentRequestSchema.parse(agent)).toEqual({ ...agent, metadata: {} })
  })

  it('keeps the root and parent it is given', () => {
    const child = { ...agent, request_id: OTHER, root_request_id: SESSION, parent_request_id: SESSION }
    expect(agentRequestSchema.parse(child)).toEqual({ ...child, metadata: {} })
  })

  it('is broken by a parent without root', () => {
    const { error } = agentRequestSchema.safeParse({ ...agent, parent_request_id: OTHER })
    expect(error?.issues).toMatchObject([
      { path: ['root_request_id'], message: expect.stringContaining('first request of the chain') },
    ])
    expect(agentRequestSchema.safeParse({ ...agent, parent_request_id: OTHER, root_request_id: null }).success).toBe(
      false,
    )
  })
})

describe('what a client can show', () => {
  it('is text in markdown unless it says more', () => {
    expect(clientCapabilitiesSchema.parse({ colours: 256 })).toEqual({ supported_events: [], prefers_markdown: true })
  })

  it('may name any image resolution and say yes in words', () => {
    expect(
      clientCapabilitiesSchema.parse({
        supported_events: ['MEDIA_CAROUSEL'],
        prefers_markdown: 'no',
        image_resolution: '4k',
      }),
    ).toEqual({
      supported_events: ['MEDIA_CAROUSEL'],
      prefers_markdown: false,
      image_resolution: '4k',
    })
  })

  it('starts a separate list each time', () => {
    expect(clientCapabilitiesSchema.parse({}).supported_events).not.toBe(
      clientCapabilitiesSchema.parse({}).supported_events,
    )
  })
})
