import type { ReactNode } from 'react'
import { capMarks } from '../../base/cap-marks.ts'
import { FoldSummary } from '../internals/fold-summary.tsx'
import type { TaskStrings } from '../../strings/tasks.ts'
import type { AgentDescription } from './agent-description.ts'

interface AgentDetailsProps {
  readonly agent: AgentDescription
  readonly strings: TaskStrings['agent']
}

/** Rows of each kind that are shown: no agent that is meant well has more. */
const MOST_ROWS = 30

/** What a developer wants to know: media types, interfaces and extensions. Addresses are words here and no links. */
export function AgentDetails({ agent, strings }: AgentDetailsProps): ReactNode {
  const { defaultInputModes = [], defaultOutputModes = [], supportedInterfaces = [], capabilities } = agent
  const rows: readonly (readonly [string, readonly string[]])[] = [
    [strings.input, defaultInputModes],
    [strings.output, defaultOutputModes],
    [
      strings.interfaces,
      supportedInterfaces.map(({ url, protocolBinding, protocolVersion }) =>
        [protocolBinding, protocolVersion, url].filter(Boolean).join(' · '),
      ),
    ],
    [
      strings.extensions,
      (capabilities?.extensions ?? []).map(({ uri, required }) => (required ? `${uri} (${strings.required})` : uri)),
    ],
  ]
  const filled = rows.filter(([, values]) => values.length > 0)
  if (filled.length === 0) return null
  return (
    <details className="cs-fold">
      <FoldSummary label={strings.details} />
      <dl className="cs-agent-details">
        {filled.map(([label, values]) => (
          <div key={label}>
            <dt className="cs-meta">{label}</dt>
            {[...new Set(values)].slice(0, MOST_ROWS).map((value) => (
              <dd key={value} className="cs-agent-text">
                <bdi>{capMarks(value)}</bdi>
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </details>
  )
}
