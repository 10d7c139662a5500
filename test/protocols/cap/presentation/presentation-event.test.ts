import { describe, expect, expectTypeOf, it } from 'vitest'
import { artifactEventSchema, citationEventSchema, userErrorEventSchema } from '../dialects/flat-event.ts'
import {
  dataBlockSchema,
  markdownBlockSchema,
  thoughtBlockSchema,
  userErrorBlockSchema,
} from '../dialects/presentation-block.ts'
import { presentationEventG2Schema } from '../dialects/presentation-event-g2.ts'
import type { PresentationEvent } from '../../../../src/protocols/cap/presentation/presentation-event.ts'
import {
  citationItemSchema,
  presentationEventSchema,
} from '../../../../src/protocols/cap/presentation/presentation-event.ts'

const place = { id: '5b0c7a2e-3d41-4f6b-9a58-0e2f6c1d7b90', timestamp: '2026-03-01T08:15:02Z' }
const citation = { source_id: 'geo-4', uri: 'https://rivers.example', title: 'River bends', confidence: 0.8 }

describe('a presentation event of the generation of record', () => {
  it('as a server writes it is always valid', () => {
    const events: PresentationEvent[] = [
      { ...place, type: 'THOUGHT_TRACE', data: { thought: 'Look at bends' } },
      { ...place, type: 'CITATION_BLOCK', data: { citations: [citation] } },
      { ...place, type: 'PROGRESS_INDICATOR', data: { label: 'Indexing', status: 'running', progress_percent: 0.4 } },
      {
        ...place,
        type: 'MEDIA_CAROUSEL',
        data: { items: [{ url: 'https://a.example/b.png', mime_type: 'image/png' }] },
      },
      { ...place, type: 'MARKDOWN_BLOCK', data: { content: '# Bends' } },
    ]
    expect(events.map((event) => presentationEventSchema.parse(event))).toEqual(events)
  })

  it('ties the data to the type for those who write it', () => {
    expectTypeOf<PresentationEvent<'PROGRESS_INDICATOR'>['data']['status']>().toEqualTypeOf<
      'running' | 'complete' | 'failed'
    >()
    // @ts-expect-error a progress indicator has no citations
    const wrong: PresentationEvent = { ...place, type: 'PROGRESS_INDICATOR', data: { citations: [] } }
    expect(presentationEventSchema.safeParse(wrong).success).toBe(true)
  })

  it.each([
    { citations: [{ ...citation, uri: '/relative' }] },
    { label: 'l', status: 'RUNNING' },
    { label: 'l', status: 'running', progress_percent: 45 },
    {},
  ])('may carry data that fit no model: %j', (data) => {
    expect(presentationEventSchema.parse({ ...place, type: 'CITATION_BLOCK', data }).data).toEqual(data)
  })

  it.each([
    { type: 'USER_ERROR' },
    { type: 'citation_block' },
    { id: 'one' },
    { timestamp: 'now' },
    { data: 'x' },
    { data: null },
    { data: [] },
    { extra: 1 },
    { id: undefined },
  ])('is refused with %j', (change) => {
    expect(presentationEventSchema.safeParse({ ...place, type: 'MARKDOWN_BLOCK', data: {}, ...change }).success).toBe(
      false,
    )
  })

  it('cites absolute addresses, of any scheme', () => {
    const uris = ['https://a.example', 'javascript:alert(1)', 'urn:isbn:1', '/a', 'a.example', '']
    expect(uris.map((uri) => citationItemSchema.safeParse({ ...citation, uri }).success)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ])
    expect(citationItemSchema.safeParse({ ...citation, confidence: undefined }).success).toBe(false)
    expect(citationItemSchema.safeParse({ ...citation, page: 3 }).success).toBe(false)
  })
})

describe('a presentation event of v0.18 and later', () => {
  const { confidence: _, ...item } = citation

  it.each([
    { type: 'citation_block', data: { items: [item] } },
    { type: 'citation_block', data: {} },
    { type: 'media_carousel', data: { items: [] }, extra: 1 },
    { type: 'progress_indicator', data: { label: 'l', status: 'running', progress_percent: 0 } },
    { type: 'progress_indicator', data: { label: 'l', status: 'running', progress_percent: 1 } },
    { type: 'markdown_block', data: { content: '' } },
    { type: 'thought_trace', data: { anything: 1 } },
    { type: 'user_error', data: { error: 'x' } },
    { ...place, type: 'user_error', data: {} },
  ])('may be %j', (event) => {
    expect(presentationEventG2Schema.safeParse(event).success).toBe(true)
  })

  it.each([
    { type: 'citation_block', data: { citations: [item] } },
    { type: 'citation_block', data: { items: [{ ...item, uri: 'relative' }] } },
    { type: 'progress_indicator', data: { label: 'l', status: 'thinking' } },
    { type: 'progress_indicator', data: { label: 'l' } },
    ...[1.5, 1.0000001, -1e-7, 'NaN'].map((progress_percent) => ({
      type: 'progress_indicator',
      data: { label: 'l', status: 'running', progress_percent },
    })),
    { type: 'markdown_block', data: { text: 'x' } },
    { type: 'user_error', data: 'x' },
    { type: 'user_error' },
    { type: 'artifact', data: {} },
    { type: 'CITATION_BLOCK', data: { items: [item] } },
  ])('is not %j', (event) => {
    expect(presentationEventG2Schema.safeParse(event).success).toBe(false)
  })
})

describe('older events', () => {
  it('are flat from v0.15 to v0.17', () => {
    expect(citationEventSchema.parse({ uri: 'geo-4', text: 'bends' }).type).toBe('citation')
    expect(artifactEventSchema.safeParse({ artifact_id: 'a' }).success).toBe(false)
    expect(userErrorEventSchema.parse({ message: '', code: -1 })).toEqual({
      type: 'user_error',
      message: '',
      code: -1,
      domain: 'system',
      retryable: false,
    })
    expect(userErrorEventSchema.safeParse({ code: 500 }).success).toBe(false)
    expect(userErrorEventSchema.safeParse({ message: 'x', domain: 'network' }).success).toBe(false)
  })

  it('are blocks before G1', () => {
    expect(thoughtBlockSchema.parse({ content: 'Look' }).status).toBe('IN_PROGRESS')
    expect(dataBlockSchema.parse({ data: {} }).view_hint).toBe('JSON')
    expect(dataBlockSchema.safeParse({ data: {}, view_hint: 'PIE' }).success).toBe(false)
    expect(markdownBlockSchema.safeParse({ block_type: 'DATA', content: 'x' }).success).toBe(false)
    expect(userErrorBlockSchema.parse({ user_message: 'Not found' }).recoverable).toBe(false)
  })
})
