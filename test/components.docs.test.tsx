// @vitest-environment jsdom
import { cleanup } from '@testing-library/react'
import type { ReactElement } from 'react'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { ATTRIBUTE_TABLES } from '../scripts/attribute-tables.ts'
import * as kit from '../src/components.ts'
import type { PromptBodyProps } from '../src/components/prompt-body/decision.tsx'
import { formIn } from '../src/components/schema-form/schema-form.tsx'
import type { AnswerResult } from '../src/state/chat-options.ts'
import { commentOf, readPublicApi } from './docs/public-api.ts'
import { readTsDoc } from './docs/tsdoc.ts'
import { promptOf } from './support/prompts.ts'
import { EVERY_PART, MESSAGES } from './theming/every-part.tsx'
import { answer, createFakeChat, errorOf, connectionAt } from './components/fake-chat.ts'
import { show } from './components/show.tsx'

// What the comments and the tables say of the parts, held to what the parts render.

const { Announcer, ArtifactCard, HealthBadge, ProgressIndicator, ThoughtTrace, ThreadList, ToolCall } = kit

// Its code comes when the first form is shown; what is tested here begins after that.
await formIn(undefined).load()

const api = readPublicApi()
afterAll(() => api.close())
afterEach(cleanup)

const THREADS = [
  {
    id: 'a',
    title: 'Rivers',
    createdAt: 1_700_000_000_000,
    updatedAt: 1_700_000_000_000,
    status: 'running',
    unread: true,
  },
  {
    id: 'b',
    title: 'Lakes',
    createdAt: 1_700_000_000_000,
    updatedAt: 1_700_000_000_000,
    status: 'idle',
    unread: false,
  },
] as const

const PROMPT = promptOf({ subject: { name: 'send_mail', input: { to: 'a' }, digest: 'd' } })
const refused = async (): Promise<AnswerResult> => ({ status: 'too-late' })
const BODY: PromptBodyProps = {
  controls: {
    prompt: PROMPT,
    choose: refused,
    submit: refused,
    confirm: refused,
    decline: refused,
    cancel: refused,
    repeat: undefined,
  },
  isReady: true,
  isSending: false,
  decline: null,
}
const PROMPTS: Readonly<Record<string, ReactElement>> = {
  PromptCard: <kit.PromptCard promptId={PROMPT.id} />,
  PromptDock: <kit.PromptDock />,
  PromptTrace: <kit.PromptTrace prompt={PROMPT} />,
  LeaseBadge: <kit.LeaseBadge name="fs.write" remainingMs={9000} status="changing" onRevoke={() => {}} />,
  LeaseList: <kit.LeaseList />,
  ApprovalCard: <kit.ApprovalCard {...BODY} />,
  ChoiceCard: <kit.ChoiceCard {...BODY} />,
  FormPrompt: <kit.FormPrompt {...BODY} />,
  SchemaForm: <kit.SchemaForm schema={{ type: 'object' }} onSubmit={() => {}} />,
  PermissionPrompt: <kit.PermissionPrompt {...BODY} />,
  SignInCard: <kit.SignInCard {...BODY} />,
  UnknownPrompt: <kit.UnknownPrompt {...BODY} />,
}

const TASKS: Readonly<Record<string, ReactElement>> = {
  TaskCard: <kit.TaskCard compact status="working" tasks={[{ id: '1', status: 'failed' }]} onCancel={() => {}} />,
  TaskStatusBadge: <kit.TaskStatusBadge status="input-required" />,
  ArtifactView: <kit.ArtifactView name="a.md" text="# A" state="writing" version={2} versions={[{ version: 1 }]} />,
  AgentCardView: (
    <kit.AgentCardView
      signature="valid"
      onExample={() => {}}
      agent={{
        name: 'Rivers',
        skills: [{ id: 's', name: 'Bends', examples: ['Draw a bend'] }],
        capabilities: { streaming: true },
        supportedInterfaces: [{ url: 'https://agent.example', protocolBinding: 'JSONRPC' }],
      }}
    />
  ),
}

const JOBS: Readonly<Record<string, ReactElement>> = {
  JobCard: <kit.JobCard state="running" stale percent={40} onCancel={() => {}} />,
  SessionStatus: <kit.SessionStatus phase="reconnecting" retryInMs={4000} onRetry={() => {}} />,
  LogViewer: <kit.LogViewer entries={[{ level: 'warn', message: 'Slow', timestamp: '2026-03-01T08:15:00Z' }]} />,
  TokenMeter: <kit.TokenMeter usage={{ inputTokens: 12, outputTokens: 3 }} limit={10} />,
  CostMeter: <kit.CostMeter usage={{ cost: 2 }} limit={1} />,
  SubscriptionViewer: <kit.SubscriptionViewer status="open" events={[{ id: '1', name: 'job.progress' }]} />,
}

const PARTS: Readonly<Record<string, ReactElement>> = {
  ...Object.fromEntries(Object.entries(EVERY_PART).map(([name, part]) => [name, part({})])),
  Announcer: <Announcer />,
  ...PROMPTS,
  ...TASKS,
  ...JOBS,
  ThreadList: <ThreadList threads={THREADS} current="a" onSelect={() => {}} onCreate={() => {}} />,
}

