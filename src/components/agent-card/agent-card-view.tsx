'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { forwardRef, memo } from 'react'
import { capMarks } from '../../base/cap-marks.ts'
import { shorten } from '../error-details/describe-error.ts'
import type { AttributesOf } from '../internals/attributes/part-attributes.ts'
import { Icon } from '../internals/icon.tsx'
import { OpenLink } from '../internals/open-link.tsx'
import type { RenderRoot } from '../internals/part.ts'
import { classNames, Root } from '../internals/part.ts'
import { safeLink } from '../internals/safe-url.ts'
import { useTaskStrings } from '../dictionary/task-strings-context.tsx'
import type { agentCardAttributes } from './agent-card-attributes.ts'
import { AgentDetails } from './agent-details.tsx'
import type { AgentDescription } from './agent-description.ts'
import { AgentIcon } from './agent-icon.tsx'
import { AgentSkills } from './agent-skills.tsx'
import { securityLabel } from './security-scheme.ts'

type Attributes = AttributesOf<typeof agentCardAttributes>
type TagAttributes = AttributesOf<typeof agentCardAttributes, 'tags'>
type Signature = 'unsigned' | 'unknown-key' | 'valid' | 'partly-signed' | 'invalid'

export interface AgentCardViewProps extends Omit<ComponentPropsWithoutRef<'article'>, 'children'> {
  /** The agent, as its card describes it. */
  readonly agent: AgentDescription
  /** What is known of the signatures of the card. Absent: nothing is said of them. */
  readonly signature?: Signature | undefined
  /** Members of the card that its signature does not cover, as `useAgentCard` gives them. @default [] */
  readonly unsigned?: readonly string[] | undefined
  /** Takes an example of a skill, to send it or to put it into the composer. Absent: examples are words. */
  readonly onExample?: ((example: string) => void) | undefined
  /** Skills shown before the others are asked for. @default 4 */
  readonly limit?: number | undefined
  /** Replaces the root element; receives the props to spread and the part's state. @default the part's root element */
  readonly render?: RenderRoot<{ readonly signature: Signature | undefined }> | undefined
}

const SIGNATURE_ICONS = {
  unsigned: 'info',
  'unknown-key': 'info',
  valid: 'check',
  'partly-signed': 'alert',
  invalid: 'alert',
} as const

/** Names of members of a card; others are shown by their path. */
const MEMBERS: ReadonlyMap<string, 'security' | 'extensions'> = new Map([
  ['securitySchemes', 'security'],
  ['securityRequirements', 'security'],
  ['capabilities.extensions', 'extensions'],
])

/**
 * Renders an `<article>`: who an agent says it is, what it can do, and how it is reached. Its icon loads only from hosts that the
 * `MediaPolicyProvider` around allows; its addresses are links only when they are web addresses.
 *
 * @example
 * ```tsx
 * import { useAgentCard } from 'capstan/a2a/react'
 * import { AgentCardView } from 'capstan/tasks'
 *
 * export function Agent({ url, onAsk }: { url: string; onAsk: (text: string) => void }) {
 *   const { card, signature } = useAgentCard(url)
 *   return card && <AgentCardView agent={card} signature={signature?.state} unsigned={signature?.unsigned} onExample={onAsk} />
 * }
 * ```
 */
export const AgentCardView = memo(
  forwardRef<HTMLElement, AgentCardViewProps>(function AgentCardView(props, ref): ReactNode {
    const { agent, signature, unsigned = [], onExample, limit = 4, render, className, ...rest } = props
    const all = useTaskStrings()
    if (all === undefined) return null
    const strings = all.agent
    const { name, description, version, provider, skills = [], capabilities, supportedInterfaces = [] } = agent
    const facts = [provider?.organization, version && strings.version(version)].filter(Boolean).join(' · ')
    const able = [
      capabilities?.streaming && strings.streaming,
      capabilities?.pushNotifications && strings.push,
      capabilities?.extendedAgentCard && strings.extendedCard,
    ].filter((word) => typeof word === 'string')
    const schemes = Object.entries(agent.securitySchemes ?? {}).map(([key, scheme]) =>
      securityLabel(key, scheme, strings.apiKey),
    )
    const unsignedNames = unsigned.map((path) => {
      const key = MEMBERS.get(path)
      return key === undefined ? path : strings[key]
    })
    const bindings = supportedInterfaces.map(({ protocolBinding }) => protocolBinding)
    const [documentation, website] = [safeLink(agent.documentationUrl), safeLink(provider?.url)]
    const children = (
      <>
        <header className="cs-agent-head">
          <AgentIcon name={name} url={agent.iconUrl} />
          <span className="cs-agent-name">
            <b className="cs-strong">
              <bdi>{capMarks(name)}</bdi>
            </b>
            {facts && (
              <span className="cs-agent-text">
                <bdi>{capMarks(facts)}</bdi>
              </span>
            )}
          </span>
          {signature && (
            <span className="cs-agent-signature">
              <Icon name={SIGNATURE_ICONS[signature]} size={14} />
              <span>{strings.signature[signature]}</span>
            </span>
          )}
        </header>
        {unsignedNames.length > 0 && (
          <p className="cs-agent-text">{capMarks(shorten(strings.notCovered([...new Set(unsignedNames)]), 300))}</p>
        )}
        {description && (
          <p className="cs-agent-about" dir="auto">
            {capMarks(shorten(description, 1000))}
          </p>
        )}
        {skills.length > 0 && <AgentSkills skills={skills} limit={limit} onExample={onExample} strings={strings} />}
        <Tags label={strings.capabilities} words={able} />
        <Tags label={strings.security} words={schemes} isOutlined />
        <Tags label={strings.interfaces} words={bindings} isOutlined />
        <AgentDetails agent={agent} strings={strings} />
        {(documentation || website) && (
          <p className="cs-agent-links">
            {website && <OpenLink href={website.href}>{provider?.organization ?? website.host}</OpenLink>}
            {documentation && <OpenLink href={documentation.href}>{strings.documentation}</OpenLink>}
          </p>
        )}
      </>
    )
    return (
      <Root
        tag="article"
        render={render}
        root={{
          'aria-label': name,
          ...rest,
          className: classNames('cs-part cs-agent-card', className),
          'data-signature': signature satisfies Attributes['data-signature'],
          children,
        }}
        state={{ signature }}
        rootRef={ref}
      />
    )
  }),
)

/** Tags of each kind that are shown. */
const MOST_TAGS = 12

interface TagsProps {
  readonly label: string
  readonly words: readonly string[]
  readonly isOutlined?: boolean
}

function Tags({ label, words, isOutlined = false }: TagsProps): ReactNode {
  if (words.length === 0) return null
  return (
    // `list-style: none` takes the list role away in Safari; saying it keeps it.
    // oxlint-disable-next-line jsx-a11y/no-redundant-roles
    <ul role="list" className="cs-agent-tags" aria-label={label}>
      {[...new Set(words)].slice(0, MOST_TAGS).map((word) => (
        <li
          key={word}
          className="cs-agent-tag"
          data-outlined={(isOutlined ? '' : undefined) satisfies TagAttributes['data-outlined']}
        >
          <bdi>{capMarks(word)}</bdi>
        </li>
      ))}
    </ul>
  )
}
