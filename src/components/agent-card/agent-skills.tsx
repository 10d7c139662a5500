import type { ReactNode } from 'react'
import { useRef, useState } from 'react'
import { capMarks } from '../../base/cap-marks.ts'
import type { TaskStrings } from '../../strings/tasks.ts'
import type { AgentSkillDescription } from './agent-description.ts'

interface AgentSkillsProps {
  readonly skills: readonly AgentSkillDescription[]
  readonly limit: number
  readonly onExample: ((example: string) => void) | undefined
  readonly strings: TaskStrings['agent']
}

/** Examples of a skill that are shown. */
const MOST_EXAMPLES = 4

/** What an agent can do. An example is a suggestion where it can be taken, else words. */
export function AgentSkills({ skills, limit, onExample, strings }: AgentSkillsProps): ReactNode {
  const [shownCount, setShownCount] = useState(limit)
  const list = useRef<HTMLUListElement>(null)
  const left = skills.length - shownCount
  return (
    <>
      {/* `list-style: none` takes the list role away in Safari; saying it keeps it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-redundant-roles */}
      <ul role="list" ref={list} tabIndex={-1} className="cs-agent-skills" aria-label={strings.skills}>
        {skills.slice(0, shownCount).map(({ id, name, description, examples = [] }) => (
          <li key={id} className="cs-agent-skill">
            <b className="cs-strong">
              <bdi>{capMarks(name)}</bdi>
            </b>
            {description && (
              <span className="cs-agent-text">
                <bdi>{capMarks(description)}</bdi>
              </span>
            )}
            {examples.length > 0 && (
              // oxlint-disable-next-line jsx-a11y/no-redundant-roles
              <ul role="list" className="cs-agent-examples" aria-label={strings.examples(name)}>
                {[...new Set(examples)].slice(0, MOST_EXAMPLES).map((example) => (
                  <li key={example}>
                    {onExample ? (
                      <button type="button" className="cs-agent-example" onClick={() => onExample(example)}>
                        <bdi>{capMarks(example)}</bdi>
                      </button>
                    ) : (
                      <span className="cs-agent-text">
                        <bdi>{capMarks(example)}</bdi>
                      </span>
                    )}
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
      {left > 0 && (
        <button
          type="button"
          className="cs-button"
          data-kind="link"
          onClick={() => {
            // The button goes, so the focus moves to what has come.
            list.current?.focus()
            setShownCount(skills.length)
          }}
        >
          {strings.moreSkills(left)}
        </button>
      )}
    </>
  )
}
