import * as z from 'zod/mini'
import type { Agent } from '../../../src/server.ts'
import type { Pace } from '../pace.ts'
import { pause, speak } from '../pace.ts'

// Imported by the page too: nothing of node here.

/** What the agent and the user plan together. */
export const surveyPlan = z.object({
  reach: z.string(),
  days: z.int().check(z.minimum(1), z.maximum(9)),
  stops: z.array(z.string()),
})

export type SurveyPlan = z.output<typeof surveyPlan>

export const NEW_PLAN: SurveyPlan = { reach: 'Lower reach', days: 3, stops: [] }

const STOPS = [
  'Bridge gauge',
  'Weir',
  'Oxbow lake',
  'Gravel bar',
  'Ferry pier',
  'Mill race',
  'Old ford',
  'Willow bend',
  'Estuary',
]

/** Gives each day of the plan a stop, one after the other, and takes away those beyond. */
export function planSurvey(pace: Pace): Agent {
  return async function* (_request, run) {
    const plan = await run.state.as(surveyPlan, NEW_PLAN)
    const { reach, days } = plan.value
    const before = plan.value.stops.length
    yield* speak(`${reach || 'A reach without a name'}, ${days} ${days === 1 ? 'day' : 'days'}. `, run, pace)
    await plan.set((now) => ({ ...now, stops: now.stops.slice(0, days) }))
    for (let day = before; day < days; day++) {
      await pause(run, pace.stepMs * 3)
      await plan.set((now) => ({ ...now, stops: [...now.stops, STOPS[day] ?? 'Rest'] }))
    }
    yield* speak(
      days === before
        ? 'The plan stays as it is. Change the days, and ask again.'
        : `The plan has ${days} ${days === 1 ? 'stop' : 'stops'} now. Change anything in it, and tell me to go on.`,
      run,
      pace,
    )
  }
}
