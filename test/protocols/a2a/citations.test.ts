import { describe, expect, it } from 'vitest'
import type { CitationReaders } from '../../../src/protocols/a2a/citations.ts'
import { citationParts, KNOWN_CITATIONS } from '../../../src/protocols/a2a/citations.ts'
import { createTaskView } from '../../../src/protocols/a2a/task-view.ts'

const AGENT_STACK = 'https://a2a-extensions.agentstack.beeai.dev/ui/citation/v1'
const EXAMPLE = 'https://standards.org/extensions/citations/v1'

const read = (metadata: Record<string, unknown>, text = 'Rivers bend.', readers: CitationReaders = KNOWN_CITATIONS) =>
  citationParts('a', metadata, [{ text }], readers)

describe('citations in metadata', () => {
  it('of the example of the specification have title, address and the text that matters', () => {
    const sources = [{ title: 'Rivers', url: 'https://r.example', authors: ['A'], relevantText: 'They bend.' }]
    expect(read({ [EXAMPLE]: { sources } })).toEqual([
      {
        partId: 'a/citations',
        part: {
          type: 'citations',
          citations: [{ sourceId: '1', uri: 'https://r.example', title: 'Rivers', snippet: 'They bend.' }],
        },
      },
    ])
  })

  it.each([AGENT_STACK, 'https://a2a-extensions.beeai.dev/ui/citation/v1'])(
    'of AgentStack also name the words of the answer: %s',
    (uri) => {
      const citations = [{ url: 'https://r.example', description: 'On bends', start_index: 7, end_index: 11 }]
      expect(read({ [uri]: { citations } })).toMatchObject([
        { part: { citations: [{ title: 'https://r.example', snippet: 'On bends', text: 'bend' }] } },
      ])
    },
  )

  it.each([
    [{}],
    [{ 'https://other.example': { citations: [{ url: 'https://r.example' }] } }],
    [{ [AGENT_STACK]: null }],
    [{ [AGENT_STACK]: { citations: 'none' } }],
    [{ [AGENT_STACK]: { citations: [null, 'x', { title: 'no address' }] } }],
  ])('that cannot be read are none: %j', (metadata) => {
    expect(read(metadata)).toEqual([])
  })

  it('of another extension are read by a reader of the app', () => {
    const readers: CitationReaders = { 'https://other.example': () => [{ sourceId: 'x', uri: 'u', title: 't' }] }
    expect(read({ 'https://other.example': 1 }, '', readers)).toMatchObject([{ part: { citations: [{ uri: 'u' }] } }])
  })

  it('come with the artifact they are about, also when they come behind its text and without any', () => {
    const view = createTaskView({})
    const update = (artifact: object, append: boolean) =>
      view.apply({
        artifactUpdate: { taskId: 't', artifact: { artifactId: 'a', parts: [], ...artifact }, append },
      })
    update({ parts: [{ text: 'Rivers bend.' }] }, false)
    const { events, progress } = update(
      { metadata: { [AGENT_STACK]: { citations: [{ url: 'https://r.example' }] } } },
      true,
    )
    expect(progress).toBe(true)
    expect(events).toMatchObject([
      { type: 'part', partId: 'a/citations', part: { type: 'citations', citations: [{ uri: 'https://r.example' }] } },
    ])
  })
})
