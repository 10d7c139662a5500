import { picture } from '../support/messages.ts'

/** One packet of an answer, as it is on the wire. */
export interface Packet {
  readonly stream_id: string
  readonly seq: number
  readonly op: 'DELTA' | 'EVENT' | 'ERROR' | 'CLOSE'
  readonly t: string
  readonly p: string | Readonly<Record<string, unknown>>
}

export interface EventPage {
  /** What the packet is for, in CAP's words and in the reader's. */
  readonly about: string
  /** The packets of the page, of which the others only set the scene. */
  readonly packets: readonly Packet[]
  /** Which of them the page is about: shown as JSON. */
  readonly shown: readonly number[]
  /** Words that must be on the screen in the end. */
  readonly says: readonly string[]
}

const STREAM = 'a3f1c2d4-5b6e-4f70-8a91-b2c3d4e5f607'
const AT = '2026-03-01T09:00:00Z'

type Body = Pick<Packet, 'op' | 'p'>

const delta = (p: string): Body => ({ op: 'DELTA', p })
const close: Body = { op: 'CLOSE', p: 'finished' }
const error = (severity: string, code: string, message: string, details?: Readonly<Record<string, unknown>>): Body => ({
  op: 'ERROR',
  p: { code, message, severity, ...(details && { details }) },
})

let events = 0
const event = (type: string, data: Readonly<Record<string, unknown>>): Body => {
  events += 1
  return {
    op: 'EVENT',
    p: { id: `00000000-0000-4000-8000-${String(events).padStart(12, '0')}`, timestamp: AT, type, data },
  }
}

function page(about: string, bodies: readonly Body[], shown: readonly number[], says: readonly string[]): EventPage {
  return { about, packets: bodies.map((body, at) => ({ stream_id: STREAM, seq: at + 1, t: AT, ...body })), shown, says }
}

const { url, mimeType, alt } = picture('A river with four bends, seen from above')

