import type { Agent } from '../../../src/server.ts'
import { event, fatal } from '../../../src/server.ts'
import type { Pace } from '../pace.ts'
import { pause, speak } from '../pace.ts'
import { riverDiary } from '../scenarios/river-prose.ts'
import { SIGN_IN_ADDRESS } from '../scenarios/sign-in-page.ts'
import type { A2AScenarioId } from './a2a-scenarios.ts'

const DIARY_DAYS = 40

/** The agent behind each scenario over A2A: `docs` reads the pages and what a user attached. */
export function createA2AAgents(pace: Pace, docs: Agent): Readonly<Record<A2AScenarioId, Agent>> {
  return {
    a2a: docs,
    'a2a-ask': docs,
    'a2a-file': docs,
    'a2a-attach': docs,
    'a2a-long': (_request, run) => speak(riverDiary(DIARY_DAYS), run, pace),
    'a2a-sign-in': async function* (_request, run) {
      yield event('PROGRESS_INDICATOR', { label: 'Asking the authority', status: 'running' })
      await pause(run, pace.stepMs)
      await run.ask({
        kind: 'sign-in',
        message: 'The authority wants to know who reads its gauges.',
        url: new URL(SIGN_IN_ADDRESS, run.url).href,
      })
      yield* speak('The authority measures level, flow and temperature, at twelve gauges.', run, pace)
    },
    'a2a-fails': async function* (_request, run) {
      yield* speak('The first gauge is at 2.4 m. ', run, pace)
      await pause(run, pace.stepMs)
      yield fatal('gauges_down', 'The second gauge does not answer.')
    },
  }
}
