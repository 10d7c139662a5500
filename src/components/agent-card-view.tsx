'use client'

import { type ComponentPropsWithoutRef, type ReactNode, forwardRef, memo, useState, useRef } from 'react'
import { capMarks } from '../base/cap-marks.ts'
import { isJsonObject } from '../base/json-object.ts'
import { shorten } from './error-details.tsx'
import { type AttributesOf, type PartAttributes, type RenderRoot, classNames, Root } from './internals/part.ts'
import { FoldSummary } from './internals/folding.tsx'
import { StatusMark } from './internals/status-mark.tsx'
import { OpenLink } from './internals/open-link.tsx'
import { safeLink } from '../base/safe-url.ts'
import { useTaskStrings } from './dictionary/task-strings-context.tsx'
import { useMediaConsent } from './media-policy.tsx'
import type { TaskStrings } from '../strings/tasks.ts'

/** The `data-*` attributes of `AgentCardView`. */
export const agentCardAttributes = {
  root: {
    selector: '.cs-agent-card',
    attributes: {
      'data-signature': {
        values: ['unsigned', 'unknown-key', 'valid', 'partly-signed', 'invalid'],
        meaning: 'What is known of its signatures, where that is given',
      },
    },
  },
  tags: {
    selector: '.cs-agent-tag',
    attributes: {
      'data-outlined': { values: 'present', meaning: 'It says how the agent is reached, and not what it can do' },
    },
  },
} as const satisfies PartAttributes

type Attributes = AttributesOf<typeof agentCardAttributes>

type TagAttributes = AttributesOf<typeof agentCardAttributes, 'tags'>

type Signature = 'unsigned' | 'unknown-key' | 'valid' | 'partly-signed' | 'invalid'

export interface AgentCardViewProps extends Omit<ComponentPropsWithoutRef<'article'>, 'children'> {
  /** The agent, as its card describes it. */
  readonly agent: AgentDescription
  /** What is known of the signatures of the card. Absent: not shown. */
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
 * import { useAgentCard } from 'capstan/react'
 * import { AgentCardView } from 'capstan/components'
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
            <StatusMark className="cs-agent-signature" icon={SIGNATURE_ICONS[signature]} size={14}>
              {strings.signature[signature]}
            </StatusMark>
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
    // `list-style: none` removes the list role in Safari; an explicit role keeps it.
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

interface AgentDetailsProps {
  readonly agent: AgentDescription
  readonly strings: TaskStrings['agent']
}

/** Rows of each kind that are shown: no agent that is meant well has more. */
const MOST_ROWS = 30

/** What a developer wants to know: media types, interfaces and extensions. Addresses are words here and no links. */
function AgentDetails({ agent, strings }: AgentDetailsProps): ReactNode {
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

/** The picture of an agent where the media policy lets it load, else the first letter of its name. */
function AgentIcon({ name, url = '' }: { readonly name: string; readonly url?: string | undefined }): ReactNode {
  const [isAllowed] = useMediaConsent(url)
  const [failed, setFailed] = useState<string>()
  if (isAllowed && failed !== url) {
    return (
      <img
        className="cs-agent-icon"
        src={url}
        alt=""
        width={40}
        height={40}
        referrerPolicy="no-referrer"
        loading="lazy"
        decoding="async"
        onError={() => setFailed(url)}
      />
    )
  }
  return (
    <span className="cs-agent-icon" aria-hidden="true">
      {Array.from(name.trim())[0]?.toLocaleUpperCase()}
    </span>
  )
}

interface AgentSkillsProps {
  readonly skills: readonly AgentSkillDescription[]
  readonly limit: number
  readonly onExample: ((example: string) => void) | undefined
  readonly strings: TaskStrings['agent']
}

/** Examples of a skill that are shown. */
const MOST_EXAMPLES = 4

/** What an agent can do. An example is a suggestion where it can be taken, else words. */
function AgentSkills({ skills, limit, onExample, strings }: AgentSkillsProps): ReactNode {
  const [shownCount, setShownCount] = useState(limit)
  const list = useRef<HTMLUListElement>(null)
  const left = skills.length - shownCount
  return (
    <>
      {/* `list-style: none` removes the list role in Safari; an explicit role keeps it. */}
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
            // The button is removed, so the focus moves to the new content.
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

/** The wrappers of A2A 1.0, and the names of OpenAPI that A2A 0.3 has. */
const KINDS: ReadonlyMap<string, 'apiKey' | 'http' | 'OAuth 2.0' | 'OpenID Connect' | 'Mutual TLS'> = new Map([
  ['apiKeySecurityScheme', 'apiKey'],
  ['httpAuthSecurityScheme', 'http'],
  ['oauth2SecurityScheme', 'OAuth 2.0'],
  ['openIdConnectSecurityScheme', 'OpenID Connect'],
  ['mtlsSecurityScheme', 'Mutual TLS'],
  ['apiKey', 'apiKey'],
  ['http', 'http'],
  ['oauth2', 'OAuth 2.0'],
  ['openIdConnect', 'OpenID Connect'],
  ['mutualTLS', 'Mutual TLS'],
])

/** A way to sign in by its common name; of a kind that is not known, by the name that the agent gives it. */
export function securityLabel(name: string, scheme: unknown, apiKey: string): string {
  if (!isJsonObject(scheme)) return name
  const wrapper = Object.keys(scheme).find((key) => KINDS.has(key) && isJsonObject(scheme[key]))
  const kind = KINDS.get(wrapper ?? String(scheme.type))
  const inner = wrapper === undefined ? scheme : scheme[wrapper]
  const word = isJsonObject(inner) && typeof inner.scheme === 'string' ? inner.scheme : ''
  switch (kind) {
    case undefined:
      return name
    case 'apiKey':
      return apiKey
    case 'http':
      return word === '' ? 'HTTP' : `HTTP ${word}`
    default:
      return kind
  }
}

/** What an agent can do, with examples of how to ask for it. */
export interface AgentSkillDescription {
  readonly id: string
  readonly name: string
  readonly description?: string | undefined
  readonly tags?: readonly string[] | undefined
  readonly examples?: readonly string[] | undefined
  readonly inputModes?: readonly string[] | undefined
  readonly outputModes?: readonly string[] | undefined
}

/** An agent as it describes itself. The card of an A2A agent has this shape. All of it is untrusted. */
export interface AgentDescription {
  readonly name: string
  readonly description?: string | undefined
  readonly version?: string | undefined
  readonly iconUrl?: string | undefined
  readonly documentationUrl?: string | undefined
  readonly provider?: { readonly organization?: string | undefined; readonly url?: string | undefined } | undefined
  readonly skills?: readonly AgentSkillDescription[] | undefined
  readonly capabilities?:
    | {
        readonly streaming?: boolean | undefined
        readonly pushNotifications?: boolean | undefined
        readonly extendedAgentCard?: boolean | undefined
        readonly extensions?:
          | readonly {
              readonly uri: string
              readonly description?: string | undefined
              readonly required?: boolean | undefined
            }[]
          | undefined
      }
    | undefined
  /** Media types. */
  readonly defaultInputModes?: readonly string[] | undefined
  /** Media types. */
  readonly defaultOutputModes?: readonly string[] | undefined
  /** By name, as OpenAPI or A2A 1.0 describe them. */
  readonly securitySchemes?: Readonly<Record<string, unknown>> | undefined
  readonly supportedInterfaces?:
    | readonly {
        readonly url: string
        readonly protocolBinding: string
        readonly protocolVersion?: string | undefined
      }[]
    | undefined
}