/** Every packet CAP knows, what it is for, and what has to be seen: the pages beside this file show them. */
export const PAGES = {
  textDelta: page(
    'DELTA adds text to the end of its stream. Packets of one stream are numbered, so a repeated one is left out and a missing one is noticed.',
    [delta('A river bends '), delta('because fast water carves '), delta('the outer bank.'), close],
    [0, 1, 2],
    ['A river bends because fast water carves the outer bank.'],
  ),
  citationBlock: page(
    'CITATION_BLOCK names the sources of an answer. Marks such as [1] in the text lead to them; an address that is not http, https or mailto stays text.',
    [
      delta('Fast water carves the outer bank [1].'),
      event('CITATION_BLOCK', {
        citations: [
          {
            source_id: 'sides',
            uri: 'https://example.org/inside-and-outside',
            title: 'Inside and outside',
            snippet: 'Fast water digs at the outside of a bend.',
            confidence: 0.88,
          },
        ],
      }),
      close,
    ],
    [1],
    ['Inside and outside'],
  ),
  thoughtTrace: page(
    'THOUGHT_TRACE shows what the agent thinks, folded to one row once it has finished. A second event with the same id replaces the first.',
    [
      event('THOUGHT_TRACE', {
        thought: 'Uneven banks begin a bend, and the flow around it keeps it going.',
        status: 'COMPLETE',
      }),
      delta('No bank is perfectly even.'),
      close,
    ],
    [0],
    ['Thought', 'No bank is perfectly even.'],
  ),
  progressIndicator: page(
    'PROGRESS_INDICATOR is one step of a task, updated in place by events with the same id. progress_percent runs from 0 to 1; values above 1 are read as percent.',
    [
      event('PROGRESS_INDICATOR', { label: 'Read three notes', status: 'complete', progress_percent: 1 }),
      event('PROGRESS_INDICATOR', { label: 'Draw the bends', status: 'running', progress_percent: 0.4 }),
      event('PROGRESS_INDICATOR', { label: 'Ask the gauge', status: 'failed' }),
    ],
    [0, 1, 2],
    ['Read three notes', 'Draw the bends', '40%', 'Ask the gauge'],
  ),
  mediaCarousel: page(
    'MEDIA_CAROUSEL is a row of pictures and files. Nothing of another server is loaded before the reader asks for it.',
    [
      delta('Four bends:'),
      event('MEDIA_CAROUSEL', {
        items: [
          { url, mime_type: mimeType, alt_text: alt },
          { url: 'https://example.org/oxbow.jpg', mime_type: 'image/jpeg', alt_text: 'An oxbow lake' },
        ],
      }),
      close,
    ],
    [1],
    ['Four bends:', 'example.org'],
  ),
  markdownBlock: page(
    'MARKDOWN_BLOCK is a piece of markdown of its own beside the running text.',
    [
      delta('A note you can keep:'),
      event('MARKDOWN_BLOCK', { content: '### Oxbow lake\n\nA loop the river has **left behind**.' }),
      close,
    ],
    [1],
    ['Oxbow lake', 'left behind'],
  ),
  userError: page(
    'USER_ERROR tells the reader of something that went wrong on the way, while the agent is well and goes on. It is a notice and not a failure.',
    [
      event('USER_ERROR', {
        message: 'The gauge at the bridge is being repaired; the level below is from yesterday.',
        code: 503,
        domain: 'tool',
        retryable: true,
      }),
      delta('Yesterday at noon it stood at 2.14 m.'),
      close,
    ],
    [0],
    ['The gauge at the bridge is being repaired', '2.14 m'],
  ),
  artifact: page(
    'ARTIFACT points to something the agent has made: a file, a table, a picture.',
    [
      delta('The table as a file:'),
      event('ARTIFACT', {
        artifact_id: 'rivers',
        url: 'https://example.org/rivers.csv',
        mime_type: 'text/csv',
        artifact_type: 'table',
      }),
      close,
    ],
    [1],
    ['rivers'],
  ),
  dataBlock: page(
    'DATA_BLOCK carries data with a hint of how to show it: TABLE, LIST, KEY_VALUE or JSON. Data that do not fit the hint are shown as JSON.',
    [
      delta('Three rivers:'),
      event('DATA_BLOCK', {
        data: [
          { river: 'Danube', length_km: 2850 },
          { river: 'Rhine', length_km: 1233 },
          { river: 'Elbe', length_km: 1094 },
        ],
        view_hint: 'TABLE',
      }),
      close,
    ],
    [1],
    ['Danube', '1094'],
  ),
  toolCall: page(
    'TOOL_CALL tells of a tool the agent has used, with what went in and what came out.',
    [
      event('TOOL_CALL', { name: 'read_gauge', arguments: { place: 'bridge' }, result: { level_m: 2.14 } }),
      delta('The level is 2.14 m.'),
      close,
    ],
    [0],
    ['read_gauge', 'The level is 2.14 m.'],
  ),
  unknown: page(
    'An EVENT of a type nobody here knows is allowed. It is kept whole and shown folded, and the answer goes on.',
    [
      delta('The flow of the river:'),
      event('FLOW_DIAGRAM', { nodes: ['spring', 'brook', 'river', 'sea'], flow: [0.1, 4, 310, null] }),
      delta(' and more at every mile.'),
      close,
    ],
    [1],
    ['FLOW_DIAGRAM', 'and more at every mile.'],
  ),
  errorFatal: page(
    'ERROR with severity FATAL ends its stream. What had been said before stays, and the reader sees what went wrong and what can be done.',
    [
      delta('The authority keeps the levels of the last '),
      error('FATAL', 'index_gone', 'The index was taken away while it was being read.'),
      { op: 'CLOSE', p: 'failed' },
    ],
    [1],
    ['The authority keeps the levels of the last', 'The index was taken away while it was being read.'],
  ),
  errorTransient: page(
    'ERROR with severity TRANSIENT interrupts a stream that will go on. The client comes back after the retry_after of the details, in seconds, and reads what followed.',
    [
      delta('No bank is perfectly even.'),
      error('TRANSIENT', 'index_slow', 'The index is slow at the moment.', { retry_after: 30 }),
    ],
    [1],
    ['No bank is perfectly even.', 'Reconnecting in'],
  ),
  errorWarning: page(
    'ERROR with severity WARNING is something to know while the stream goes on. It is shown at the place where it came.',
    [
      delta('No bank is perfectly even.'),
      error('WARNING', 'old_index', 'The index is a day old; the newest notes are missing.'),
      delta('\n\nFrom then on each bend feeds the next.'),
      close,
    ],
    [1],
    ['The index is a day old; the newest notes are missing.', 'each bend feeds the next'],
  ),
  close: page(
    'CLOSE ends a stream, and the last one ends the answer. A connection that ends without it was cut, and the client comes back for the rest.',
    [delta('That is how an oxbow lake begins.'), close],
    [1],
    ['That is how an oxbow lake begins.'],
  ),
} as const satisfies Readonly<Record<string, EventPage>>

export type EventPageName = keyof typeof PAGES
