import { describe, expect, it } from 'vitest'
import {
  agentCapabilitiesG1Schema,
  agentCapabilitiesV16Schema,
  agentCapabilitiesV18Schema,
} from '../dialects/agent-capabilities.ts'
import { chatMessageG1Schema, chatMessageG2Schema, multiModalInputSchema } from '../dialects/chat-message.ts'
import { cloudEventG0Schema, cloudEventG2Schema } from '../dialects/cloud-event.ts'
import { identitySchema, serviceRequestV19Schema } from '../../../../src/protocols/cap/schema/service-request-g2.ts'
import {
  serviceRequestLooseSchema,
  serviceRequestV17Schema,
  serviceRequestV18Schema,
} from '../dialects/older-service-request.ts'

const ID = '2f1d6c80-7f0e-4b11-9a0c-8f4c2c5d9e10'
const OTHER = '9a6f0f9e-54f6-4b8e-8a43-0d1b7f2f6c55'
const context = { session_id: 'sess-1', user: { id: 'anonymous', name: 'Anonymous User', role: 'user' } }
const dialects = {
  loose: serviceRequestLooseSchema,
  v17: serviceRequestV17Schema,
  v18: serviceRequestV18Schema,
  v19: serviceRequestV19Schema,
}

/** The dialects that take a request with this payload. */
const takenBy = (payload: unknown, change: object = {}): string[] =>
  Object.entries(dialects)
    .filter(([, schema]) => schema.safeParse({ request_id: ID, context, payload, ...change }).success)
    .map(([name]) => name)

describe('a request in the dialect of a release', () => {
  it.each([
    [{ query: 'Why?' }, ['loose', 'v17', 'v18']],
    [{ query: 'Why?', session_id: 'sess-1' }, ['loose', 'v17', 'v18']],
    [{ query: 'Why?', parent_request_id: OTHER }, ['loose', 'v17']],
    [{ query: 'Why?', parent_request_id: OTHER, root_request_id: ID }, ['loose', 'v17', 'v18']],
    [{ query: { text: 'Why?' } }, ['loose']],
    [{ query: 'Why?', files: [{ id: 'f' }] }, ['loose']],
    [{ session_id: ID, payload: { query: 'Why?' } }, ['loose', 'v19']],
    [{ session_id: 'sess-1', payload: { query: 'Why?' } }, ['loose']],
    [{ session_id: ID, payload: [] }, ['loose']],
    [{ session_id: ID, payload: {}, parent_request_id: OTHER }, ['loose']],
    [{ session_id: ID, payload: {}, metadata: null }, ['loose']],
    [[], []],
    [undefined, []],
  ])('with the payload %j is taken by %j', (payload, names) => {
    expect(takenBy(payload)).toEqual(names)
  })

  it('needs a user and a text session from v0.17 on', () => {
    expect(takenBy({ query: 'Why?' }, { context: {} })).toEqual(['loose'])
    expect(takenBy({ query: 'Why?' }, { context: { ...context, session_id: 7 } })).toEqual(['loose'])
    expect(takenBy({ query: 'Why?' }, { context: { ...context, user: { id: 7, name: 'x' } } })).toEqual(['loose'])
    expect(takenBy({ query: 'Why?' }, { request_id: 'r-1' })).toEqual([])
  })

  it('becomes its own root in v0.17 even below a parent', () => {
    const payload = { request_id: ID, query: 'Why?', parent_request_id: OTHER }
    expect(serviceRequestV17Schema.parse({ request_id: ID, context, payload }).payload).toMatchObject({
      root_request_id: ID,
      files: [],
      meta: {},
    })
  })
})

describe('a chat message', () => {
  const parts = [
    { type: 'text', content: 'Hi' },
    { type: 'blob', content: 'aGk=', modality: 'image', mime_type: 'image/png' },
    { type: 'file', file_id: 'f-1', modality: 'audio' },
    { type: 'uri', uri: 'rivers.example', modality: 'video' },
    { type: 'tool_call', name: 'search', arguments: '{}' },
    { type: 'tool_call_response', response: null, id: 'c-1' },
    { type: 'reasoning', content: 'hm' },
  ]

  it('has parts of seven kinds in G1', () => {
    expect(chatMessageG1Schema.parse({ role: 'assistant', parts }).parts).toEqual(parts)
  })

  it.each([
    { type: 'hologram' },
    { content: 'x' },
    { type: 'blob', content: 'x', modality: 'pdf' },
    { type: 'tool_call', name: 'x', arguments: [] },
    { type: 'tool_call_response' },
  ])('has no part like %j', (part) => {
    expect(chatMessageG1Schema.safeParse({ role: 'user', parts: [part] }).success).toBe(false)
  })

  it('has content in G2', () => {
    expect(
      chatMessageG2Schema.safeParse({ role: 'tool', content: '42', tool_call_id: 'c-1', name: null }).success,
    ).toBe(true)
    expect(chatMessageG2Schema.safeParse({ role: 'user', content: null }).success).toBe(false)
    expect(chatMessageG2Schema.safeParse({ role: 'admin', content: '' }).success).toBe(false)
  })

  it('may bring files', () => {
    expect(multiModalInputSchema.parse({ parts: [{ text: 'Look' }, { attachments: [{ id: 'f-1' }] }] })).toEqual({
      parts: [{ text: 'Look', attachments: [] }, { attachments: [{ id: 'f-1' }] }],
    })
  })
})

describe('what an agent says of itself', () => {
  it('has sensible defaults in every release', () => {
    expect(agentCapabilitiesG1Schema.parse({})).toEqual({ delivery_mode: 'request_response' })
    expect(agentCapabilitiesV16Schema.parse({})).toEqual({ delivery_mode: ['sse'], history_support: true })
    expect(agentCapabilitiesV18Schema.parse({})).toEqual({
      type: 'graph',
      delivery_mode: 'request_response',
      history_support: true,
    })
  })

  it.each([
    { delivery_mode: 'sse' },
    { delivery_mode: ['sse'] },
    { type: 'swarm' },
    { type: null },
    { streaming: true },
  ])('may not be %j since v0.18', (value) => {
    expect(agentCapabilitiesV18Schema.safeParse(value).success).toBe(false)
  })
})

describe('a CloudEvent', () => {
  it('keeps its extension attributes in G0', () => {
    expect(cloudEventG0Schema.parse({ type: 'a', source: 'urn:a', traceparent: '00' })).toEqual({
      specversion: '1.0',
      type: 'a',
      source: 'urn:a',
      traceparent: '00',
    })
    expect(cloudEventG0Schema.safeParse({ source: 'urn:a' }).success).toBe(false)
  })

  it('names itself and its time before v0.17', () => {
    const event = { type: 'a', source: 'urn:a', id: 'e-1', time: '2026-03-01T08:15:00Z' }
    expect(cloudEventG2Schema.safeParse(event).success).toBe(true)
    expect(cloudEventG2Schema.safeParse({ ...event, id: undefined }).success).toBe(false)
  })
})

describe('an identity', () => {
  it('has an id and a name that are text', () => {
    expect(identitySchema.safeParse({ id: 'user\u0000admin', name: '' }).success).toBe(true)
    expect(identitySchema.safeParse({ id: {}, name: 'x' }).success).toBe(false)
  })
})
