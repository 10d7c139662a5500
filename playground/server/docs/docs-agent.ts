import type { ServiceRequest } from '../../../src/protocols/cap/schema/request.ts'
import type { Agent, AgentOutput, AgentRun } from '../../../src/server.ts'
import { event } from '../../../src/server.ts'
import type { Pace } from '../pace.ts'
import { canAnswer } from '../can-answer.ts'
import { naturalPace, pause, speak, speakUntilSaid } from '../pace.ts'
import { queryOf } from '../query-of.ts'
import { chooseExcerpts, meaningsOf, type Excerpt } from './choose-excerpts.ts'
import { composeAnswer, composeNothingFound, sectionTitle, type Source } from './compose-answer.ts'
import type { DocsIndex } from './docs-index.ts'
import type { Section } from './sections.ts'
import { createTalks, understand, type Understood } from './talks.ts'

export interface DocsAgentOptions {
  /** Asked on every run, so that pages may change meanwhile, or belong to one conversation. */
  readonly index: (request: ServiceRequest) => DocsIndex
  readonly pace?: Pace | undefined
}

const GERMAN_NOTE = 'You asked in German. The pages are in English, and so is this answer.'

/**
 * An agent that answers from the pages it is given and from nothing else. Asks back for a keyword that could mean several sections, and
 * answers what is said into it instead.
 */
export function createDocsAgent({ index: currentIndex, pace = naturalPace }: DocsAgentOptions): Agent {
  const talks = createTalks()

  return async function* (request, run) {
    let asked: string | undefined = queryOf(request)
    while (asked !== undefined) {
      asked = yield* answer(asked, request, run)
      if (asked !== undefined) yield '\n\n'
    }
  }

  /** Answers until the user says something else: returns what. */
  async function* answer(
    asked: string,
    request: ServiceRequest,
    run: AgentRun,
  ): AsyncGenerator<AgentOutput, string | undefined> {
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

    const meanings = canAnswer(request) && !understood.more ? meaningsOf(index, asked, understood.question) : []
    if (meanings.length > 0) {
      const several = `${searchThought(understood)} Several sections fit, so I ask.`
      yield* say(event('THOUGHT_TRACE', { thought: several, status: 'COMPLETE' }, { id: thoughtId }), 'THOUGHT_TRACE')
    }
    const meant = meanings.length > 0 ? await askWhich(asked, meanings, run) : ALL
    if (meant === undefined) {
      yield* say(progress('Not answered', 1, 'failed'), 'PROGRESS_INDICATOR')
      yield* speak('Then ask me in other words.', run, pace)
      return undefined
    }
    const excerpts = chooseExcerpts(index, understood.question, understood.skip, meant === ALL ? undefined : meant)
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
      return undefined
    }

    yield* say(progress(`Reading ${count(passages.length, 'passage')}`, 0.4), 'PROGRESS_INDICATOR')
    await pause(run, pace.stepMs)
    yield* say(progress('Composing', 0.7), 'PROGRESS_INDICATOR')
    const { text, sources } = composeAnswer(excerpts, understood.question, markdown)
    const { terms, context } = understood.question
    talks.set(session, {
      asked: understood.more ? (understood.followsUp ?? asked) : asked,
      terms: [...terms, ...context],
      quoted: new Set([...(understood.more ? (talk?.quoted ?? []) : []), ...passages.map((passage) => passage.id)]),
    })
    const said = yield* speakUntilSaid(note + text, run, pace)
    if (said !== undefined) {
      yield* say(progress('Interrupted', 1, 'complete'), 'PROGRESS_INDICATOR')
      return said
    }
    if (supports('CITATION_BLOCK')) yield citations(sources, run.url.origin)
    else
      yield `\n\nSources:\n${sources.map((source, at) => `[${at + 1}] ${source.title}: ${absolute(source, run.url.origin)}`).join('\n')}`
    yield* say(progress(`Answered from ${count(sources.length, 'source')}`, 1, 'complete'), 'PROGRESS_INDICATOR')
    return undefined
  }
}

/** Every section that fits. */
const ALL = 'all'
/** Nobody answers for so long: all of them are meant. */
const ASKED_MS = 120_000

/** Asks which section a keyword is about; undefined when the user does not say. */
async function askWhich(asked: string, sections: readonly Section[], run: AgentRun): Promise<string | undefined> {
  const answer = await run.ask({
    kind: 'choice',
    message: `The docs say several things about “${asked.trim()}”. What do you want to know?`,
    options: [
      ...sections.map(({ id, heading, pageTitle }) => ({
        id,
        label: heading,
        description: pageTitle,
        kind: 'neutral' as const,
      })),
      { id: ALL, label: 'All of it', kind: 'neutral' },
    ],
    default: ALL,
    expiresInMs: ASKED_MS,
  })
  return answer.type === 'chosen' ? answer.option.id : undefined
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
