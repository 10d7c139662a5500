import type { Agent, AgentRun } from '../../../src/server.ts'
import { close, event, fatal, onStream, transient, warning } from '../../../src/server.ts'
import type { Pace } from '../pace.ts'
import { pause, speak } from '../pace.ts'
import { queryOf } from '../query-of.ts'
import { everyEvent } from './every-event.ts'
import { createPromptAgents } from './prompt-agents.ts'
import { ARTIFACT_ADDRESS, RIVERS } from './river-media.ts'
import {
  ARABIC_ANSWER,
  INNER_BANK,
  MEANDER_ANSWER,
  OUTER_BANK,
  OXBOW_NOTE,
  riverAnswer,
  riverDiary,
  WELL_SOURCED_ANSWER,
} from './river-prose.ts'
import { RIVER_FORMULAS } from './river-formulas.ts'
import { riverGuide } from './river-guide.ts'
import { riverSources } from './river-sources.ts'
import type { ScenarioId } from './scenario-list.ts'
import { planSurvey } from './survey-plan.ts'

const DIARY_DAYS = 96
/** Longer than the four seconds it asks for, so that the client comes back while the run still lives. */
const TRANSIENT_PAUSE_MS = 6_000
const TRANSIENT_RETRY_SECONDS = 4
const SLOW_MS = 1_600
const GUIDE_LETTERS = 5

