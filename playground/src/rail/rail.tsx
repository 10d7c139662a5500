import type { ReactNode } from 'react'
import { useState } from 'react'
import type { ScenarioId } from '../../server/scenarios/scenario-list.ts'
import { scenarios } from '../../server/scenarios/scenario-list.ts'
import { useBench } from '../bench.ts'
import { Glyph } from '../glyph.tsx'
import { useStore } from '../store.ts'
import { ProtocolSwitch } from './protocol-switch.tsx'
import { RailFoot } from './rail-foot.tsx'

interface RailProps {
  readonly narrow: boolean
  readonly onChosen: () => void
  readonly onSettings: () => void
}

interface Choice {
  readonly group: string
  readonly title: string
  readonly outcome: string
  readonly scenario: ScenarioId | undefined
}

const CHOICES: readonly Choice[] = [
  { group: 'Pages', title: 'Ask these pages', outcome: 'cites', scenario: undefined },
  ...scenarios.map(({ id, group, title, outcome }) => ({ group, title, outcome, scenario: id })),
]

/** What can be tried: protocols, scenarios with the outcome to expect, and the way to run one again. */
export function Rail({ narrow, onChosen, onSettings }: RailProps): ReactNode {
  const bench = useBench()
  const { scenario } = useStore(bench.talk)
  const [sought, setSought] = useState('')
  const found = CHOICES.filter((choice) => matches(choice, sought))
  const groups = [...new Set(found.map(({ group }) => group))]

  return (
    <>
      <div className="pg-rail-top">
        <ProtocolSwitch />
        <label className="pg-find">
          <Glyph name="search" />
          <span className="cs-hidden">Find a scenario</span>
          <input type="search" placeholder="Find a scenario" value={sought} onChange={(event) => setSought(event.currentTarget.value)} />
        </label>
      </div>
      <div className="pg-rail-list">
        {groups.map((group) => (
          <section key={group} aria-label={group}>
            <h2 className="pg-rail-group">{group}</h2>
            {found
              .filter((choice) => choice.group === group)
              .map((choice) => (
                <button
                  key={choice.title}
                  type="button"
                  className="pg-choice"
                  aria-current={choice.scenario === scenario ? true : undefined}
                  onClick={() => {
                    bench.begin(choice.scenario)
                    onChosen()
                  }}
                >
                  <span className="cs-clip">{choice.title}</span>
                  <small>{choice.outcome}</small>
                </button>
              ))}
          </section>
        ))}
        <p className="pg-nothing" role="status">
          {found.length === 0 && 'No scenario of that name.'}
        </p>
      </div>
      <RailFoot narrow={narrow} onRun={onChosen} onSettings={onSettings} />
    </>
  )
}

function matches({ title, outcome, group }: Choice, sought: string): boolean {
  const text = `${group} ${title} ${outcome}`.toLowerCase()
  return sought
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
