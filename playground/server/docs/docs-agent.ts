import type { ServiceRequest } from '../../../src/protocols/cap/schema/request.ts'
import type { Agent, AgentOutput, AgentRun } from '../../../src/server.ts'
import { event } from '../../../src/server.ts'
import type { Pace } from '../pace.ts'
import { naturalPace, pause, speak } from '../pace.ts'
import { queryOf } from '../query-of.ts'
import { chooseExcerpts, type Excerpt } from './choose-excerpts.ts'
import { composeAnswer, composeNothingFound, sectionTitle, type Source } from './compose-answer.ts'
import type { DocsIndex } from './docs-index.ts'
import { createTalks, understand, type Understood } from './talks.ts'

export interface DocsAgentOptions {
  /** Asked on every run, so that pages may change meanwhile, or belong to one conversation. */
  readonly index: (request: ServiceRequest) => DocsIndex
  readonly pace?: Pace | undefined
}

const GERMAN_NOTE = 'You asked in German. The pages are in English, and so is this answer.'

/** An agent that answers from the pages it is given and from nothing else. */
export function createDocsAgent({ index: currentIndex, pace = naturalPace }: DocsAgentOptions): Agent {
  const talks = createTalks()

  return async function* (request, run) {
    const asked = queryOf(request)
    const session = request.payload.session_id
    const talk = talks.get(session)
    const understood = understand(asked, talk)
    const index = currentIndex(request)
    const progress = createProgress(run)
    const thoughtId = run.uuid()
    const supports = supportedBy(request.payload.capabilities?.supported_events)
    const say = (output: AgentOutput, type: string): AgentOutput[] => (supports(type) ? [output] : [])

    yield* say(progress(`Searching ${count(index.passageCount, 'passage')}`, 0.1), 'PROGRESS_INDICATOR')
    yield* say(
      event('THOUGHT_TRACE', { thought: searchThought(understood), status: 'IN_PROGRESS' }, { id: thoughtId }),
      'THOUGHT_TRACE',
    )
    await pause(run, pace.stepMs)

    const excerpts = chooseExcerpts(index, understood.question, understood.skip)
    const passages = excerpts.flatMap((excerpt) => excerpt.passages)
    const thought = `${searchThought(understood)} ${foundThought(excerpts, index)}`
    yield* say(event('THOUGHT_TRACE', { thought, status: 'COMPLETE' }, { id: thoughtId }), 'THOUGHT_TRACE')
    const markdown = request.payload.capabilities?.prefers_markdown === true
    const note = understood.german ? `${GERMAN_NOTE}\n\n` : ''
    if (passages.length === 0) {
      yield* say(
        understood.more ? progress('Everything is said', 1, 'complete') : progress('Nothing found', 1, 'failed'),
        'PROGRESS_INDICATOR',
      )
      yield* speak(
        note +
          (understood.more
            ? nothingMore(understood)
            : composeNothingFound(index, understood.question, { asked, markdown, origin: run.url.origin })),
        run,
        pace,
      )
      return
    }

    yield* say(progress(`Reading ${count(passages.length, 'passage')}`, 0.4), 'PROGRESS_INDICATOR')
    await pause(run, pace.stepMs)
    yield* say(progress('Composing', 0.7), 'PROGRESS_INDICATOR')
    const { text, sources } = composeAnswer(excerpts, understood.question, markdown)
    yield* speak(note + text, run, pace)
    if (supports('CITATION_BLOCK')) yield citations(sources, run.url.origin)
    else
      yield `\n\nSources:\n${sources.map((source, at) => `[${at + 1}] ${source.title}: ${absolute(source, run.url.origin)}`).join('\n')}`
    yield* say(progress(`Answered from ${count(sources.length, 'source')}`, 1, 'complete'), 'PROGRESS_INDICATOR')

    const { terms, context } = understood.question
    talks.set(session, {
      asked: understood.more ? (understood.followsUp ?? asked) : asked,
      terms: [...terms, ...context],
      quoted: new Set([...(understood.more ? (talk?.quoted ?? []) : []), ...passages.map((passage) => passage.id)]),
    })
  }
}

/** One indicator that moves on in place. */
function createProgress(run: AgentRun) {
  const id = run.uuid()
  return (label: string, fraction: number, status: 'running' | 'complete' | 'failed' = 'running') =>
    event('PROGRESS_INDICATOR', { label, status, progress_percent: fraction }, { id })
}

function citations(sources: readonly Source[], origin: string): AgentOutput {
  return event('CITATION_BLOCK', {
    citations: sources.map((source) => ({
      source_id: source.source_id,
      uri: absolute(source, origin),
      title: source.title,
      snippet: source.snippet,
      confidence: source.confidence,
    })),
  })
}

function absolute(source: Source, origin: string): string {
  return new URL(source.address, origin).href
}

/** A client that names no events is taken for one that shows them all (CAP section 3.4). */
function supportedBy(names: readonly string[] = []): (type: string) => boolean {
  return (type) => names.length === 0 || names.includes(type)
}

function searchThought({ words: wanted, followsUp, more }: Understood): string {
  if (more) return `Looked for what is not said yet about “${followsUp ?? ''}”.`
  const words = wanted.length > 0 ? wanted.join(', ') : 'nothing in particular'
  return followsUp === undefined ? `Looked for: ${words}.` : `Looked for: ${words}, following up on “${followsUp}”.`
}

function foundThought(excerpts: readonly Excerpt[], index: DocsIndex): string {
  const passages = excerpts.reduce((sum, excerpt) => sum + excerpt.passages.length, 0)
  if (passages === 0) return `None of ${count(index.passageCount, 'passage')} fits.`
  const where = excerpts.map((excerpt) => `“${sectionTitle(excerpt.section)}”`).join(', ')
  return `Kept ${passages} of ${count(index.passageCount, 'passage')}, from ${where}.`
}

function nothingMore({ followsUp }: Understood): string {
  return `That is all the pages say about “${followsUp ?? 'this'}”.`
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
