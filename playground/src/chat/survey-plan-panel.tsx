import type { ReactNode } from 'react'
import { useAgentState } from 'capstan/react'
import { NEW_PLAN, surveyPlan, type SurveyPlan } from '../../server/scenarios/survey-plan.ts'
import { Button } from '../button.tsx'

const MOST_DAYS = 9

const STATUS = {
  empty: 'The agent has not seen it yet.',
  shared: 'The agent has this plan.',
  changed: 'Your changes go with the next message.',
} as const

/** The plan that the agent and the user change together, above their conversation. */
export function SurveyPlanPanel(): ReactNode {
  const { state: plan, status, setState, discard } = useAgentState({ schema: surveyPlan, initial: NEW_PLAN })
  const change = (changed: Partial<SurveyPlan>): void => void setState((before) => ({ ...before, ...changed }))
  return (
    <section className="pg-plan" aria-label="Survey plan">
      <div className="pg-plan-fields">
        <label className="pg-plan-reach">
          <span>Reach</span>
          <input value={plan.reach} onChange={({ target }) => change({ reach: target.value })} />
        </label>
        <div className="pg-plan-days" role="group" aria-label="Days">
          <Button
            kind="plain"
            size="small"
            aria-label="One day less"
            disabled={plan.days === 1}
            onClick={() => change({ days: plan.days - 1 })}
          >
            −
          </Button>
          <output>{`${plan.days} ${plan.days === 1 ? 'day' : 'days'}`}</output>
          <Button
            kind="plain"
            size="small"
            aria-label="One day more"
            disabled={plan.days === MOST_DAYS}
            onClick={() => change({ days: plan.days + 1 })}
          >
            +
          </Button>
        </div>
      </div>
      <ol className="pg-plan-stops">
        {plan.stops.map((stop) => (
          <li key={stop}>{stop}</li>
        ))}
      </ol>
      <p className="pg-plan-status">
        <span role="status">{STATUS[status]}</span>
        {status === 'changed' && (
          <Button kind="plain" size="small" onClick={discard}>
            Undo
          </Button>
        )}
      </p>
    </section>
  )
}
