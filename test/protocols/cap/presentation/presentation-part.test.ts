import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toPart } from '../../../../src/protocols/cap/presentation/presentation-part.ts'

// The same values on every run.
fc.configureGlobal({ seed: 20_260_301 })

/** The part without keys that are undefined. */
const partOf = (event: Record<string, unknown>): unknown => JSON.parse(JSON.stringify(toPart(event).part))

describe('a presentation event becomes', () => {
  it.each([
    [
      'a thought',
      { type: 'THOUGHT_TRACE', data: { thought: 'Look at bends' } },
      { type: 'thought', text: 'Look at bends' },
    ],
    ['a thought of G2', { type: 'thought_trace', data: { content: 'Look' } }, { type: 'thought', text: 'Look' }],
    [
      'a running thought of G0',
      { block_type: 'THOUGHT', content: 'Look', status: 'IN_PROGRESS' },
      { type: 'thought', text: 'Look', status: 'running' },
    ],
    [
      'a finished thought of G0',
      { block_type: 'THOUGHT', content: 'Look', status: 'COMPLETE' },
      { type: 'thought', text: 'Look', status: 'complete' },
    ],
    [
      'citations of G1',
      {
        type: 'CITATION_BLOCK',
        data: {
          citations: [
            { source_id: 'geo-4', uri: 'https://rivers.example', title: 'River bends', snippet: null, confidence: 0.8 },
          ],
        },
      },
      {
        type: 'citations',
        citations: [{ sourceId: 'geo-4', uri: 'https://rivers.example', title: 'River bends', confidence: 0.8 }],
      },
    ],
    [
      'citations of G2',
      {
        type: 'citation_block',
        data: { items: [{ source_id: 's', uri: 'https://a.example', title: 'A', snippet: 'x' }] },
      },
      { type: 'citations', citations: [{ sourceId: 's', uri: 'https://a.example', title: 'A', snippet: 'x' }] },
    ],
    [
      'the flat citation of v0.15',
      { type: 'citation', uri: 'https://a.example', text: 'bends', indices: [3, 8] },
      {
        type: 'citations',
        citations: [
          {
            sourceId: 'https://a.example',
            uri: 'https://a.example',
            title: 'https://a.example',
            text: 'bends',
            indices: [3, 8],
          },
        ],
      },
    ],
    ['no citations', { type: 'CITATION_BLOCK', data: { citations: [] } }, { type: 'citations', citations: [] }],
    [
      'progress',
      { type: 'PROGRESS_INDICATOR', data: { label: 'Indexing', status: 'running', progress_percent: 0.45 } },
      { type: 'progress', label: 'Indexing', status: 'running', fraction: 0.45 },
    ],
    [
      'progress without a measure',
      { type: 'progress_indicator', data: { label: '', status: 'FAILED' } },
      { type: 'progress', label: '', status: 'failed' },
    ],
    [
      'media',
      {
        type: 'MEDIA_CAROUSEL',
        data: {
          items: [
            { url: 'https://a.example/b.png', mime_type: 'image/png', alt_text: 'A bend' },
            { url: '/c', mime_type: 'video/mp4' },
          ],
        },
      },
      {
        type: 'media',
        items: [
          { url: 'https://a.example/b.png', mimeType: 'image/png', alt: 'A bend' },
          { url: '/c', mimeType: 'video/mp4' },
        ],
      },
    ],
    [
      'markdown by any of its names',
      { type: 'MARKDOWN_BLOCK', data: { text: 'third', markdown: 'second', content: 'first' } },
      { type: 'markdown', content: 'first' },
    ],
    [
      'markdown of its second name',
      { type: 'MARKDOWN_BLOCK', data: { text: 'third', markdown: 'second' } },
      { type: 'markdown', content: 'second' },
    ],
    ['markdown of G0', { block_type: 'MARKDOWN', content: '# Bends' }, { type: 'markdown', content: '# Bends' }],
    [
      'a notice with a number',
      { type: 'user_error', data: { message: 'Down', code: 503, domain: 'tool', retryable: true } },
      { type: 'notice', message: 'Down', code: 503, domain: 'tool', retryable: true },
    ],
    [
      'a notice with a word',
      { type: 'user_error', data: { error: 'Quota', code: 'rate_limit_exceeded' } },
      { type: 'notice', message: 'Quota', code: 'rate_limit_exceeded' },
    ],
    [
      'the flat notice of v0.17',
      { type: 'user_error', message: 'Quota', code: -1 },
      { type: 'notice', message: 'Quota', code: -1 },
    ],
    [
      'a notice of G0',
      {
        block_type: 'ERROR',
        user_message: 'Not found',
        technical_details: { status: 404 },
        recoverable: false,
        code: 404,
      },
      { type: 'notice', message: 'Not found', code: 404, retryable: false, details: { status: 404 } },
    ],
    [
      'a table of G0',
      { block_type: 'DATA', data: { columns: ['a'], rows: [[1]] }, view_hint: 'TABLE' },
      { type: 'data', data: { columns: ['a'], rows: [[1]] }, viewHint: 'TABLE' },
    ],
    ['data of G0 without a hint', { block_type: 'DATA', data: {} }, { type: 'data', data: {}, viewHint: 'JSON' }],
    [
      'data of G0 with a hint of its own',
      { block_type: 'DATA', data: {}, view_hint: 'PIE' },
      { type: 'data', data: {} },
    ],
    [
      'an artifact',
      { type: 'artifact', artifact_id: 'a-1', mime_type: 'text/csv', url: 'https://a.example/1' },
      { type: 'artifact', artifactId: 'a-1', mimeType: 'text/csv', url: 'https://a.example/1' },
    ],
    [
      'a generated artifact',
      { type: 'ARTIFACT_GENERATED', artifact_type: 'report', url: 'https://a.example/1' },
      { type: 'artifact', artifactType: 'report', url: 'https://a.example/1' },
    ],
    [
      'a running tool call of G4',
      { type: 'TOOL_CALL', data: { name: 'search', arguments: { q: 'bends' } } },
      { type: 'tool-call', name: 'search', input: { q: 'bends' }, status: 'running' },
    ],
    [
      'a finished tool call of G4',
      { type: 'TOOL_CALL', data: { name: 'search', result: [1] } },
      { type: 'tool-call', name: 'search', output: [1], status: 'complete' },
    ],
    [
      'a tool call that failed',
      { type: 'TOOL_CALL', data: { name: 'search', status: 'failed' } },
      { type: 'tool-call', name: 'search', status: 'failed' },
    ],
    [
      'a tool call that failed with a reason',
      { type: 'TOOL_CALL', data: { name: 'search', status: 'FAILED', error: 'no index' } },
      { type: 'tool-call', name: 'search', output: 'no index', status: 'failed' },
    ],
    [
      'a tool call with an error alone',
      { type: 'TOOL_CALL', data: { name: 'search', error: { code: 5 } } },
      { type: 'tool-call', name: 'search', output: { code: 5 }, status: 'failed' },
    ],
    [
      'a tool call with an error that is null',
      { type: 'TOOL_CALL', data: { name: 'search', error: null, result: 1 } },
      { type: 'tool-call', name: 'search', output: 1, status: 'complete' },
    ],
    [
      'a tool call that is complete and gave nothing',
      { type: 'TOOL_CALL', data: { name: 'search', status: 'complete' } },
      { type: 'tool-call', name: 'search', status: 'complete' },
    ],
    [
      'a tool call that runs and has a first result',
      { type: 'TOOL_CALL', data: { name: 'search', status: 'running', result: [1] } },
      { type: 'tool-call', name: 'search', output: [1], status: 'running' },
    ],
    [
      'a tool call in the words of others',
      { type: 'TOOL_CALL', data: { name: 'search', status: 'success' } },
      { type: 'tool-call', name: 'search', status: 'complete' },
    ],
    [
      'a tool call with a status nobody knows',
      { type: 'TOOL_CALL', data: { name: 'search', status: 'parked', result: 1 } },
      { type: 'tool-call', name: 'search', output: 1, status: 'complete' },
    ],
  ])('%s', (_what, event, part) => {
    expect(partOf(event)).toEqual(part)
  })

  it.each([
    [0.45, 0.45],
    [1, 1],
    [45, 0.45],
    [100, 1],
    [1.5, 0.015],
    [250, 1],
    [-3, 0],
    ['45', undefined],
    [Number.NaN, undefined],
    [null, undefined],
  ])('progress of %j as the fraction %j', (progress_percent, fraction) => {
    expect(
      toPart({ type: 'PROGRESS_INDICATOR', data: { label: 'l', status: 'running', progress_percent } }).part,
    ).toMatchObject({ type: 'progress', fraction })
  })
})

