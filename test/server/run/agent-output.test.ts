import { describe, expect, it } from 'vitest'
import { toPart } from '../../../src/protocols/cap/presentation/presentation-part.ts'
import type { EventOutput } from '../../../src/server/run/agent-output.ts'
import { event } from '../../../src/server/run/agent-output.ts'

const read = ({ type, data }: EventOutput): unknown => toPart({ type, data }).part

describe('what event() writes', () => {
  it.each<[what: string, said: EventOutput, part: object]>([
    [
      'a tool that runs',
      event('TOOL_CALL', { name: 'gauge', arguments: { place: 'bridge' } }),
      { type: 'tool-call', name: 'gauge', input: { place: 'bridge' }, status: 'running' },
    ],
    [
      'a tool that has ended',
      event('TOOL_CALL', { name: 'gauge', result: 2.14 }),
      { type: 'tool-call', name: 'gauge', output: 2.14, status: 'complete' },
    ],
    [
      'a tool that gave nothing',
      event('TOOL_CALL', { name: 'gauge', status: 'complete' }),
      { type: 'tool-call', name: 'gauge', status: 'complete' },
    ],
    [
      'a tool that failed',
      event('TOOL_CALL', { name: 'gauge', error: 'It is dry.' }),
      { type: 'tool-call', name: 'gauge', output: 'It is dry.', status: 'failed' },
    ],
    [
      'data',
      event('DATA_BLOCK', { data: [{ place: 'bridge' }], view_hint: 'TABLE' }),
      { type: 'data', data: [{ place: 'bridge' }], viewHint: 'TABLE' },
    ],
    [
      'an artifact by its id',
      event('ARTIFACT', { artifact_id: 'a-1', mime_type: 'text/csv' }),
      { type: 'artifact', artifactId: 'a-1', mimeType: 'text/csv' },
    ],
    [
      'an artifact by its address',
      event('ARTIFACT', { url: 'https://a.example/1', artifact_type: 'report' }),
      { type: 'artifact', url: 'https://a.example/1', artifactType: 'report' },
    ],
    [
      'an error for the user',
      event('USER_ERROR', { message: 'The gauge is dry.', code: 503, domain: 'tool', retryable: true }),
      { type: 'notice', message: 'The gauge is dry.', code: 503, domain: 'tool', retryable: true },
    ],
  ])('is read by the client: %s', (_what, said, part) => {
    expect(read(said)).toEqual(part)
  })

  it('does not compile with a key that is misspelt, missing or of another type', () => {
    const wrong: readonly EventOutput[] = [
      // @ts-expect-error misspelt
      event('TOOL_CALL', { nmae: 'gauge' }),
      // @ts-expect-error a status there is not
      event('TOOL_CALL', { name: 'gauge', status: 'parked' }),
      // @ts-expect-error misspelt
      event('DATA_BLOCK', { dta: [] }),
      // @ts-expect-error neither id nor address
      event('ARTIFACT', { mime_type: 'text/csv' }),
      // @ts-expect-error without its sentence
      event('USER_ERROR', { code: 503 }),
    ]
    expect(wrong).toHaveLength(5)
  })

  it('may be of a type of the app, with any object', () => {
    expect(read(event('RIVER_LEVEL', { metres: 2.14 }))).toEqual({
      type: 'unknown',
      name: 'RIVER_LEVEL',
      raw: { type: 'RIVER_LEVEL', data: { metres: 2.14 } },
    })
  })
})
