import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createServiceRequest } from '../../../../src/protocols/cap/client/cap-request.ts'
import { presentationEventSchema } from '../../../../src/protocols/cap/presentation/presentation-event.ts'
import { toPart } from '../../../../src/protocols/cap/presentation/presentation-part.ts'
import { PRESENTATION_TYPES } from '../../../../src/protocols/cap/presentation/presentation-types.ts'
import { readTree } from '../../../layers/files.ts'
import { createManualEnvironment } from '../../../support/manual-environment.ts'

const id = '6f1c1d3e-3f39-4b53-8a0c-2a52f0c3a9d1'

function verdictOn(type: string): boolean {
  return presentationEventSchema.safeParse({ id, timestamp: '2026-11-22T12:00:00Z', type, data: {} }).success
}

describe('the table of presentation events', () => {
  it('holds the types in the order in which clients announce them', () => {
    expect(PRESENTATION_TYPES, 'Servers read this list: add a new type here too, and to docs/cap.md.').toEqual([
      'THOUGHT_TRACE',
      'CITATION_BLOCK',
      'PROGRESS_INDICATOR',
      'MEDIA_CAROUSEL',
      'MARKDOWN_BLOCK',
    ])
  })

  it('decides which types the schema takes', () => {
    expect(PRESENTATION_TYPES.filter((type) => !verdictOn(type))).toEqual([])
    expect(verdictOn('HOLOGRAM')).toBe(false)
    const refused = presentationEventSchema.safeParse({
      id,
      timestamp: '2026-11-22T12:00:00Z',
      type: 'HOLOGRAM',
      data: {},
    })
    for (const type of PRESENTATION_TYPES) expect(refused.error?.issues[0]?.message).toContain(type)
  })

  it('decides which types a client announces', async () => {
    const { payload } = await createServiceRequest(
      { text: 'Hello', conversationId: id, requestId: id },
      undefined,
      createManualEnvironment(),
    )
    expect(payload.capabilities?.supported_events).toEqual(PRESENTATION_TYPES)
  })

  it('leaves an event that has no row readable, as an unknown part', () => {
    expect(toPart({ id, type: 'HOLOGRAM', data: { layer: 4 } })).toEqual({
      partId: id,
      part: { type: 'unknown', name: 'HOLOGRAM', raw: { id, type: 'HOLOGRAM', data: { layer: 4 } } },
    })
  })

  it('is the only list of its types: add a type in presentation-types.ts of src/protocols/cap and derive all else from PRESENTATION_TYPES', () => {
    const naming = readTree('src/').filter(
      ({ path, text }) =>
        path.endsWith('.ts') && PRESENTATION_TYPES.filter((type) => new RegExp(`\\b${type}\\b`).test(text)).length > 1,
    )
    expect(
      naming.map(({ path }) => posix.basename(path)).toSorted(),
      'Each of these files of src names several types of presentation event. One that lists or switches over them has to take PRESENTATION_TYPES or PresentationType in place of its list; one that only makes events of some types, as an agent does, is added here.',
    ).toEqual([
      'agent-output.ts',
      'model-output.ts',
      'presentation-event.ts',
      'presentation-part.ts',
      'presentation-types.ts',
    ])
  })
})
