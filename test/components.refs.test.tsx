// @vitest-environment jsdom
import { render } from '@testing-library/react'
import type { ReactElement, Ref } from 'react'
import { cloneElement, createRef } from 'react'
import { describe, expect, it } from 'vitest'
import { ArtifactCard } from '../src/components/artifact-card.tsx'
import { Chat, ChatHeader, ChatDock } from '../src/components/chat.tsx'
import { SourcesPanel, CitationBlock } from '../src/components/citation-block/citation-block.tsx'
import { Composer } from '../src/components/composer/composer.tsx'
import { MessageList } from '../src/components/message-list/message-list.tsx'
import { ConnectionStatus } from '../src/components/connection-status.tsx'
import { DataBlock } from '../src/components/data-block.tsx'
import { EmptyState } from '../src/components/empty-state.tsx'
import { ErrorBanner } from '../src/components/error-banner.tsx'
import { GapMark } from '../src/components/gap-mark.tsx'
import { HealthBadge } from '../src/components/health-badge.tsx'
import { MarkdownBlock } from '../src/components/markdown-block/markdown-block.tsx'
import { MediaCarousel } from '../src/components/media-carousel.tsx'
import { Message } from '../src/components/message/message.tsx'
import { CopyAction, EditAction, RetryAction } from '../src/components/message/message-actions.tsx'
import { FeedbackAction } from '../src/components/feedback-action.tsx'
import { MessageContext } from '../src/components/message/message-context.ts'
import { ProgressIndicator } from '../src/components/progress-indicator.tsx'
import { Skeleton } from '../src/components/skeleton.tsx'
import { ThoughtTrace } from '../src/components/thought-trace.tsx'
import { ThreadList } from '../src/components/thread-list.tsx'
import { ToolCall } from '../src/components/tool-call.tsx'
import { TypingIndicator } from '../src/components/typing-indicator.tsx'
import { PromptCard } from '../src/components/prompt-card.tsx'
import { PromptDock } from '../src/components/prompt-dock.tsx'
import { PromptTrace } from '../src/components/prompt-trace.tsx'
import { UnknownEvent } from '../src/components/unknown-event.tsx'
import { UserNotice } from '../src/components/user-notice.tsx'
import { WarningNote } from '../src/components/warning-note.tsx'
import { ChatContext } from '../src/react/chat-context.ts'
import { answer, createFakeChat, errorOf, said, text } from './components/fake-chat.ts'
import { promptOf } from './support/prompts.ts'
import { EVERY_PART } from './theming/every-part.tsx'

const prompt = promptOf()
const last = answer('a', [text('So.')])
const chat = createFakeChat({
  status: 'awaiting-input',
  messages: [answer('a', [text('So.'), { type: 'prompt', id: prompt.id, prompt }], { status: 'streaming' })],
})
const steps = [{ id: '1', label: 'Reading', status: 'running' }] as const
const citations = [{ sourceId: 's', uri: 'https://s.example', title: 'S' }]
const warning = errorOf({ severity: 'WARNING' })

type Part = ReactElement<Readonly<Record<string, unknown>>>

