import type { ReactElement } from 'react'
import * as entryPoint from '../../src/components.ts'
import { messageById } from '../../src/state/chat-snapshot.ts'
import { MessageContext } from '../../src/components/message/message-context.ts'
import type { RootProps } from '../../src/components/internals/part.ts'
import { answer, errorOf, said, text } from '../components/fake-chat.ts'
import type { MessagePart } from '../../src/state/turn.ts'
import type { Citation, MediaItem } from '../../src/seam/agent-event.ts'

// Every part of capstan, shown with what it needs. The tests of theming hold each of them to the same promises.

const {
  ArtifactCard,
  Chat,
  ChatBanner,
  ChatDock,
  ChatHeader,
  CitationBlock,
  Composer,
  CopyAction,
  ConnectionStatus,
  DataBlock,
  EditAction,
  EmptyState,
  ErrorBanner,
  FeedbackAction,
  GapMark,
  HealthBadge,
  Icon,
  MarkdownBlock,
  MediaCarousel,
  Message,
  MessageList,
  ProgressIndicator,
  RetryAction,
  Skeleton,
  SourcesPanel,
  ThoughtTrace,
  ToolCall,
  TypingIndicator,
  UnknownEvent,
  UserNotice,
  WarningNote,
} = entryPoint

/** Components of prompts, threads, tasks and jobs: `test/components.docs.test.tsx` has each of them, and their folders have the rest. */
export const WITH_TESTS_OF_THEIR_OWN = [
  ...[
    'ApprovalCard',
    'ChoiceCard',
    'FormPrompt',
    'LeaseBadge',
    'LeaseList',
    'PermissionPrompt',
    'PromptCard',
    'PromptDock',
  ],
  ...['PromptStringsProvider', 'PromptTrace', 'SchemaForm', 'SignInCard', 'UnknownPrompt', 'ThreadList'],
  ...['AgentCardView', 'ArtifactView', 'TaskCard', 'TaskStatusBadge', 'TaskStringsProvider'],
  ...['CostMeter', 'JobCard', 'JobStringsProvider', 'LogViewer', 'SessionStatus', 'SubscriptionViewer', 'TokenMeter'],
]

/** What a host gives to any part. */
export interface Given {
  readonly className?: string
  readonly 'data-test'?: string
  readonly render?: (props: RootProps) => ReactElement
}

const SOURCES: readonly Citation[] = [
  {
    sourceId: 'bends',
    uri: 'https://example.org/bends',
    title: 'How a bend begins',
    snippet: 'Where the current brushes one side a little harder, that bank wears back.',
    confidence: 0.92,
  },
  { sourceId: 'notes', uri: 'javascript:alert(1)', title: 'Field notes' },
]
const PICTURES: readonly MediaItem[] = [
  { url: 'https://example.org/river.png', mimeType: 'image/png', alt: 'A river' },
  { url: 'https://example.org/map.pdf', mimeType: 'application/pdf', alt: 'A map' },
]
const ROWS = [
  { river: 'Danube', length_km: 2850 },
  { river: 'Rhine', length_km: 1233 },
]
const STEPS = [
  { id: 's1', label: 'Read three notes', status: 'complete', detail: '3 notes' },
  { id: 's2', label: 'Draw the bends', status: 'running', fraction: 0.4 },
  { id: 's3', label: 'Check the maps', status: 'failed', fraction: 0.7, detail: 'no map' },
  { id: 's4', label: 'Write it down', status: 'pending' },
] as const
const part = (id: string, shown: object): MessagePart =>
  // Each is one of the closed union of parts, spelled out right below.
  ({ id, ...shown }) as MessagePart

const MARKDOWN =
  '## Oxbow lake\n\nA loop the river has **left behind**, see [notes](https://example.org).\n\n- neck\n- loop\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nconst bend = 10\n```\n\n> quoted'

/** A conversation with every kind of part and every kind of ending, the last answer still growing. */
export const MESSAGES = [
  said('u-1', 'Why do rivers meander?', { createdAt: 1_700_000_000_000 }),
  answer(
    'a-1',
    [
      part('p1', { type: 'thought', text: 'Uneven banks begin it.', status: 'complete' }),
      part('p2', { type: 'progress', label: 'Read three notes', status: 'complete', fraction: 1 }),
      text('No bank is even. Where the current leans harder, the bank wears back. [1]', 't1'),
      part('p3', {
        type: 'tool-call',
        name: 'read_gauge',
        input: { place: 'bridge' },
        output: { level_m: 2.14 },
        status: 'complete',
      }),
      part('p4', { type: 'media', items: PICTURES }),
      part('p5', { type: 'markdown', content: MARKDOWN }),
      part('p6', { type: 'data', data: ROWS, viewHint: 'TABLE' }),
      part('p7', {
        type: 'artifact',
        artifactId: 'rivers',
        url: 'https://example.org/rivers.csv',
        mimeType: 'text/csv',
      }),
      part('p8', {
        type: 'notice',
        message: 'The gauge is being repaired.',
        code: 503,
        domain: 'tool',
        retryable: true,
        details: { since: 'May' },
      }),
      part('p9', { type: 'unknown', name: 'FLOW_DIAGRAM', raw: { nodes: ['spring', 'sea'] } }),
      part('p10', { type: 'gap', after: 4, before: 7 }),
      part('p11', { type: 'warning', error: errorOf({ severity: 'WARNING', message: 'One source is old.' }) }),
      part('p15', { type: 'task', title: 'Survey the north', status: 'input-required' }),
      part('p16', { type: 'artifact', name: 'north.md', state: 'complete', version: 2, size: 2100, text: '# North' }),
      part('p12b', {
        type: 'lease',
        lease: { name: 'fs.write', resource: '/reports', state: 'active', canRevoke: true },
      }),
      part('p13', { type: 'said', text: 'Only the north', status: 'sent' }),
      part('p14', { type: 'said', text: 'And the east', status: 'not-sent' }),
      text('That is all.', 't2'),
      part('p12', { type: 'citations', citations: SOURCES }),
    ],
    { createdAt: 1_700_000_001_000, endedAt: 1_700_000_009_000 },
  ),
  said('u-2', 'And straight ones?', {
    status: 'not-sent',
    error: errorOf({ kind: 'connection', code: 'network_error', severity: 'TRANSIENT' }),
  }),
  answer('a-2', [text('They are rare')], {
    status: 'incomplete',
    error: errorOf({ kind: 'connection', code: 'network_error', severity: 'TRANSIENT' }),
  }),
  answer('a-3', [text('They are')], { status: 'stopped', restarted: true }),
  answer('a-4', [text('They')], { status: 'failed', error: errorOf() }),
  answer(
    'a-5',
    [part('p20', { type: 'thought', text: 'Think of a flood.', status: 'running' }), text('A river ', 't9')],
    { status: 'streaming' },
  ),
]

