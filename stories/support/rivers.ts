import { MEANDER_ANSWER } from '../../playground/server/scenarios/river-prose.ts'
import { event } from '../../src/server/run/agent-output.ts'
import type { ChatMessage } from '../../src/state/turn.ts'
import type { Script } from '../../src/testing/scripted-agent.ts'
import { pause } from '../../src/testing/scripted-agent.ts'
import { answer, picture, said, text } from './messages.ts'

export const QUESTION = 'Why do rivers meander?'

/** The answer of most chats, whole and in paragraphs. */
export const ANSWER = MEANDER_ANSWER
export const PARAGRAPHS: readonly string[] = MEANDER_ANSWER.split('\n\n')
const [FIRST = '', SECOND = '', THIRD = ''] = PARAGRAPHS

/** Words as an agent says them, a few at a time. */
export function spoken(words: string, everyMs = 10): Script {
  return (words.match(/(?:\s*\S+){1,6}\s*/g) ?? []).flatMap((piece) => [piece, pause(everyMs)])
}

const { url, mimeType } = picture()

const CITATIONS = [
  {
    source_id: 'bends',
    uri: 'https://example.org/how-a-bend-begins',
    title: 'How a bend begins',
    snippet: 'Where the current brushes one side a little harder, that bank wears back.',
    confidence: 0.92,
  },
  {
    source_id: 'sides',
    uri: 'https://example.org/inside-and-outside',
    title: 'Inside and outside',
    snippet: 'Fast water digs at the outside of a bend.',
    confidence: 0.88,
  },
]

/** An answer with everything CAP can show. */
export const EVERY_EVENT: Script = [
  event('THOUGHT_TRACE', {
    thought: 'What makes a straight river bend? Uneven banks begin it, and the flow around the bend keeps it going.',
    status: 'COMPLETE',
  }),
  event('PROGRESS_INDICATOR', { label: 'Read three notes', status: 'complete', progress_percent: 1 }),
  event('PROGRESS_INDICATOR', { label: 'Draw the bends', status: 'complete', progress_percent: 1 }),
  `${FIRST} [1]\n\n${SECOND} [2]`,
  event('MEDIA_CAROUSEL', {
    items: [{ url, mime_type: mimeType, alt_text: 'A river with four bends, seen from above' }],
  }),
  event('MARKDOWN_BLOCK', { content: '### Oxbow lake\n\nA loop the river has **left behind**.' }),
  event('DATA_BLOCK', {
    data: [
      { river: 'Danube', length_km: 2850 },
      { river: 'Rhine', length_km: 1233 },
    ],
    view_hint: 'TABLE',
  }),
  event('ARTIFACT', {
    artifact_id: 'rivers',
    url: 'https://example.org/rivers.csv',
    mime_type: 'text/csv',
    artifact_type: 'table',
  }),
  event('TOOL_CALL', { name: 'read_gauge', arguments: { place: 'bridge' }, result: { level_m: 2.14 } }),
  event('USER_ERROR', {
    message: 'The gauge at the bridge is being repaired; the level is from yesterday.',
    code: 503,
    domain: 'tool',
    retryable: true,
  }),
  event('FLOW_DIAGRAM', { nodes: ['spring', 'brook', 'river', 'sea'] }),
  `\n\n${THIRD}`,
  event('CITATION_BLOCK', { citations: CITATIONS }),
]

/** An answer as most are: a thought, steps, prose with marks, sources. */
export const CITED: Script = [
  event('THOUGHT_TRACE', {
    thought: 'What makes a straight river bend? Uneven banks begin it, and the flow around the bend keeps it going.',
    status: 'COMPLETE',
  }),
  event('PROGRESS_INDICATOR', { label: 'Read three notes on bends', status: 'complete', progress_percent: 1 }),
  `${FIRST} [1]\n\n${SECOND.split('; ')[0] ?? ''}. [2]`,
  event('CITATION_BLOCK', { citations: CITATIONS }),
]

/** A conversation of so many questions, each with an answer. */
export function longThread(questions: number): readonly ChatMessage[] {
  return Array.from({ length: questions }, (_, at) => [
    said(`u-${at}`, `Question ${at + 1}: what does the river do next?`),
    answer(`a-${at}`, [text(PARAGRAPHS[at % PARAGRAPHS.length] ?? '')]),
  ]).flat()
}