describe('an event that fits no word of ours', () => {
  it.each([
    ['a type nobody knows', 'HOLOGRAM', { type: 'HOLOGRAM', data: { a: 1 } }],
    ['data of another type', 'CITATION_BLOCK', { type: 'CITATION_BLOCK', data: { label: 'l', status: 'running' } }],
    ['citations that are no list', 'CITATION_BLOCK', { type: 'CITATION_BLOCK', data: { citations: 'geo-4' } }],
    [
      'a citation among others that is none',
      'CITATION_BLOCK',
      { type: 'CITATION_BLOCK', data: { citations: [{ uri: 'https://a.example' }, 7] } },
    ],
    ['a citation of nothing', 'CITATION_BLOCK', { type: 'CITATION_BLOCK', data: { citations: [{}] } }],
    [
      'a status nobody knows',
      'PROGRESS_INDICATOR',
      { type: 'PROGRESS_INDICATOR', data: { label: 'l', status: 'thinking' } },
    ],
    ['a thought that is no text', 'THOUGHT_TRACE', { type: 'THOUGHT_TRACE', data: { thought: { deep: true } } }],
    [
      'media without an address',
      'MEDIA_CAROUSEL',
      { type: 'MEDIA_CAROUSEL', data: { items: [{ mime_type: 'image/png' }] } },
    ],
    ['a notice without a message', 'user_error', { type: 'user_error', data: { level: 1 } }],
    ['a tool call without a name', 'TOOL_CALL', { type: 'TOOL_CALL', data: {} }],
    ['an artifact of nothing', 'artifact', { type: 'artifact', mime_type: 'text/csv' }],
    ['the name of something every object has', 'constructor', { type: 'constructor', data: {} }],
    ['no name', 'event', { a: 1 }],
    ['nothing', 'event', {}],
  ])('stays whole: %s', (_what, name, event) => {
    expect(toPart(event).part).toEqual({ type: 'unknown', name, raw: event })
    expect(toPart(event).part).toHaveProperty('raw', event)
  })

  it('is translated even when it is not JSON at all', () => {
    const trap = new Proxy(
      {},
      {
        get: () => {
          throw new Error('trapped')
        },
      },
    )
    expect(toPart(trap).part).toMatchObject({ type: 'unknown', name: 'event' })
  })

  it('may be deeper than any stack', () => {
    let data: Record<string, unknown> = {}
    for (let depth = 0; depth < 50_000; depth++) data = { data }
    expect(toPart({ type: 'THOUGHT_TRACE', data }).part.type).toBe('unknown')
  })

  it('is always translated, and always the same way', () => {
    const types = fc.constantFrom(
      'THOUGHT_TRACE',
      'CITATION_BLOCK',
      'citation',
      'PROGRESS_INDICATOR',
      'MEDIA_CAROUSEL',
      'MARKDOWN_BLOCK',
      'user_error',
      'artifact',
      'TOOL_CALL',
      '__proto__',
      7,
    )
    const key = fc.constantFrom(
      'citations',
      'items',
      'uri',
      'title',
      'thought',
      'content',
      'label',
      'status',
      'progress_percent',
      'message',
      'code',
      'name',
      'url',
      'data',
      'id',
      'indices',
      'confidence',
    )
    const data = fc.oneof(fc.dictionary(key, fc.jsonValue()), fc.jsonValue())
    const events = fc.oneof(
      fc.record({ id: fc.anything(), type: types, block_type: types, data }, { requiredKeys: [] }),
      fc.object(),
    )
    fc.assert(
      fc.property(events, (event) => {
        const before = structuredCloneOrSame(event)
        const first = toPart(event)
        expect(toPart(event)).toEqual(first)
        expect(event).toEqual(before)
      }),
    )
  })
})

describe('the id of a part', () => {
  it('is the id of its event, spelled one way', () => {
    expect(toPart({ id: '5B0C7A2E-3D41-4F6B-9A58-0E2F6C1D7B90', type: 'X' }).partId).toBe(
      '5b0c7a2e-3d41-4f6b-9a58-0e2f6c1d7b90',
    )
    expect(toPart({ id: 'step-1', type: 'X' }).partId).toBe('step-1')
  })

  it('is absent where the event has none', () => {
    expect([{}, { id: '' }, { id: 7 }, { id: null }].map((event) => toPart(event).partId)).toEqual(
      Array.from({ length: 4 }),
    )
  })
})

/** Functions and symbols cannot be cloned; such an event is compared with itself. */
function structuredCloneOrSame<T>(value: T): T {
  try {
    return structuredClone(value)
  } catch {
    return value
  }
}