/** An action of one of the messages. */
function actionOf(id: string, action: ReactElement): ReactElement {
  const message = messageById(MESSAGES, id)
  if (message === undefined) throw new Error(`There is no message ${id}.`)
  return <MessageContext.Provider value={{ message }}>{action}</MessageContext.Provider>
}

/** By the name a part has in `capstan/components`. Each is inside of a chat that holds {@link MESSAGES}. */
export const EVERY_PART = {
  ArtifactCard: (given) => (
    <ArtifactCard
      {...given}
      artifactId="rivers"
      url="https://example.org/rivers.csv"
      mimeType="text/csv"
      artifactType="table"
    />
  ),
  Chat: (given) => <Chat {...given} title="Rivers" />,
  ChatBanner: (given) => <ChatBanner {...given} />,
  ChatDock: (given) => <ChatDock {...given}>here</ChatDock>,
  ChatHeader: (given) => <ChatHeader {...given} title="Rivers" />,
  CitationBlock: (given) => <CitationBlock {...given} citations={SOURCES} />,
  Composer: (given) => <Composer {...given} />,
  ConnectionStatus: (given) => <ConnectionStatus {...given} />,
  CopyAction: (given) => actionOf('a-1', <CopyAction {...given} />),
  DataBlock: (given) => <DataBlock {...given} data={ROWS} viewHint="TABLE" />,
  EditAction: (given) => actionOf('u-1', <EditAction {...given} />),
  EmptyState: (given) => <EmptyState {...given} suggestions={['Why do rivers meander?', 'What is an oxbow lake?']} />,
  ErrorBanner: (given) => (
    <ErrorBanner {...given} error={errorOf()} requestId="r-1" onRetry={() => {}} onDismiss={() => {}} />
  ),
  FeedbackAction: (given) => actionOf('a-1', <FeedbackAction {...given} ratingOf={() => 'up'} onFeedback={() => {}} />),
  GapMark: (given) => <GapMark {...given} after={4} before={7} />,
  HealthBadge: (given) => <HealthBadge {...given} status="degraded" checkedAt={1_700_000_000_000} stale />,
  Icon: (given) => <Icon {...given} name="copy" />,
  MarkdownBlock: (given) => <MarkdownBlock {...given} content={MARKDOWN} />,
  MediaCarousel: (given) => <MediaCarousel {...given} items={PICTURES} />,
  Message: (given) => <Message {...given} messageId="a-1" />,
  MessageList: (given) => <MessageList {...given} />,
  ProgressIndicator: (given) => <ProgressIndicator {...given} steps={STEPS} />,
  RetryAction: (given) => actionOf(MESSAGES.at(-1)?.id ?? '', <RetryAction {...given} />),
  Skeleton: (given) => <Skeleton {...given} />,
  SourcesPanel: (given) => <SourcesPanel {...given} citations={SOURCES} />,
  ThoughtTrace: (given) => (
    <ThoughtTrace {...given} thoughts={[{ id: 't', text: 'Uneven banks begin it.' }]} durationMs={4000} />
  ),
  ToolCall: (given) => (
    <ToolCall {...given} name="read_gauge" status="complete" input={{ place: 'bridge' }} output={{ level_m: 2.14 }} />
  ),
  TypingIndicator: (given) => <TypingIndicator {...given} />,
  UnknownEvent: (given) => <UnknownEvent {...given} name="FLOW_DIAGRAM" raw={{ nodes: ['spring', 'sea'] }} />,
  UserNotice: (given) => (
    <UserNotice
      {...given}
      message="The gauge is being repaired."
      code={503}
      domain="tool"
      retryable
      onRetry={() => {}}
    />
  ),
  WarningNote: (given) => (
    <WarningNote
      {...given}
      error={errorOf({ severity: 'WARNING', message: 'One source is old.' })}
      onDismiss={() => {}}
    />
  ),
} satisfies Readonly<Record<string, (given: Given) => ReactElement>>