const FURTHER: Readonly<Record<string, ReactElement>> = {
  'ArtifactCard, written': <ArtifactCard state="writing" name="rivers.csv" size={12} />,
  'HealthBadge, unknown': <HealthBadge status="unknown" />,
  'ProgressIndicator, ended': (
    <ProgressIndicator live={false} steps={[{ id: '1', label: 'Read', status: 'running' }]} />
  ),
  'ThoughtTrace, live': <ThoughtTrace live thoughts={[{ id: '1', text: 'Uneven banks begin it.' }]} />,
  'ThoughtTrace, redacted': <ThoughtTrace thoughts={[{ id: '1', text: '', redacted: true }]} />,
  'ThreadList, loading': <ThreadList threads={[]} status="loading" onSelect={() => {}} />,
  'ToolCall, unfinished': <ToolCall name="read_gauge" status="running" live={false} />,
}

/** They render what they are given, without their own element. */
const WITHOUT_ELEMENT = [
  'CitationProvider',
  'CitedText',
  'DictionaryProvider',
  'ErrorBoundary',
  'JobStringsProvider',
  'MarkdownProvider',
  'MediaPolicyProvider',
  'PromptStringsProvider',
  'TaskStringsProvider',
]

function summaryOf(component: string): string {
  const [name] = api.names.filter(
    ({ name, entryPoint }) => name === component && ['capstan/components', 'capstan/markdown'].includes(entryPoint),
  )
  const node = name?.declarations.find((declaration) => commentOf(declaration) !== '')
  return node === undefined ? '' : readTsDoc(commentOf(node)).summary
}

function shown(part: ReactElement): HTMLElement {
  const chat = createFakeChat({
    messages: [answer('asking', [{ type: 'prompt', id: PROMPT.id, prompt: PROMPT }]), ...MESSAGES],
    connection: connectionAt({ phase: 'streaming' }),
    error: errorOf(),
  })
  return show(chat, part).container
}

const ELEMENTS = Object.values(ATTRIBUTE_TABLES).flatMap((table) => Object.values(table))

/** The attributes that no table has on such an element, or not with such a value. */
function unlisted(container: Element): string[] {
  return [...container.querySelectorAll('*')].flatMap((element) => {
    const listed = ELEMENTS.filter(({ selector }) => element.matches(selector))
    return element.getAttributeNames().flatMap((name) => {
      if (!name.startsWith('data-')) return []
      const value = element.getAttribute(name) ?? ''
      const isListed = listed.some(({ attributes }) => {
        const values = Object.entries(attributes).find(([known]) => known === name)?.[1].values
        if (values === undefined || values === 'any') return values === 'any'
        return values === 'present' ? value === '' : values.map(String).includes(value)
      })
      return isListed ? [] : [`${element.localName}.${element.getAttribute('class') ?? ''} ${name}="${value}"`]
    })
  })
}

describe('the comment of a component', () => {
  it.each(Object.entries(PARTS))('says which element %s renders', (name, part) => {
    const [, tag] = /^Renders an? (?:visually hidden )?`<([a-z]+)>`/.exec(summaryOf(name)) ?? []
    expect(tag, 'Begin the comment with "Renders a `<div>`".').toBe(shown(part).firstElementChild?.localName)
  })

  it('says so of every component', () => {
    const components = api.names
      .filter(({ entryPoint }) => entryPoint === 'capstan/components')
      .flatMap(({ name, declarations }) =>
        /^[A-Z]/.test(name) && name in kit && declarations.length > 0 && !name.endsWith('Context') ? [name] : [],
      )
    expect(
      components.toSorted(),
      'Give a new component its entry in test/theming/every-part.tsx, which this and other tests go through.',
    ).toEqual([...Object.keys(PARTS), ...WITHOUT_ELEMENT].toSorted())
  })

  it.each(WITHOUT_ELEMENT)('says that %s renders no element of its own', (name) => {
    expect(summaryOf(name)).toMatch(/^Renders its (?:children|text)/)
  })
})

describe('the tables of attributes', () => {
  it.each([...Object.entries(PARTS), ...Object.entries(FURTHER)])('have all that %s renders', (_, part) => {
    expect(
      unlisted(shown(part)),
      'Add it to the table of the part, `<part>-attributes.ts`, and run npm run docs:attributes.',
    ).toEqual([])
  })

  it('would miss an attribute that is planted', () => {
    const container = shown(PARTS['GapMark'] ?? <i />)
    container.firstElementChild?.setAttribute('data-planted', '')
    expect(unlisted(container)).toEqual(['button.cs-part cs-gap data-planted=""'])
  })

  it.each(Object.entries(ATTRIBUTE_TABLES).filter(([name, { root }]) => root && name in PARTS))(
    'name the root of %s by its class',
    (name, { root }) => {
      expect(shown(PARTS[name] ?? <i />).firstElementChild?.matches(root?.selector ?? '')).toBe(true)
    },
  )
})
