import { describe, expect, it } from 'vitest'
import type { DocsPage } from '../../../../playground/server/docs/docs-page.ts'
import type { StreamPacket } from '../../../../src/protocols/cap/schema/packet.ts'
import { allPackets, requestBody, textOf } from '../../../server/peer.ts'
import { openPlayground, type OpenPlayground } from '../../open-playground.ts'

const MOORING: DocsPage = {
  path: 'docs/mooring.md',
  markdown: `# Mooring

How a boat is made fast. A line runs from the **bow** to the \`bollard\` on the quay.

![A boat at a quay](boat.png)

## Which knot holds?

The bowline holds and can still be untied. See [sails](./sails.md#reefing) for its cousin, the sheet bend.

Tie it like this:

1. Make a small loop.
2. Pass the end up through it.
3. Go round the line and back down.

## Slack in tidal harbours

Leave slack for the tide, e.g. three times the range. A line without slack will lift the boat or break the cleat. Check it at low water. The harbour master may ask for springs as well.

| harbour | range | notes |
|---|---|---|
| Cold Bay | 4 m | springs asked for |
| Mill Creek | 1 m | none |
`,
}

const SAILS: DocsPage = {
  path: 'docs/sails.md',
  markdown: `# Sails

A sail is a wing of cloth.

## Reefing

Reef early: take in the first reef before you need it. Reefing late is dangerous.

\`\`\`ts
reef({ points: 2 })
\`\`\`

## Does a sail need washing?

Yes. Salt makes the cloth stiff, so rinse it with fresh water after each trip.
`,
}

const open = (): Promise<OpenPlayground> => openPlayground({ pages: [MOORING, SAILS] })

interface Citation {
  readonly uri: string
  readonly title: string
  readonly snippet: string
  readonly confidence: number
}

function eventData<Data>(packets: readonly StreamPacket[], type: string): Data[] {
  // The events of the agent under test have the shapes the test names.
  return packets.flatMap((packet) =>
    packet.op === 'EVENT' && packet.p['type'] === type ? [packet.p['data'] as Data] : [],
  )
}

async function ask(playground: OpenPlayground, query: string, sessionId?: string): Promise<StreamPacket[]> {
  return allPackets(
    await playground.ask({ query, requestId: crypto.randomUUID(), ...(sessionId !== undefined && { sessionId }) }),
  )
}