/** The agent behind each scenario; `docs` reads what a user attached. Faults of the connection are not theirs: see fault-scripts.ts. */
export function createScenarioAgents(pace: Pace, docs: Agent): Readonly<Record<ScenarioId, Agent>> {
  const tell: Agent = (_request, run) => speak(MEANDER_ANSWER, run, pace)
  // In pieces of a few letters: marks and addresses arrive in halves.
  async function* inLetters(text: string, run: AgentRun): AsyncGenerator<string> {
    for (let at = 0; at < text.length; at += GUIDE_LETTERS) {
      yield text.slice(at, at + GUIDE_LETTERS)
      await pause(run, (pace.deltaMs + pace.random() * pace.jitterMs) / 3)
    }
  }
  const answer: Agent = (request, run) => speak(riverAnswer(queryOf(request)), run, pace)

  return {
    'plain-text': tell,
    'every-event': everyEvent(pace),
    formulas: (_request, run) => inLetters(RIVER_FORMULAS, run),
    queue: answer,
    edit: answer,
    attach: docs,
    'long-thread': answer,
    'earlier-messages': answer,
    'right-to-left': (_request, run) => speak(ARABIC_ANSWER, run, pace),
    'cut-mid-packet': tell,
    'end-without-close': tell,
    'half-open': tell,
    'everything-twice': tell,
    'gap-in-seq': tell,
    'new-stream-id': tell,
    'log-lost': tell,
    // Answered before any agent runs: see refusals.ts.
    'http-401': tell,
    'http-500': tell,
    'shared-plan': planSurvey(pace),
    ...createPromptAgents(pace),

    async *'thought-and-citations'(_request, run) {
      const id = run.uuid()
      yield event(
        'THOUGHT_TRACE',
        { thought: 'The question is about curves, so: what makes a straight river bend?', status: 'IN_PROGRESS' },
        { id },
      )
      await pause(run, pace.stepMs * 4)
      yield event(
        'THOUGHT_TRACE',
        {
          thought:
            'What makes a straight river bend? Uneven banks begin it, and the flow around the bend keeps it going. Three notes cover that.',
          status: 'COMPLETE',
        },
        { id },
      )
      const [first = '', second = '', third = '', ...rest] = MEANDER_ANSWER.split('\n\n')
      yield* speak(`${first} [1]\n\n${second} [2]\n\n${third} [3]\n\n${rest.join('\n\n')}`, run, pace)
      yield event('CITATION_BLOCK', { citations: riverSources(run.url.origin, 3) })
    },

    async *'many-sources'(_request, run) {
      yield* speak(WELL_SOURCED_ANSWER, run, pace)
      yield event('CITATION_BLOCK', { citations: riverSources(run.url.origin, 9) })
    },

    async *'progress-and-media'(_request, run) {
      const id = run.uuid()
      const steps = ['Looking for pictures', 'Choosing two', 'Drawing them']
      for (const [at, label] of steps.entries()) {
        yield event('PROGRESS_INDICATOR', { label, status: 'running', progress_percent: at / steps.length }, { id })
        await pause(run, pace.stepMs * 3)
      }
      yield event('PROGRESS_INDICATOR', { label: 'Drawn', status: 'complete', progress_percent: 1 }, { id })
      yield* speak('Here is a river with four bends, and the same river after it has cut one of them off.', run, pace)
      const urlOf = (name: string): string => new URL(`/scenario-media/${name}.svg`, run.url.origin).href
      yield event('MEDIA_CAROUSEL', {
        items: [
          { url: urlOf('meander'), mime_type: 'image/svg+xml', alt_text: 'A river with four bends, seen from above' },
          {
            url: urlOf('oxbow'),
            mime_type: 'image/svg+xml',
            alt_text: 'A nearly straight river; beside it the old loop as a lake',
          },
        ],
      })
    },

    async *markdown(_request, run) {
      yield* inLetters(riverGuide(run.url.origin), run)
      yield event('CITATION_BLOCK', { citations: riverSources(run.url.origin, 3) })
    },

    async *'markdown-block'(_request, run) {
      yield* speak('Here is a note you can keep.', run, pace)
      yield event('MARKDOWN_BLOCK', { content: OXBOW_NOTE })
    },

    async *'data-and-artifact'(_request, run) {
      yield* speak('Three rivers and how far they run:', run, pace)
      yield event('DATA_BLOCK', { data: RIVERS, view_hint: 'TABLE' })
      yield* speak('The same table as a file:', run, pace)
      const url = new URL(ARTIFACT_ADDRESS, run.url.origin).href
      yield event('ARTIFACT', { artifact_id: 'rivers', url, mime_type: 'text/csv', artifact_type: 'table' })
    },

    async *'tool-call'(_request, run) {
      const id = run.uuid()
      const call = { name: 'gauges.measure', arguments: { reach: 'lower', from_km: 12.4, to_km: 19.8 } }
      yield* speak('I measure the reach below the bridge.', run, pace)
      yield event('TOOL_CALL', call, { id })
      await pause(run, pace.stepMs * 6)
      yield event(
        'TOOL_CALL',
        { ...call, result: { bends: 7, mean_wavelength_m: 412, sharpest_bend_km: 15.1 } },
        { id },
      )
      yield* speak(
        'Seven bends on 7.4 km, about 412 m from one to the next. The sharpest one is at kilometre 15.1.',
        run,
        pace,
      )
    },

    async *'user-notice'(_request, run) {
      yield* speak('The gauge at the bridge is the one to ask.\n\n', run, pace)
      yield event('USER_ERROR', {
        message: 'The gauge at the bridge is being repaired. The levels here are from yesterday.',
        code: 503,
        domain: 'tool',
        retryable: true,
      })
      yield* speak('Yesterday at noon it stood at 2.14 m, four centimetres less than the day before.', run, pace)
    },

    async 'json-answer'(_request, run) {
      await pause(run, pace.stepMs)
      return {
        output: { answer: 'The Danube is about 2,850 km long.', river: 'Danube', length_km: 2850 },
        metrics: { documents_read: 1 },
      }
    },

    async *'two-streams'(_request, run) {
      const outer = OUTER_BANK.match(/\s*\S+/g) ?? []
      const inner = INNER_BANK.match(/\s*\S+/g) ?? []
      for (let at = 0; at < Math.max(outer.length, inner.length); at++) {
        yield onStream('outer bank', outer[at] ?? '')
        yield onStream('inner bank', inner[at] ?? '')
        await pause(run, pace.deltaMs * 2)
      }
      yield onStream('outer bank', close())
    },

    'long-answer': (_request, run) =>
      speak(riverDiary(DIARY_DAYS), run, { ...pace, deltaMs: pace.deltaMs / 4, jitterMs: 0 }),

    'slow-stream': (_request, run) =>
      speak(MEANDER_ANSWER.split('\n\n')[0] ?? '', run, { ...pace, deltaMs: pace.deltaMs && SLOW_MS }),

    async *fatal(_request, run) {
      yield* speak('The authority keeps the levels of the last ', run, pace)
      yield fatal('auth_failed', 'Your sign-in for the gauges has run out. Sign in and ask again.')
    },

    async *transient(_request, run) {
      const [first = '', ...rest] = MEANDER_ANSWER.split('\n\n')
      yield* speak(first, run, pace)
      yield transient('index_slow', 'The index is slow at the moment.', { retryAfterSeconds: TRANSIENT_RETRY_SECONDS })
      await pause(run, pace.stepMs && TRANSIENT_PAUSE_MS)
      yield* speak(`\n\n${rest.join('\n\n')}`, run, pace)
    },

    async *warning(_request, run) {
      const [first = '', ...rest] = MEANDER_ANSWER.split('\n\n')
      yield* speak(first, run, pace)
      yield warning('old_index', 'The index is a day old; the newest notes are missing.', {
        indexed_at: '2026-02-28T06:00:00Z',
      })
      yield* speak(`\n\n${rest.join('\n\n')}`, run, pace)
    },

    async *'unknown-event'(_request, run) {
      yield* speak('A river carries more water at every mile. Here is its flow as a diagram.', run, pace)
      yield event('FLOW_DIAGRAM', {
        nodes: ['spring', 'brook', 'river', 'sea'],
        unit: 'm³/s',
        flow: [0.1, 4, 310, null],
      })
      yield* speak(' It is largest at the mouth.', run, pace)
    },
  }
}
