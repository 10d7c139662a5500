import { describe, expect, it } from 'vitest'
import type { DocsPage } from '../../../../playground/server/docs/docs-page.ts'
import type { StreamPacket } from '../../../../src/protocols/cap/schema/packet.ts'
import { allPackets, requestBody, textOf } from '../../../server/peer.ts'
import { openPlayground, type OpenPlayground } from '../../open-playground.ts'

const PAGES: readonly DocsPage[] = [
  {
    path: 'docs/start.md',
    markdown: `# Getting started

How a page begins.

## How do I install the kit?

Run \`npm install kit\`. Then call \`start({ port: 1. })\` with a *number*, or use \`\`a \` b\`\`. The price of a_b is 3 * 4.

## How do I begin with Next.js?

Write a route. The kit runs in it as it does anywhere else.
`,
  },
  {
    path: 'docs/running.md',
    markdown: `# Running

What happens while it runs.

## How do I stop an answer?

Call stop. What has come stays on the page.

## Which database keeps what was said?

Any database, because the agent does the writing.

## Why does the answer arrive all at once?

A proxy such as nginx is buffering the stream. Switch buffering off.
`,
  },
]

const open = (): Promise<OpenPlayground> => openPlayground({ pages: PAGES })

async function ask(playground: OpenPlayground, query: string, markdown = false): Promise<StreamPacket[]> {
  const body = requestBody({ query, requestId: crypto.randomUUID() })
  // requestBody makes the payload as an object.
  Object.assign(body['payload'] as object, { capabilities: { prefers_markdown: markdown } })
  return allPackets(await playground.ask({ body: JSON.stringify(body) }))
}

/** The data of every event of a type. The agent under test sends objects. */
function eventData(packets: readonly StreamPacket[], type: string): Record<string, unknown>[] {
  return packets.flatMap((packet) =>
    packet.op === 'EVENT' && packet.p['type'] === type ? [packet.p['data'] as Record<string, unknown>] : [],
  )
}

function firstSource(packets: readonly StreamPacket[]): unknown {
  const [{ citations } = { citations: [] }] = eventData(packets, 'CITATION_BLOCK')
  return Array.isArray(citations) ? (citations[0] as { title?: unknown } | undefined)?.title : undefined
}

describe('what is quoted as markdown', () => {
  it('keeps code as code, and takes all else literally', async () => {
    const text = textOf(await ask(await open(), 'How do I install the kit?', true))
    expect(text).toContain(
      'Run `npm install kit`. Then call `start({ port: 1. })` with a number, or use ``a ` b``. The price of a\\_b is 3 \\* 4.',
    )
  })

  it('has no backticks for a client that shows plain text', async () => {
    expect(textOf(await ask(await open(), 'How do I install the kit?'))).toContain(
      'Run npm install kit. Then call start({ port: 1. }) with a number, or use a ` b. The price of a_b is 3 * 4.',
    )
  })
})

describe('a question without an answer', () => {
  it('leads to the closest headings by links', async () => {
    const playground = await open()
    const packets = await ask(playground, 'Which knitting needles make me stop dropping stitches?', true)
    expect(textOf(packets)).toContain(
      `- [Running › How do I stop an answer?](${playground.origin}/docs/running#how-do-i-stop-an-answer)`,
    )
    expect(firstSource(packets)).toBeUndefined()
  })

  it('is not reported as a step that is done', async () => {
    const progress = eventData(await ask(await open(), 'How do I bake bread?'), 'PROGRESS_INDICATOR')
    expect(progress.at(-1)).toMatchObject({ label: 'Nothing found', status: 'failed' })
    expect(progress.map(({ status }) => status)).not.toContain('complete')
  })

  it('may be long and have some words in common with the pages', async () => {
    const text = textOf(
      await ask(
        await open(),
        'My grandmother bakes bread in an old oven every Sunday, and the crust gets too hard although she watches the clock, turns the loaf twice, and lets the page of her cookbook lie open beside the window. Which flour should she buy?',
      ),
    )
    expect(text).toContain('I couldn’t find an answer to')
  })
})

describe('a newcomer', () => {
  it('may use other words than the pages', async () => {
    expect(firstSource(await ask(await open(), 'Is Postgres possible?'))).toBe(
      'Running › Which database keeps what was said?',
    )
    expect(firstSource(await ask(await open(), 'setup for nextjs'))).toBe(
      'Getting started › How do I begin with Next.js?',
    )
  })

  it('may tell a story before the question', async () => {
    const packets = await ask(
      await open(),
      'We have a small React app for our colleagues in the warehouse, and since we put nginx in front as a proxy the answer does not stream but arrives all at once. Is something buffering, and how do I switch that off?',
    )
    expect(firstSource(packets)).toBe('Running › Why does the answer arrive all at once?')
  })

  it('may mean the product by "it" when the question names a new thing', async () => {
    const playground = await open()
    await ask(playground, 'How do I stop an answer?')
    const packets = await ask(playground, 'Does it work with Next.js?')
    expect(firstSource(packets)).toBe('Getting started › How do I begin with Next.js?')
    expect(eventData(packets, 'THOUGHT_TRACE').at(-1)?.['thought']).not.toContain('following up')
  })

  it('is still followed when "it" is what was spoken of', async () => {
    const playground = await open()
    await ask(playground, 'Which database keeps what was said?')
    expect(eventData(await ask(playground, 'Why does it write?'), 'THOUGHT_TRACE').at(-1)?.['thought']).toContain(
      'following up on “Which database keeps what was said?”',
    )
  })

  it('may ask in German, and is told why the answer is in English', async () => {
    const playground = await open()
    const packets = await ask(playground, 'Wie installiere ich das?')
    expect(textOf(packets)).toMatch(/^You asked in German\. The pages are in English, and so is this answer\.\n\n/)
    expect(firstSource(packets)).toBe('Getting started › How do I install the kit?')
    expect(textOf(await ask(playground, 'Why does the agent die in the night?'))).not.toContain('German')
  })
})