describe('an agent that answers from the pages', () => {
  it('answers in the words of the passage that fits, marked and cited', async () => {
    const playground = await open()
    const packets = await ask(playground, 'Why should I be reefing early?')
    expect(textOf(packets)).toContain(
      'Reef early: take in the first reef before you need it. Reefing late is dangerous.',
    )
    expect(textOf(packets)).toContain('[1]')
    const [{ citations } = { citations: [] }] = eventData<{ citations: Citation[] }>(packets, 'CITATION_BLOCK')
    expect(citations[0]).toMatchObject({ uri: `${playground.origin}/docs/sails#reefing`, title: 'Sails › Reefing' })
    expect(citations[0]?.snippet).toContain('Reef early')
    expect(citations[0]?.confidence).toBeLessThan(1)
  })

  it('cites pages that open at the place that was quoted', async () => {
    const playground = await open()
    const packets = await ask(playground, 'Why should I be reefing early?')
    const [{ citations } = { citations: [] }] = eventData<{ citations: Citation[] }>(packets, 'CITATION_BLOCK')
    const uri = new URL(citations[0]?.uri ?? '')
    const page = await fetch(uri)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain(`id="${uri.hash.slice(1)}"`)
  })

  it('gives each source a mark in the text', async () => {
    const packets = await ask(await open(), 'How much slack for the tide, and which knot holds?')
    const [{ citations } = { citations: [] }] = eventData<{ citations: Citation[] }>(packets, 'CITATION_BLOCK')
    expect(citations.length).toBeGreaterThan(1)
    citations.forEach((_, at) => expect(textOf(packets)).toContain(`[${at + 1}]`))
    expect(textOf(packets)).not.toContain(`[${citations.length + 1}]`)
  })

  it('takes the markup off and keeps what is introduced by a colon together', async () => {
    const text = textOf(await ask(await open(), 'Which knot holds?'))
    expect(text).toContain('The bowline holds and can still be untied. See sails for its cousin, the sheet bend.')
    expect(text).toContain(
      'Tie it like this:\n\n1. Make a small loop.\n2. Pass the end up through it.\n3. Go round the line and back down.',
    )
    expect(text).not.toMatch(/[*`]|\]\(/)
  })

  it('repeats a heading that asks, when its text alone would not be understood', async () => {
    expect(textOf(await ask(await open(), 'How is the cloth washed?'))).toContain(
      'Does a sail need washing? Yes. Salt makes the cloth stiff',
    )
  })

  it('reads a table row by row', async () => {
    expect(textOf(await ask(await open(), 'What is the tidal range at Cold Bay?'))).toContain(
      '- Cold Bay: range 4 m; notes springs asked for',
    )
  })

  it('shows what it does: one thought and one indicator, each moving on in place', async () => {
    const packets = await ask(await open(), 'Why should I be reefing early?')
    const ids = (type: string): unknown[] =>
      packets.flatMap((packet) => (packet.op === 'EVENT' && packet.p['type'] === type ? [packet.p['id']] : []))
    expect(new Set(ids('PROGRESS_INDICATOR')).size).toBe(1)
    expect(new Set(ids('THOUGHT_TRACE')).size).toBe(1)
    const progress = eventData<{ label: string; status: string; progress_percent: number }>(
      packets,
      'PROGRESS_INDICATOR',
    )
    expect(progress.map(({ label }) => label.split(' ')[0])).toEqual(['Searching', 'Reading', 'Composing', 'Answered'])
    expect(progress.at(-1)).toMatchObject({ status: 'complete', progress_percent: 1 })
    const thoughts = eventData<{ thought: string }>(packets, 'THOUGHT_TRACE')
    expect(thoughts.at(-1)?.thought).toContain('reefing, early')
    expect(thoughts.at(-1)?.thought).toContain('“Sails › Reefing”')
  })

  it('speaks in small pieces', async () => {
    const packets = await ask(await open(), 'Why should I be reefing early?')
    for (const packet of packets)
      if (packet.op === 'DELTA') expect(packet.p.trim().split(/\s+/).length).toBeLessThanOrEqual(3)
  })

  it('says that it found nothing, and invents nothing', async () => {
    const playground = await open()
    const packets = await ask(playground, 'How do I bake bread?')
    expect(textOf(packets)).toBe(
      `I couldn’t find an answer to “How do I bake bread?” in the docs. Try:\n\n- Mooring: ${playground.origin}/docs/mooring#mooring\n- Sails: ${playground.origin}/docs/sails#sails`,
    )
    expect(eventData(packets, 'CITATION_BLOCK')).toEqual([])
  })

  it('names the closest headings when only a word of many fits', async () => {
    const playground = await open()
    const text = textOf(await ask(playground, 'Which washing machine programme spins wool?'))
    expect(text).toBe(
      `I couldn’t find an answer to “Which washing machine programme spins wool?” in the docs. Try:\n\n- Sails › Does a sail need washing?: ${playground.origin}/docs/sails#does-a-sail-need-washing`,
    )
  })

  it('reads a word nobody wrote as the one a letter away', async () => {
    expect(textOf(await ask(await open(), 'harbors'))).toContain('Leave slack for the tide')
  })

  it('answers nothing at all from no pages', async () => {
    expect(textOf(await ask(await openPlayground(), 'Anything?'))).toContain('no docs to search yet')
  })

  it('writes its sources out for a client that has no component for them', async () => {
    const playground = await open()
    const body = requestBody({ query: 'Why should I be reefing early?' })
    Object.assign(body['payload'] as object, { capabilities: { supported_events: ['THOUGHT_TRACE'] } })
    const packets = await allPackets(await playground.ask({ body: JSON.stringify(body) }))
    expect(textOf(packets)).toContain(`Sources:\n[1] Sails › Reefing: ${playground.origin}/docs/sails#reefing`)
    expect(eventData(packets, 'CITATION_BLOCK')).toEqual([])
    expect(eventData(packets, 'PROGRESS_INDICATOR')).toEqual([])
  })
})

describe('a conversation with the pages', () => {
  it('continues with what is not said yet when asked for more', async () => {
    const playground = await open()
    const first = textOf(await ask(playground, 'Tell me about sails'))
    const second = textOf(await ask(playground, 'tell me more'))
    for (const paragraph of second.split('\n\n')) expect(first).not.toContain(paragraph)
    let last = second
    for (let turn = 0; turn < 10 && !last.startsWith('That is all'); turn++)
      last = textOf(await ask(playground, 'go on'))
    expect(last).toBe('That is all the pages say about “Tell me about sails”.')
  })

  it('reads a short question in the light of the one before', async () => {
    const playground = await open()
    await ask(playground, 'How much slack for the tide?')
    const packets = await ask(playground, 'and what about the knot?')
    expect(eventData<{ thought: string }>(packets, 'THOUGHT_TRACE').at(-1)?.thought).toContain(
      'following up on “How much slack for the tide?”',
    )
    expect(textOf(packets)).toContain('bowline')
  })

  it('keeps sessions apart', async () => {
    const playground = await open()
    await ask(playground, 'Tell me about sails', '6c1d5d0e-2f43-4f4c-8f0a-6d3f8b1f2a21')
    expect(textOf(await ask(playground, 'tell me more', '6c1d5d0e-2f43-4f4c-8f0a-6d3f8b1f2a22'))).toContain(
      'I couldn’t find an answer to',
    )
  })
})
