import type { MouseEvent, ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import type { PageScenarioId } from '../../server/scenarios/page-scenario.ts'
import { pageScenarios, protocolOf } from '../../server/scenarios/page-scenario.ts'
import { linkTo } from '../address.ts'
import { useBench } from '../bench.ts'
import { Glyph } from '../glyph.tsx'
import { Segments } from '../segments.tsx'
import { useStore } from '../store.ts'
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
  readonly scenario: PageScenarioId | undefined
}

const CHOICES: readonly Choice[] = [
  { group: 'Docs', title: 'Ask the docs', outcome: 'citations', scenario: undefined },
  ...pageScenarios.map(({ id, group, title, outcome }) => ({ group, title, outcome, scenario: id })),
]

const PROTOCOLS = [
  { value: 'CAP', label: 'CAP' },
  { value: 'A2A', label: 'A2A' },
  { value: 'ARCP', label: 'ARCP' },
] as const

/** What is tried first over each. */
const FIRST = { CAP: undefined, A2A: 'a2a', ARCP: 'arcp' } as const

/** What can be tried over each protocol: scenarios with what each shows, and the way to run one again. */
export function Rail({ narrow, onChosen, onSettings }: RailProps): ReactNode {
  const bench = useBench()
  const protocol = protocolOf(useStore(bench.talk).scenario)
  const [sought, setSought] = useState('')
  const found = CHOICES.filter((choice) => protocolOf(choice.scenario) === protocol && matches(choice, sought))
  const groups = [...new Set(found.map(({ group }) => group))]

  return (
    <>
      <div className="pg-rail-top">
        <Segments
          label="Protocol"
          segments={PROTOCOLS}
          value={protocol}
          onChoose={(chosen) => {
            if (chosen !== protocol) bench.begin(FIRST[chosen])
          }}
        />
        <label className="pg-find">
          <Glyph name="search" />
          <span className="pg-hidden">Search scenarios</span>
          <input
            type="search"
            placeholder="Search scenarios"
            value={sought}
            onChange={(event) => setSought(event.currentTarget.value)}
          />
        </label>
      </div>
      <div className="pg-rail-list">
        {groups.map((group) => (
          <div key={group} role="group" aria-label={group}>
            <h2 className="pg-rail-group">{group}</h2>
            {found
              .filter((choice) => choice.group === group)
              .map((choice) => (
                <ChoiceLink key={choice.title} choice={choice} onChosen={onChosen} />
              ))}
          </div>
        ))}
        <p className="pg-nothing" role="status">
          {found.length === 0 && 'No matching scenarios'}
        </p>
      </div>
      <RailFoot narrow={narrow} onRun={onChosen} onSettings={onSettings} />
    </>
  )
}

/** A link, so that it can be copied and opened in another tab; a plain press plays it here, also a second time. */
function ChoiceLink({
  choice: { title, outcome, scenario },
  onChosen,
}: {
  readonly choice: Choice
  readonly onChosen: () => void
}): ReactNode {
  const bench = useBench()
  const current = useStore(bench.talk).scenario === scenario
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    // A page opened by a link shows its place in the list. Scrolled by hand: `scrollIntoView` would make the Tab key begin here.
    if (current && link.current) showInList(link.current)
  }, [current])

  const play = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    bench.begin(scenario)
    onChosen()
  }
  return (
    <a
      ref={link}
      className="pg-choice"
      href={linkTo(scenario)}
      aria-current={current ? 'page' : undefined}
      onClick={play}
    >
      <bdi className="pg-clip">{title}</bdi>
      <small>{outcome}</small>
    </a>
  )
}

/** Scrolls a choice's list until the choice is in view. */
function showInList(choice: HTMLElement): void {
  const list = choice.closest('.pg-rail-list')
  if (list === null) return
  const [{ top, bottom }, view] = [choice.getBoundingClientRect(), list.getBoundingClientRect()]
  list.scrollTop += Math.min(0, top - view.top) + Math.max(0, bottom - view.bottom)
}

function matches({ title, outcome, group }: Choice, sought: string): boolean {
  const text = `${group} ${title} ${outcome}`.toLowerCase()
  return sought
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