/** Each takes a ref of its element: that it compiles is half of the test. */
const PARTS: readonly (readonly [name: string, part: Part])[] = [
  ['Message', <Message key="1" ref={createRef<HTMLElement>()} messageId="a" />],
  ['HealthBadge', <HealthBadge key="2" ref={createRef<HTMLSpanElement>()} status="ok" />],
  ['ConnectionStatus', <ConnectionStatus key="3" ref={createRef<HTMLSpanElement>()} />],
  ['EmptyState', <EmptyState key="4" ref={createRef<HTMLDivElement>()} />],
  ['ThreadList', <ThreadList key="5" ref={createRef<HTMLElement>()} threads={[]} onSelect={() => {}} />],
  ['ArtifactCard', <ArtifactCard key="6" ref={createRef<HTMLDivElement>()} />],
  ['ChatDock', <ChatDock key="7" ref={createRef<HTMLDivElement>()} />],
  ['ChatHeader', <ChatHeader key="8" ref={createRef<HTMLElement>()} title="Rivers" />],
  ['CitationBlock', <CitationBlock key="9" ref={createRef<HTMLElement>()} citations={citations} />],
  ['DataBlock', <DataBlock key="10" ref={createRef<HTMLDivElement>()} data={{ a: 1 }} />],
  ['ErrorBanner', <ErrorBanner key="11" ref={createRef<HTMLDivElement>()} error={errorOf()} />],
  ['ErrorBanner, a warning', <ErrorBanner key="12" ref={createRef<HTMLDivElement>()} error={warning} />],
  ['GapMark', <GapMark key="13" ref={createRef<HTMLButtonElement>()} after={1} before={3} />],
  ['MarkdownBlock', <MarkdownBlock key="14" ref={createRef<HTMLDivElement>()} content="So." />],
  [
    'MediaCarousel',
    <MediaCarousel
      key="15"
      ref={createRef<HTMLElement>()}
      items={[{ url: 'https://m.example/a.png', mimeType: 'image/png' }]}
    />,
  ],
  ['ProgressIndicator', <ProgressIndicator key="16" ref={createRef<HTMLUListElement>()} steps={steps} />],
  ['Skeleton', <Skeleton key="17" ref={createRef<HTMLDivElement>()} />],
  ['ThoughtTrace', <ThoughtTrace key="18" ref={createRef<HTMLElement>()} thoughts={[{ id: '1', text: 'Hm.' }]} />],
  [
    'ThoughtTrace, redacted',
    <ThoughtTrace key="19" ref={createRef<HTMLElement>()} thoughts={[{ id: '1', text: '', redacted: true }]} />,
  ],
  ['ToolCall', <ToolCall key="20" ref={createRef<HTMLDetailsElement>()} name="x" status="complete" />],
  ['TypingIndicator', <TypingIndicator key="21" ref={createRef<HTMLDivElement>()} />],
  ['UnknownEvent', <UnknownEvent key="22" ref={createRef<HTMLDetailsElement>()} name="x" raw={1} />],
  ['UserNotice', <UserNotice key="23" ref={createRef<HTMLDivElement>()} message="x" />],
  ['PromptDock', <PromptDock key="27" ref={createRef<HTMLDivElement>()} />],
  ['PromptCard', <PromptCard key="28" ref={createRef<HTMLElement>()} promptId={prompt.id} />],
  ['PromptTrace', <PromptTrace key="29" ref={createRef<HTMLDivElement>()} prompt={prompt} />],
  ['Chat', <Chat key="25" ref={createRef<HTMLElement>()} chat={chat} />],
  ['Composer', <Composer key="26" ref={createRef<HTMLFormElement>()} />],
  ['MessageList', <MessageList key="27" ref={createRef<HTMLDivElement>()} />],
  ['SourcesPanel', <SourcesPanel key="28" ref={createRef<HTMLDialogElement>()} citations={citations} />],
  ['WarningNote', <WarningNote key="24" ref={createRef<HTMLDivElement>()} error={warning} />],
  ['FeedbackAction', <FeedbackAction key="29" ref={createRef<HTMLDivElement>()} onFeedback={() => {}} />],
  ['CopyAction', <CopyAction key="30" ref={createRef<HTMLButtonElement>()} />],
  ['EditAction', <EditAction key="31" ref={createRef<HTMLButtonElement>()} />],
  ['RetryAction', <RetryAction key="32" ref={createRef<HTMLButtonElement>()} />],
]

function rootOf(
  part: Part,
  extra: object = {},
): { readonly seen: Element | null; readonly found: Element | null; readonly refs: number } {
  let seen: Element | null = null
  let refs = 0
  const ref: Ref<Element> = (element) => {
    if (element === null) return
    seen = element
    refs += 1
  }
  const { container, unmount } = render(
    <ChatContext.Provider value={chat}>
      <MessageContext.Provider value={{ message: part.type === EditAction ? said('u', 'Why?') : last }}>
        {cloneElement(part, { ref, className: 'mine', ...extra })}
      </MessageContext.Provider>
    </ChatContext.Provider>,
  )
  const found = container.querySelector('.mine')
  unmount()
  return { seen, found, refs }
}

/** Parts that take no ref. */
const WITHOUT_REF = ['ChatBanner', 'Icon']
/** Parts whose element cannot be replaced. */
const WITHOUT_RENDER = ['Chat', 'Composer', 'CopyAction', 'EditAction', 'MessageList', 'RetryAction', 'SourcesPanel']
const REPLACEABLE = PARTS.filter(([name]) => !WITHOUT_RENDER.includes(name))

describe('a ref', () => {
  it('is tried for every part', () => {
    const tried = PARTS.map(([name]) => name.split(',')[0])
    expect(
      Object.keys(EVERY_PART).filter((name) => !WITHOUT_REF.includes(name) && !tried.includes(name)),
      'Add the part to PARTS of this file, or to WITHOUT_REF.',
    ).toEqual([])
  })

  it.each(PARTS)('of %s is its root element', (_name, part) => {
    const { seen, found, refs } = rootOf(part)
    expect(seen).not.toBeNull()
    expect(seen).toBe(found)
    expect(refs).toBe(1)
  })

  it.each(REPLACEABLE)('of %s goes to the element that `render` puts in its place', (_name, part) => {
    const { seen, found } = rootOf(part, { render: (props: object) => <aside {...props} data-own="" /> })
    expect(seen).toBe(found)
    expect(seen?.tagName).toBe('ASIDE')
  })
})
