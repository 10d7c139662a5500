// Answers of many things of one kind, as CAP packets.
const STREAM = '11111111-1111-4111-8111-111111111111'

export const idOf = (number) => `${String(number).padStart(8, '0')}-1111-4111-8111-111111111111`

const packet = (seq, op, p, stream = STREAM) =>
  `data: ${JSON.stringify({ stream_id: stream, seq, op, t: '2026-03-01T08:15:00Z', p })}\n\n`
const event =
  (type, dataOf, own = true) =>
  (at) =>
    packet(at + 1, 'EVENT', { id: idOf(own ? at + 10 : 9), type, data: dataOf(at) })

/** The packet of each kind by its index, counted from 0. `streams` are messages: each stream has one of its own. */
export const KINDS = {
  deltas: (at) => packet(at + 1, 'DELTA', `word${at % 20 === 19 ? '.\n\n' : ' '}`),
  thoughts: event('THOUGHT_TRACE', (at) => ({ thought: `thought ${at}` })),
  'one id, replaced': event('PROGRESS_INDICATOR', (at) => ({ label: `step ${at}`, status: 'running' }), false),
  progress: event('PROGRESS_INDICATOR', (at) => ({ label: `step ${at}`, status: 'complete' })),
  'tool calls': event('TOOL_CALL', (at) => ({ name: `tool ${at}`, result: { at } })),
  citations: event('CITATION_BLOCK', (at) => ({
    citations: [{ source_id: `s${at}`, uri: `https://a.test/${at}`, title: `Source ${at}`, text: `word${at}` }],
  })),
  markdown: event('MARKDOWN_BLOCK', (at) => ({ content: `**block** ${at}` })),
  media: event('MEDIA_CAROUSEL', (at) => ({
    items: [{ url: `https://a.test/${at}.png`, mime_type: 'image/png', alt_text: `picture ${at}` }],
  })),
  'unknown events': event('SOMETHING_ELSE', (at) => ({ at })),
  warnings: (at) => packet(at + 1, 'ERROR', { code: 'slow', message: `warning ${at}`, severity: 'WARNING' }),
  gaps: (at) => packet(2 * at + 1, 'DELTA', 'word '),
  streams: (at) => packet(1, 'DELTA', `message ${at}`, idOf(at + 10)),
  'text and tool calls in turns': (at) => (at % 2 === 0 ? packet(at + 1, 'DELTA', 'word ') : KINDS['tool calls'](at)),
}

/** The end of the answer. */
export const closing = (count) => packet(10 * count, 'CLOSE', {})

/** One packet that holds many things of a kind. */
export const LISTS = {
  'citations of one event': (count) =>
    event('CITATION_BLOCK', () => ({
      citations: Array.from({ length: count }, (_, at) => ({
        source_id: `s${at}`,
        uri: `https://a.test/${at}`,
        title: `Source ${at}`,
        text: `word${at}`,
      })),
    }))(0),
  'media of one event': (count) =>
    event('MEDIA_CAROUSEL', () => ({
      items: Array.from({ length: count }, (_, at) => ({
        url: `https://a.test/${at}.png`,
        mime_type: 'image/png',
        alt_text: `picture ${at}`,
      })),
    }))(0),
}
